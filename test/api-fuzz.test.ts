/** Every route is asked with what its own schema allows and with what nobody should send: it answers, as it says it can, and is never at fault. */
import fc from "fast-check";
import { fakeSite } from "nuthatch/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi, routes, type Server, serve } from "../dist/src/interfaces/rest/index.js";
import { tempFolder } from "./cli.ts";
import { type NameServer, startNameServer } from "./faults/name-server.ts";
import { crawl } from "./near-library.ts";

const numRuns = Number(process.env.NUTHATCH_API_FUZZ_RUNS ?? 20);
/** Whoever does not answer by then never will. */
const PATIENCE = 20_000;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, unknown>>;
}
const document = openApi(routes) as { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const urls = fc.constantFrom(
  "https://site.test/",
  "https://site.test/a",
  "http://none.test/",
  "http://127.0.0.1/",
  "ftp://a.test/",
  "//x",
  "http://[",
  "",
);
const nasty = fc.constantFrom(
  ...[
    "",
    " ",
    "\0",
    "a\0b",
    "'",
    '"',
    "' OR 1=1 --",
    "%",
    "_",
    "*",
    "(",
    "[",
    "\\",
    "../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "-1",
    "0",
    "1.5",
    "1e308",
    "9007199254740993",
    "99999999999999999999",
  ],
  ...[
    "\ud800",
    "é",
    "🦆",
    "\u202e",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "{}",
    "[]",
    "a".repeat(3000),
    ",".repeat(900),
    "{".repeat(400),
    "AND OR NEAR( *",
  ],
);
const odd = fc.oneof(
  nasty,
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, true, -1, 1e308, [], {}, [[[[[]]]]], JSON.parse('{"constructor":{"prototype":1}}')),
);

/** Where a text has a form that no schema tells. */
const WORDS = new Map([
  ["status", ["2xx", "404,5xx", "finished", "running,stopped"]],
  ["change", ["new", "new,changed"]],
  ["missing", ["title", "title,image"]],
  ["verdict", ["ok", "skipped,failed"]],
  ["types", ["page.fetched", "crawl.progress,job.finished"]],
  ["since", ["previous", "1", "7d", "2026-11-01"]],
  ["sections", ["links", "pages"]],
  ["rateLimit", ["1/s", "none"]],
]);

type Maker = (schema: Schema, name: string) => fc.Arbitrary<unknown>;

/** What a schema allows, with fields as `make` makes them. */
function allowed(schema: Schema, name: string, make: Maker): fc.Arbitrary<unknown> {
  if (schema.$ref) return allowed(document.components.schemas[schema.$ref.split("/").at(-1)!]!, name, make);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => allowed(one, name, make)));
  if (/^id$|Id$|Ids$|^from$|^to$|^against$|^version$/.test(name) && schema.type !== "array")
    return fc.integer({ min: 1, max: 3 }).map((id) => (schema.type === "string" ? String(id) : id));
  const words = WORDS.get(name);
  if (words && schema.type === "string") return fc.constantFrom(...words);
  if (name === "fields") return fc.constantFrom("id", "id,url", "url");
  if (name === "cursor") return fc.constant(undefined);
  // What waits for what takes long would be waited for.
  if (name === "wait") return fc.constantFrom("0s", "50ms", "1");
  if (/^urls?$/i.test(name) && schema.type === "string") return urls;
  if (schema.pattern && schema.type === "string") return fc.stringMatching(new RegExp(schema.pattern));
  switch (schema.type) {
    case "string":
      return fc.oneof(fc.constantFrom("a", "budget", "1", "7d", "id,url", "2026-11-16"), fc.string({ maxLength: 30, unit: "binary" }));
    case "integer":
      return fc.integer({ min: Math.max(schema.minimum ?? 0, 0), max: Math.min(schema.maximum ?? 9, 9) });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 2, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(make(schema.items ?? {}, name), { maxLength: 3 });
    case "object":
      return some(schema.properties ?? {}, schema.required ?? [], make);
    default:
      return odd;
  }
}

/** All that is needed, and a few of the others: who says everything at once is always wrong somewhere. */
const some = (properties: Readonly<Record<string, Schema>>, required: readonly string[], make: Maker) =>
  fc
    .subarray(
      Object.keys(properties).filter((name) => !required.includes(name)),
      { maxLength: Math.min(3, Object.keys(properties).length - required.length) },
    )
    .chain((chosen) => fc.record(Object.fromEntries([...required, ...chosen].map((name) => [name, make(properties[name] ?? {}, name)]))));

const right: Maker = (schema, name) => allowed(schema, name, right);
const mixed: Maker = (schema, name) => fc.oneof({ arbitrary: allowed(schema, name, mixed), weight: 6 }, { arbitrary: odd, weight: 1 });

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const encoded = (value: unknown) => encodeURIComponent(Buffer.from(textOf(value)).toString());
/** A header holds no line end, and no letter beyond a byte. */
const headerOf = (value: unknown) =>
  textOf(value)
    .replace(/[^\x20-\xff]/g, "?")
    .trim();

const HEADERS = ["accept", "prefer", "if-match", "if-none-match", "range", "idempotency-key", "last-event-id", "cookie", "authorization"];

/** Everything a request can say, for one route. */
const requestsTo = (operation: Operation) => fc.oneof(requestsBy(right, operation), requestsBy(mixed, operation));

function requestsBy(make: Maker, { parameters = [], requestBody }: Operation) {
  const at = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const record = (place: "path" | "query") =>
    some(
      Object.fromEntries(at(place).map(({ name, schema }) => [name, schema])),
      at(place)
        .filter(({ required }) => required)
        .map(({ name }) => name),
      make,
    );
  const body = requestBody?.content["application/json"].schema;
  return fc.record({
    path: record("path"),
    query: record("query"),
    extra: make === right ? fc.constant(null) : fc.option(fc.tuple(nasty, nasty), { freq: 2 }),
    headers: fc.dictionary(
      fc.constantFrom(...HEADERS),
      fc.oneof(nasty, fc.constantFrom('"x"', "*", "bytes=0-", "text/csv", "wait=0", "1.end", "1")),
      { maxKeys: 2 },
    ),
    body: body ? fc.option(make(body, ""), { nil: undefined, freq: 20 }) : fc.constant(undefined),
  });
}

const folder = tempFolder();
const said: string[] = [];
let server: Server;
let names: NameServer;

beforeAll(async () => {
  const db = folder.file("fuzz.db");
  const site = fakeSite({
    "/": '<title>Town</title><h2>Money</h2><p><a href="/a">The budget</a> <a href="/b.pdf">agenda</a> <a href="/lost">lost</a></p>',
    "/a": `<title>A</title><p>${"Deep water, and cold. ".repeat(20)} <a href="/">home</a></p>`,
  });
  for (const _ of [1, 2]) await crawl(site.url, { db, scorer: "lexical", keywords: { budget: 0.8 }, ...site.options }).result;
  names = await startNameServer("127.0.83.31", () => 3);
  server = await serve({
    db,
    ...{ host: "127.0.83.30", port: 0, hasKeys: false, noAuth: false, names: [], origins: [], withDashboard: false },
    engine: {
      options: {
        file: undefined,
        flags: { resolver: names.place, timeout: "1s", retries: 0, rateLimit: "none", maxWait: "1s" },
        cwd: folder.path,
      },
    },
    log: (line) => void said.push(line),
  });
});
afterAll(async () => {
  await server.close();
  names.close();
  folder[Symbol.dispose]();
});

const order = ["get", "post", "put", "patch", "delete"];
const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => [method, path, operation] as const))
  .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));

describe("whatever is asked is answered as the document says", () => {
  test.each(operations)("%s %s", async (method, path, operation) => {
    await fc.assert(
      fc.asyncProperty(requestsTo(operation), async ({ path: params, query, extra, headers, body }) => {
        const place = path.replace(/\{(\w+)\}/g, (_, name) => encoded(params[name]) || "-");
        const pairs = [...Object.entries(query).filter(([, value]) => value !== undefined), ...(extra ? [extra] : [])].map(
          ([name, value]) => `${encoded(name)}=${encoded(value)}`,
        );
        const answer = await fetch(`${server.url}${place}?${pairs.join("&")}`, {
          method: method.toUpperCase(),
          headers: {
            ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerOf(value)])),
            prefer: `wait=0, ${headerOf(headers.prefer ?? "")}`,
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(PATIENCE),
        });
        const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
        const text = isStream ? await answer.body!.cancel().then(() => "") : await answer.text();
        const known = [...Object.keys(operation.responses), ...AT_THE_DOOR].filter((status) => !["500", "503"].includes(status));
        expect(known, `${answer.status} ${text.slice(0, 1000)}`).toContain(String(answer.status));
        expect(text).not.toMatch(/sqlite_|\bSELECT .* FROM\b|node_modules|\bat \w+ \(.*:\d+:\d+\)/);
      }),
      { numRuns, endOnFailure: true },
    );
  });

  test("and the server is as well as before", async () => {
    expect(await fetch(`${server.url}/readyz`).then((answer) => answer.json())).toEqual({ status: "ok", data: true, engine: true });
    for (const path of ["/sites", "/crawls", "/pages?url=https://site.test/", "/links?url=https://site.test/a", "/jobs"])
      expect((await fetch(`${server.url}/api/v1${path}`)).status, path).toBe(200);
    expect(said).toEqual([]);
  });
});

/** Of paths that lead elsewhere, and of what is no HTTP request. */
const AT_THE_DOOR = ["404", "405", "413", "431"];
