/**
 * Everything that people and programs can call: each command, each route that the crawling process answers, each function of the library. It asks for nothing on the
 * web, or carries on what another began (see matrix.ts), or shows here how it is given an address.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type RunningServer, startServer } from "../api-server.ts";
import { nuthatch } from "../cli.ts";
import { query } from "../faults/ledger.ts";
import { bin, type Cell, preload, SECRETS } from "./matrix.ts";
import { type Kind, kinds, startTown, type Town } from "./town.ts";

/** A page of each kind that is stored already, and what has changed since. */
interface Given {
  readonly urls: readonly string[];
  readonly folder: { file(name: string): string };
}

interface Command {
  readonly args: readonly string[];
  readonly input?: string;
}

/** How a command is given the URLs of a person, or those of a list. */
interface CommandWay {
  readonly isTyped: boolean;
  readonly runs: (given: Given) => readonly Command[];
}

const ASKS_NOTHING = "asks for nothing on the web";
const CARRIES_ON = "carries on what another began";
/** Of the Tiny Search Engine's crawler, which the course prescribes. */
const FIXED_OPTIONS = "takes neither a name server, so that it finds none of these hosts, nor credentials";
type WithoutWay = typeof ASKS_NOTHING | typeof CARRIES_ON | typeof FIXED_OPTIONS;

const typedOne = (...before: readonly string[]): CommandWay => ({
  isTyped: true,
  runs: ({ urls }) => urls.map((url) => ({ args: [...before, url] })),
});
const typedAll = (...before: readonly string[]): CommandWay => ({ isTyped: true, runs: ({ urls }) => [{ args: [...before, ...urls] }] });
const listed = (...before: readonly string[]): CommandWay => ({
  isTyped: false,
  runs: ({ urls }) => [{ args: [...before, "-"], input: urls.join("\n") }],
});
const listedInFile = (...before: readonly string[]): CommandWay => ({
  isTyped: false,
  runs: ({ urls, folder }) => {
    const file = folder.file(`${new URL(urls[0]!).hostname}.txt`);
    writeFileSync(file, urls.join("\n"));
    return [{ args: [...before, "--seeds", file] }];
  },
});

export const commandWays: Readonly<Record<string, WithoutWay | Readonly<Record<string, CommandWay>>>> = {
  fetch: { typed: typedOne("fetch") },
  crawl: {
    typed: typedAll("crawl", "--new"),
    listed: listed("crawl", "--new"),
    "dry-run": typedAll("crawl", "--dry-run"),
    "dry-run-listed": listed("crawl", "--dry-run"),
  },
  enrich: {
    typed: typedAll("enrich", "--force", "--delay", "0"),
    listed: listed("enrich", "--force", "--delay", "0"),
    file: listedInFile("enrich", "--force", "--delay", "0"),
    images: listed("enrich", "--force", "--image-sizes", "--delay", "0"),
    "stored-listed": listed("enrich", "--missing", "--force", "--delay", "0"),
  },
  context: { typed: typedOne("context") },
  tse: FIXED_OPTIONS,
  map: { typed: typedOne("map") },
  robots: { typed: typedOne("robots") },
  doctor: { typed: typedOne("doctor") },
  resume: CARRIES_ON,
  serve: CARRIES_ON,
  worker: CARRIES_ON,
  ...Object.fromEntries(
    ["changes", "pages", "search", "links", "show", "diff", "explain", "focus", "runs", "sites", "keywords", "hosts", "ignore"]
      .concat(["export", "keys", "init", "config", "prune", "db", "completion", "llm", "demo", "bench"])
      .map((name) => [name, ASKS_NOTHING] as const),
  ),
};

/** Stored pages of an API caller's URLs, by their numbers. */
interface Stored {
  readonly pageId: number;
  readonly siteId: number;
}

type RouteWay = (server: RunningServer, url: string, stored: Stored) => Promise<unknown>;

const post =
  (path: string, body: (url: string, stored: Stored) => object): RouteWay =>
  (server, url, stored) =>
    server.ask("POST", path, body(url, stored));

/** Until the run is over, which another request tells. */
const crawling =
  (body: (url: string, stored: Stored) => object): RouteWay =>
  async (server, url, stored) => {
    const begun = await server.ask("POST", "/crawls", { isNew: true, ...body(url, stored) });
    if (begun.status === 202) await server.events(`/crawls/${begun.body.id}/events`, () => false);
    return begun;
  };

export const routeWays: Readonly<Record<string, WithoutWay | Readonly<Record<string, RouteWay>>>> = {
  startCrawl: { url: crawling((url) => ({ url })), site: crawling((_, { siteId }) => ({ siteId })) },
  previewCrawl: { url: post("/crawls/preview", (url) => ({ url })), site: post("/crawls/preview", (_, { siteId }) => ({ siteId })) },
  scrape: { url: post("/scrape", (url) => ({ url })) },
  scrapeBatch: { urls: post("/scrape/batch?wait=20", (url) => ({ urls: [url] })) },
  map: { url: post("/map?wait=20", (url) => ({ url })) },
  makeContext: { url: post("/contexts?wait=20", (url) => ({ url })) },
  refreshContext: {
    made: async (server, url) => {
      const { body } = await server.ask("GET", "/contexts");
      const { id } = (body.data as readonly { id: number; url: string }[]).find((context) => context.url === url)!;
      return server.ask("POST", `/contexts/${id}/refresh?wait=20`, {});
    },
  },
  addPage: { url: post("/pages?wait=20", (url, { siteId }) => ({ siteId, url: `${url}another` })) },
  refreshPage: { stored: (server, _, { pageId }) => server.ask("POST", `/pages/${pageId}/refresh?wait=20`) },
  startEnhancement: {
    urls: post("/enhancements?wait=20", (url) => ({ urls: [url], force: true })),
    pages: post("/enhancements?wait=20", (_, { pageId }) => ({ pageIds: [pageId], force: true })),
    site: post("/enhancements?wait=20", (_, { siteId }) => ({ siteId, force: true })),
  },
  enhanceMetadata: { stored: post("/api/enhance/metadata", (_, { pageId }) => ({ contentIds: [pageId], forceRescrape: true })) },
  resumeCrawl: CARRIES_ON,
  ...Object.fromEntries(
    [
      "editCrawl",
      "pauseCrawl",
      "stopCrawl",
      "cancelCrawl",
      "editHost",
      "getJob",
      "cancelJob",
      "getEnhancement",
      "startExport",
      "getExport",
    ].map((name) => [name, ASKS_NOTHING] as const),
  ),
};

/** What each does is in program-calls.mjs, under the same name. */
export const libraryWays: Readonly<Record<string, WithoutWay | Readonly<Record<string, "is called">>>> = {
  ...Object.fromEntries(
    ["crawl", "createCrawler", "fetchPage", "map", "context", "enrich", "enrichEach"].map(
      (name) => [name, { [name]: "is called" }] as const,
    ),
  ),
  ...Object.fromEntries(
    ["PluginError", "SetupError", "StorageError", "StuckError", "changeFeed", "changes", "defineConfig", "definePlugin", "explain"]
      .concat(["exportTo", "extract", "extractWithSources", "pages", "search"])
      .map((name) => [name, ASKS_NOTHING] as const),
  ),
};

const calls = fileURLToPath(new URL("./program-calls.mjs", import.meta.url));
const LANES = 3;

/** One way of one interface, which has hosts of its own. */
interface Attempt<Way> {
  readonly door: string;
  readonly carrier: string;
  readonly whose: string;
  readonly way: Way;
}

function attemptsOf<Way>(all: Readonly<Record<string, WithoutWay | Readonly<Record<string, Way>>>>): Attempt<Way>[] {
  return Object.entries(all).flatMap(([door, ways]) =>
    typeof ways === "string" ? [] : Object.entries(ways).map(([carrier, way]) => ({ door, carrier, whose: label(door, carrier), way })),
  );
}

const label = (...words: readonly string[]) => `whole-${words.join("-")}`.toLowerCase();

/** Each way of each interface, for the three kinds. Ends with a server, which one after the other asks. */
export async function tryInterfaces(folder: Given["folder"]): Promise<Cell[]> {
  const town = await startTown(() => true);
  try {
    return await tryAt(town, folder);
  } finally {
    await town.close();
  }
}

async function tryAt(town: Town, folder: Given["folder"]): Promise<Cell[]> {
  const db = folder.file("interfaces.db");
  const env = {
    ...{ NODE_OPTIONS: `--import=${preload}`, NUTHATCH_RESOLVER: town.resolver, NUTHATCH_SITEMAP: "off", ...SECRETS },
    ...{ NUTHATCH_RATE_LIMIT: "none", NUTHATCH_TIMEOUT: "8s", NUTHATCH_RETRIES: "0" },
  };
  const ask = async ({ args, input }: Command) => {
    const { code, signal, stderr } = await nuthatch([...args, "--db", db], {
      bin,
      env,
      ...(input === undefined ? {} : { input }),
    });
    // Whose every address is closed has codes of its own.
    if (signal !== null || code === null || ![0, 1, 3, 4, 10].includes(code))
      throw new Error(`${args.join(" ")}: ${code ?? signal}: ${stderr}`);
  };
  const ways = { commands: attemptsOf(commandWays), routes: attemptsOf(routeWays), library: attemptsOf(libraryWays) };
  const all = [...ways.commands, ...ways.routes, ...ways.library];
  const urlsOf = ({ whose }: { whose: string }) => kinds.map((kind) => town.url(kind, whose));
  // Known pages, stored while a person could be sure of what they typed; without credentials, which are counted from here on.
  await ask({ args: ["crawl", ...all.flatMap(urlsOf)] });
  for (const one of ways.routes.filter(({ door }) => door === "refreshContext"))
    for (const url of urlsOf(one)) await ask({ args: ["context", url] });
  // What is known of robots.txt would not be asked for again.
  query(db, "DELETE FROM robots RETURNING 1");
  for (const { whose } of all) town.flip(whose);
  const before = new Map(all.map(({ whose }) => [whose, kinds.map((kind) => town.hits(kind, whose))]));

  const left = [...ways.commands];
  const lane = async () => {
    for (let one = left.shift(); one; one = left.shift())
      for (const command of one.way.runs({ urls: urlsOf(one), folder })) await ask(command);
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  const called = JSON.stringify(ways.library.map((one) => [one.carrier, urlsOf(one)]));
  const program = await nuthatch([town.resolver, called], { bin: calls, env });
  if (program.code !== 0) throw new Error(program.stderr);

  const server = await startServer(["--db", db, "--port", "0"], env, bin);
  try {
    for (const one of ways.routes) for (const url of urlsOf(one)) await one.way(server, url, await storedAt(server, url));
  } finally {
    await server.kill("SIGTERM");
  }
  return all.flatMap(({ door, carrier, whose, way }) =>
    kinds.map((kind, at) => ({
      ...{ door, carrier, kind },
      isTyped: isMeant(way, kind),
      hits: town.hits(kind, whose) - before.get(whose)![at]!,
    })),
  );
}

/** A person's URLs are reached and sent credentials, unless their names were public first. A program's own credentials go with its own seeds. */
const isMeant = (way: CommandWay | RouteWay | "is called", kind: Kind): boolean =>
  way === "is called" ? kind === "credentials" : "isTyped" in way && way.isTyped && kind !== "rebinding";

async function storedAt(server: RunningServer, url: string): Promise<Stored> {
  const { body } = await server.ask("GET", `/pages?url=${encodeURIComponent(url)}`);
  const [page] = body.data as readonly { readonly id: number; readonly siteId: number }[];
  if (page === undefined) throw new Error(`${url} is not stored`);
  return { pageId: page.id, siteId: page.siteId };
}
