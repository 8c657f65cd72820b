/** Who may ask the server, from where, and for what. Both servers are on loopback; the one with a key is closed as if it were not. */
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../dist/src/engine/app.js";
import { createKey } from "../dist/src/features/keys/keys.js";
import { routes, type Server, serve } from "../dist/src/interfaces/rest/index.js";
import { tempFolder } from "./cli.ts";

const folder = tempFolder();
const keys = { read: "", write: "", admin: "" };
const said: string[] = [];
let closed: Server;
let open: Server;

const setup = (name: string, host: string) => ({
  db: folder.file(name),
  host,
  port: 0,
  noAuth: false,
  hasKeys: false,
  names: ["crawler.test"],
  origins: ["https://friend.test"],
  withDashboard: true,
  engine: { options: { file: undefined, flags: {}, cwd: folder.path } },
  log: (line: string) => void said.push(line),
});

beforeAll(async () => {
  for (const name of ["closed.db", "open.db"]) {
    const app = await openApp({ db: folder.file(name) });
    if (name === "closed.db")
      for (const scope of ["read", "write", "admin"] as const) keys[scope] = (await createKey(app, { name: scope, scope })).key;
    await app.close();
  }
  closed = await serve({ ...setup("closed.db", "127.0.83.2"), hasKeys: true });
  open = await serve(setup("open.db", "127.0.83.3"));
});
afterAll(async () => {
  await closed.close();
  await open.close();
  folder[Symbol.dispose]();
});

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of an answer is in its expectations
  readonly json: any;
}

/** As it is written: `fetch` would mend Host, Origin and Content-Type. */
const ask = (server: Server, line: string, headers: Record<string, string> = {}, body?: string): Promise<Told> =>
  new Promise((resolve, reject) => {
    const [method, path] = line.split(" ") as [string, string];
    const { hostname, port } = new URL(server.url);
    const asked = request({ host: hostname, port, method, path, headers, agent: false }, async (answer) => {
      let text = "";
      const type = String(answer.headers["content-type"]);
      if (type.startsWith("text/event-stream")) answer.destroy();
      else for await (const part of answer.setEncoding("utf8")) text += part;
      resolve({
        status: answer.statusCode!,
        headers: answer.headers,
        text,
        json: /json/.test(type) && text ? JSON.parse(text) : undefined,
      });
    });
    asked.on("error", reject).end(body);
  });

const json = { "content-type": "application/json" };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const api = (path: string) => `/api/v1${path.replace(/\{\w+\}/g, "99")}`;
const lines = routes.map(({ method, path, base }) => `${method} ${base === "" ? path : api(path)}`);
const VIEWS = ["/", "/crawls", "/crawls/1", "/links", "/changes", "/pages/7", "/structure", "/hosts", "/playground", "/settings"];
const others = [...VIEWS, "/openapi.json", "/docs", "/docs/swagger-ui.css", "/metrics", "/assets/app.js", "/nowhere", "/api/v1/nowhere"];

describe("without a key", () => {
  test("an address that others reach is not served", async () => {
    await expect(serve(setup("open.db", "0.0.0.0"))).rejects.toThrow(/no key that keeps them out/);
    await expect(serve(setup("open.db", "::"))).rejects.toThrow(/no key that keeps them out/);
  });

  test.each([...lines, ...others.map((path) => `GET ${path}`), "HEAD /api/v1/sites", "DELETE /nowhere", "POST /logout"])(
    "%s answers 401",
    async (line) => {
      for (const headers of [
        {},
        bearer("nh_guessed"),
        { authorization: "Basic bmhfeDp4" },
        { "x-api-key": "x" },
        { cookie: "nuthatch_key=x" },
      ]) {
        const { status, headers: told, text } = await ask(closed, line, { ...json, ...headers }, line.startsWith("P") ? "{}" : undefined);
        expect(status).toBe(401);
        expect(told["content-security-policy"]).toBeDefined();
        expect(text).not.toMatch(/sqlite|\/tmp\/|at \w+ \(/i);
      }
    },
  );

  test.each(["/healthz", "/readyz", "/login"])("%s answers", async (path) => {
    expect((await ask(closed, `GET ${path}`)).status).toBe(200);
  });

  test("on loopback, where there is no key, everything answers", async () => {
    for (const path of ["/", "/openapi.json", "/docs", "/metrics", "/api/v1/sites", "/api/v1/keys"])
      expect((await ask(open, `GET ${path}`)).status, path).toBe(200);
  });
});

describe("a key", () => {
  test.each(routes.map(({ method, path, base, scope }) => [`${method} ${base === "" ? path : api(path)}`, scope] as const))(
    "%s opens with the scope %s, and with no lesser one",
    async (line, scope) => {
      const lesser = { read: [], write: [keys.read], admin: [keys.read, keys.write] }[scope];
      const body = line.startsWith("P") ? "not JSON" : undefined;
      for (const key of lesser) expect((await ask(closed, line, { ...json, ...bearer(key) }, body)).status).toBe(403);
      // Nothing is meant to come of it: whoever is let in is told that this is no JSON, or that there is no such thing.
      const { status } = await ask(closed, line, { ...json, ...bearer(keys[scope]) }, body);
      expect([200, 204, 400, 404, 409]).toContain(status);
    },
  );

  test("may come in any of three headers, or as a password", async () => {
    const basic = { authorization: `Basic ${Buffer.from(`feed:${keys.read}`).toString("base64")}` };
    for (const headers of [bearer(keys.read), basic, { "x-api-key": keys.read }, { cookie: `a=b; nuthatch_key=${keys.read}` }])
      expect((await ask(closed, "GET /api/v1/sites", headers as Record<string, string>)).status).toBe(200);
  });

  test("logs a browser in by a cookie that no script and no other site can use", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const told = await ask(closed, "POST /login", form, `key=${keys.read}`);
    expect(told).toMatchObject({ status: 303, headers: { location: "/" } });
    expect(String(told.headers["set-cookie"])).toMatch(/^nuthatch_key=nh_[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    const proxied = await ask(closed, "POST /login", { ...form, "x-forwarded-proto": "https" }, `key=${keys.read}`);
    expect(String(proxied.headers["set-cookie"])).toMatch(/; Secure$/);
    expect((await ask(closed, "POST /login", form, `key=nh_${"x".repeat(43)}`)).status).toBe(401);
    expect((await ask(closed, "POST /login", form, "key=<script>")).text).not.toContain("<script>");
    const out = await ask(closed, "POST /logout", { cookie: `nuthatch_key=${keys.read}` });
    expect(out.status).toBe(303);
    expect(String(out.headers["set-cookie"])).toMatch(/Max-Age=0/);
  });

  test("that is made by a request that names itself is one, shown once, and not kept", async () => {
    const headers = { ...json, ...bearer(keys.admin), "idempotency-key": "make-a-key" };
    const made = await ask(closed, "POST /api/v1/keys", headers, '{"name":"x"}');
    expect(made).toMatchObject({ status: 201, headers: { "cache-control": "no-store" } });
    const again = await ask(closed, "POST /api/v1/keys", headers, '{"name":"x"}');
    expect([again.status, again.json.suggestion]).toEqual([409, expect.stringContaining(String(made.headers.location))]);
    expect(again.text).not.toContain("nh_");
    const list = await ask(closed, "GET /api/v1/keys", bearer(keys.admin));
    expect(list.text).not.toContain("nh_");
    expect(list.json.data.filter(({ name }: { name: string }) => name === "x")).toHaveLength(1);
  });
});

describe("the browser next door", () => {
  test.each([
    ["the address", "127.0.83.3:8000", 200],
    ["localhost", "localhost:8000", 200],
    ["an IPv6 address", "[::1]:8000", 200],
    ["a name that was allowed", "Crawler.test", 200],
    ["a name that an attacker's DNS leads here", "evil.test", 403],
    ["a name that begins like ours", "localhost.evil.test", 403],
    ["a name behind an address", "127.0.83.3@evil.test", 403],
    ["nonsense", "a b", 403],
  ])("Host: %s", async (_, host, status) => {
    expect((await ask(open, "GET /api/v1/sites", { host })).status).toBe(status);
  });

  test.each([
    ["no page at all", {}, 400],
    ["our own page", { origin: "http://127.0.83.3:8000", host: "127.0.83.3:8000" }, 400],
    ["a page that was allowed", { origin: "https://friend.test" }, 400],
    ["a page of somebody else", { origin: "https://evil.test" }, 403],
    ["a page on another port of ours", { origin: "http://127.0.83.3:1", host: "127.0.83.3:8000" }, 403],
    ["a page that hides where it is from", { origin: "null" }, 403],
    ["a form of another site", { "sec-fetch-site": "cross-site" }, 403],
  ])("writes from %s", async (_, headers, status) => {
    expect((await ask(open, "POST /api/v1/crawls", { ...json, ...headers } as Record<string, string>, "{}")).status).toBe(status);
  });

  test("reads nothing from elsewhere, unless its origin was allowed", async () => {
    const evil = await ask(open, "GET /api/v1/sites", { origin: "https://evil.test" });
    expect(Object.keys(evil.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    const friend = await ask(open, "GET /api/v1/sites", { origin: "https://friend.test" });
    expect(friend.headers).toMatchObject({ "access-control-allow-origin": "https://friend.test", vary: "origin" });
    const asks = { origin: "https://friend.test", "access-control-request-method": "POST" };
    expect((await ask(open, "OPTIONS /api/v1/crawls", asks)).status).toBe(204);
    expect((await ask(open, "OPTIONS /api/v1/crawls", { ...asks, origin: "https://evil.test" })).status).toBe(405);
  });

  test.each([
    "/",
    "/login",
    "/docs",
    "/api/v1/sites",
    "/api/v1/sites/99",
    "/healthz",
    "/metrics",
    "/openapi.json",
    "/api/v1/events",
    "/nowhere",
  ])("headers that keep %s safe", async (path) => {
    const { headers } = await ask(open, `GET ${path}`);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
    // Pages with a form tell our own server where it was sent from, and nobody else.
    expect(headers["referrer-policy"]).toBe(path === "/" || path === "/login" ? "same-origin" : "no-referrer");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(String(headers["content-security-policy"])).not.toMatch(/script-src[^;]*unsafe/);
  });
});

describe("what is not as it should be", () => {
  test.each<[string, string, Record<string, string>, string | undefined, number, string]>([
    ["JSON that is none", "POST /api/v1/crawls", json, "{", 400, "validation"],
    ["a form", "POST /api/v1/crawls", { "content-type": "application/x-www-form-urlencoded" }, "url=x", 415, "unsupported-content-type"],
    ["text", "POST /api/v1/crawls", { "content-type": "text/plain" }, "{}", 415, "unsupported-content-type"],
    ["two megabytes", "POST /api/v1/crawls", json, `"${"x".repeat(2_000_000)}"`, 413, "payload-too-large"],
    ["a prototype", "POST /api/v1/crawls", json, '{"__proto__":{"x":1},"url":"http://a.test"}', 400, "validation"],
    ["no body", "POST /api/v1/scrape", {}, undefined, 400, "validation"],
    ["a number that is none", "GET /api/v1/pages/x", {}, undefined, 400, "validation"],
    ["a value out of range", "GET /api/v1/pages?limit=5000", {}, undefined, 400, "validation"],
    ["a parameter said twice", "GET /api/v1/pages?limit=5&limit=6", {}, undefined, 400, "validation"],
    ["a method there is not", "DELETE /api/v1/crawls", {}, undefined, 405, "method-not-allowed"],
    ["a path there is not", "GET /api/v1/page", {}, undefined, 404, "not-found"],
    ["a path that cannot be read", "GET /api/v1/pages/%E0", {}, undefined, 400, "validation"],
    ["a path without end", `GET /api/v1/pages/${"9".repeat(300)}`, {}, undefined, 400, "validation"],
    ["a path that climbs", "GET /api/v1/../../etc/passwd", {}, undefined, 404, "not-found"],
    [
      "an option that is the server's alone",
      "POST /api/v1/crawls",
      json,
      '{"url":"http://a.test/","allowPrivate":["127.0.0.1"]}',
      400,
      "validation",
    ],
    [
      "the same for a site",
      "POST /api/v1/sites",
      json,
      '{"url":"http://a.test/","config":{"allowPrivate":["127.0.0.1"]}}',
      400,
      "validation",
    ],
  ])("%s", async (_, line, headers, body, status, name) => {
    const told = await ask(open, line, headers, body);
    expect(told).toMatchObject({ status, headers: { "content-type": "application/problem+json; charset=utf-8" } });
    expect(told.json).toMatchObject({ type: `urn:nuthatch:problem:${name}`, status, instance: expect.stringMatching(/^[\w-]{36}$/) });
    expect(told.text).not.toMatch(/sqlite|select |\/tmp\/|node_modules|at \w+ \(/i);
    if (status === 405) expect(told.headers.allow).toBe("GET, POST");
  });

  test("a mistyped parameter is told what may have been meant", async () => {
    const { json: told } = await ask(open, "GET /api/v1/pages?limti=5");
    expect(told.errors).toEqual([{ pointer: "/query/limti", message: "there is no such field", suggestion: "limit" }]);
  });

  test("what curl calls a form is JSON where others have sent it so before us", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(await ask(open, "POST /api/enhance/metadata", form, '{"batchSize":100}')).toMatchObject({ status: 200, json: { processed: 0 } });
    expect((await ask(open, "POST /api/enhance/metadata", form, '{"batchSize":101}')).status).toBe(400);
    expect((await ask(open, "POST /api/enhance/metadata", { ...form, origin: "https://evil.test" }, "{}")).status).toBe(403);
  });

  test("HEAD answers as GET does, without a body", async () => {
    for (const path of ["/api/v1/sites", "/", "/healthz", "/api/v1/events", "/openapi.json"]) {
      const told = await ask(open, `HEAD ${path}`);
      expect([told.status, told.text], path).toEqual([200, ""]);
    }
  });
});

test.each([
  ["a crawl", "POST /api/v1/crawls", (deep: string) => `{"url":"https://deep.test/","config":${deep}}`],
  ["a context", "POST /api/v1/contexts", (deep: string) => `{"url":"https://deep.test/","config":${deep}}`],
  ["a site", "POST /api/v1/sites", (deep: string) => `{"url":"https://deep.test/","config":${deep}}`],
  ["a list of pages", "POST /api/v1/enhancements", (deep: string) => `{"urls":${deep}}`],
])("what is nested beyond measure is refused as a mistake: %s", async (_, line, bodyOf) => {
  for (const [start, end] of [
    ['{"a":', "}"],
    ["[", "]"],
  ] as const) {
    const deep = bodyOf(start.repeat(20_000) + 1 + end.repeat(20_000));
    const told = await ask(open, line, { ...json, "content-length": String(deep.length) }, deep);
    expect([told.status, told.json.detail]).toEqual([400, expect.stringContaining("32 deep")]);
  }
});

describe("Idempotency-Key", () => {
  const add = (key: string, url: string) => ask(open, "POST /api/v1/sites", { ...json, "idempotency-key": key }, JSON.stringify({ url }));

  test("the same request again gets the first answer", async () => {
    const first = await add("one", "https://one.test/");
    const second = await add("one", "https://one.test/");
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json).toEqual(first.json);
    expect(second.headers).toMatchObject({ location: first.headers.location, "idempotency-replayed": "true" });
  });

  test("another request under the same name is refused", async () => {
    await add("two", "https://two.test/");
    expect((await add("two", "https://other.test/")).status).toBe(409);
  });

  test("of two at once one is done, and the other is told to come back or gets the same", async () => {
    const told = await Promise.all([add("three", "https://three.test/"), add("three", "https://three.test/")]);
    expect(told.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    for (const { status, headers } of told.filter(({ status }) => status !== 201))
      expect([status, headers["retry-after"]]).toEqual([409, "1"]);
    expect((await ask(open, "GET /api/v1/sites?q=three")).json.data).toHaveLength(1);
  });

  test("what one key was answered is not told to another that names its request alike", async () => {
    const add = (key: string) =>
      ask(closed, "POST /api/v1/sites", { ...json, ...bearer(key), "idempotency-key": "shared" }, '{"url":"https://shared.test/"}');
    const [first, others, again] = [await add(keys.write), await add(keys.admin), await add(keys.write)];
    expect([first.status, again.status, again.headers["idempotency-replayed"]]).toEqual([201, 201, "true"]);
    expect(others.headers).not.toHaveProperty("idempotency-replayed");
  });

  test("what was refused may be asked again under the same name", async () => {
    expect((await add("four", "mailto:x")).status).toBe(400);
    expect((await add("four", "https://four.test/")).status).toBe(201);
    expect((await add(randomBytes(200).toString("hex"), "https://five.test/")).status).toBe(400);
  });
});

test("every answer says how much more may be asked", async () => {
  const { headers } = await ask(open, "GET /api/v1/sites");
  expect(headers["ratelimit-policy"]).toBe('"default";q=30000;w=60');
  expect(headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/);
});

test("nothing of all this was our fault", () => expect(said).toEqual([]));
