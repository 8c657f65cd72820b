/**
 * Every way a run can begin, every process that can carry it on, and what may come of it: a connection to a private name, to a name that was public first,
 * or credentials of whoever carries it on. Only what a person typed may be reached, or be sent any.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type NamedBy, opensPrivate } from "../../src/core/seed.ts";
import { type RunningServer, startServer } from "../api-server.ts";
import { type Started, start } from "../cli.ts";
import { type Kind, kinds, startTown, type Town } from "./town.ts";

/** Not bundled, so that what counts as public can be changed from outside. */
export const bin = fileURLToPath(new URL("../../dist/src/interfaces/cli/main.js", import.meta.url));
const program = fileURLToPath(new URL("./program.mjs", import.meta.url));
export const preload = new URL("./public-loopback.mjs", import.meta.url).href;
const LEASE = 2000;
const LANES = 3;
export const SECRETS = { NUTHATCH_HEADER: "X-Secret: canary", NUTHATCH_AUTH: "alice:canary" };

/** Where a matrix is tried. */
export interface Ground {
  /** A new data file or database. */
  db(): string;
  /** Asks a database that is open elsewhere. */
  ask(db: string, sql: string): Record<string, unknown>[];
  readonly folder: { file(name: string): string; readonly path: string };
}

interface Place {
  readonly db: string;
  readonly urls: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ground: Ground;
}

type Begun = Pick<Started, "ended"> & { kill(): Promise<void> };

interface Door {
  readonly namedBy: NamedBy | "plugin";
  /** Whether the same way again is a person typing. */
  readonly isTypedAgain?: boolean;
  /** Whether it gives credentials itself, in the same call as its seeds. */
  readonly givesOwn?: boolean;
  begin(place: Place): Promise<Begun>;
}

/** What is still running when something goes wrong is ended. */
const running = new Set<() => Promise<void>>();

function begun(started: Started): Begun {
  const kill = async () => {
    started.kill("SIGKILL");
    await started.ended;
  };
  running.add(kill);
  void started.ended.then(() => running.delete(kill));
  return { ended: started.ended, kill };
}

/** The CLI, until it ends or is killed. */
const cli = ({ db, env }: Place, args: readonly string[], input?: string): Begun =>
  begun(start([...args, "--db", db, "-q"], { bin, env: { ...env }, ...(input === undefined ? {} : { input }) }));

const typed = async (place: Place) => cli(place, ["crawl", ...place.urls]);

function library(how: "seeds" | "plugin") {
  return async ({ db, urls, env }: Place): Promise<Begun> => begun(start([db, how, ...urls], { bin: program, env: { ...env } }));
}

/** The crawling process of a server is its child. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

async function killServer(server: RunningServer): Promise<void> {
  const children = childrenOf(server.child.pid!);
  await server.kill("SIGKILL");
  for (const pid of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

async function serverAt({ db, env }: Pick<Place, "db" | "env">): Promise<RunningServer> {
  const server = await startServer(["--db", db, "--port", "0"], { ...env }, bin);
  const kill = () => killServer(server);
  running.add(kill);
  server.child.once("exit", () => running.delete(kill));
  return server;
}

async function overTheApi(place: Place): Promise<Begun> {
  const server = await serverAt(place);
  const { status, body } = await server.ask("POST", "/crawls", { urls: place.urls });
  // A server takes up by itself what the one before had begun.
  const runId = status === 202 ? body.id : body.crawlId;
  if (runId === undefined) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const ended = untilOver(server, runId).then(async () => {
    await server.kill("SIGTERM");
    return { code: 0, signal: null, stdout: "", stderr: server.said() };
  });
  ended.catch(() => undefined);
  return { ended, kill: () => killServer(server) };
}

async function untilOver(server: RunningServer, id: number): Promise<void> {
  for (;;) {
    const { body } = await server.ask("GET", `/crawls/${id}`);
    if (body.status !== "running") return;
    await sleep(100);
  }
}

/** Every way a run can begin. Whoever can name a seed has one at least, or this does not compile. */
export const doors: { readonly [name in NamedBy | "plugin"]: readonly (Door & { readonly name: string })[] } = {
  person: [
    { name: "typed", namedBy: "person", isTypedAgain: true, begin: typed },
    {
      name: "config-file",
      namedBy: "person",
      isTypedAgain: true,
      begin: async (place) => {
        const file = place.ground.folder.file(`${new URL(place.urls[0]!).hostname}.json`);
        writeFileSync(file, JSON.stringify({ sites: place.urls.map((url) => ({ url })) }));
        return cli(place, ["crawl", "--config", file]);
      },
    },
  ],
  list: [
    { name: "standard-input", namedBy: "list", begin: async (place) => cli(place, ["crawl", "-"], place.urls.join("\n")) },
    {
      name: "seed-file",
      namedBy: "list",
      begin: async (place) => {
        const file = place.ground.folder.file(`${new URL(place.urls[0]!).hostname}.txt`);
        writeFileSync(file, place.urls.join("\n"));
        return cli(place, ["crawl", "--seeds", file]);
      },
    },
  ],
  api: [{ name: "api", namedBy: "api", begin: overTheApi }],
  library: [{ name: "library", namedBy: "library", givesOwn: true, begin: library("seeds") }],
  plugin: [{ name: "plugin", namedBy: "plugin", begin: library("plugin") }],
  // A run of a data file that is older than the list of who can name what.
  unknown: [{ name: "older-file", namedBy: "unknown", isTypedAgain: true, begin: typed }],
  // Stored pages are asked for again by `refetch` below, for every door.
  page: [],
};

interface Carrier {
  readonly name: string;
  /** Whether the run is killed while it is under way, or ends before this begins. */
  readonly isKilled: boolean;
  /** Whether a typed seed is still what a person typed, for whoever carries on. */
  readonly keepsTyped: boolean;
  carryOn(place: Place, door: Door, runId: number): Promise<void>;
}

const must = async (some: Begun | Promise<Begun>): Promise<void> => {
  const { code, signal, stderr } = await (await some).ended;
  // A run whose seeds are all closed has codes of its own.
  if (signal !== null || code === null || ![0, 3, 4, 10].includes(code)) throw new Error(`${code ?? signal}: ${stderr.slice(-1000)}`);
};

/** Every process that can carry a run on. */
export const carriers: readonly Carrier[] = [
  {
    name: "the same way again",
    isKilled: true,
    keepsTyped: true,
    carryOn: async (place, door) => must(door.begin({ ...place, env: { ...place.env } })),
  },
  { name: "resume", isKilled: true, keepsTyped: true, carryOn: async (place, _, runId) => must(cli(place, ["resume", String(runId)])) },
  {
    name: "server",
    isKilled: true,
    keepsTyped: true,
    carryOn: async (place, _, runId) => {
      const server = await serverAt(place);
      // One that began over the API it takes up by itself.
      await server.ask("POST", `/crawls/${runId}/resume`);
      await untilOver(server, runId);
      await server.kill("SIGTERM");
    },
  },
  { name: "worker", isKilled: true, keepsTyped: true, carryOn: async (place) => must(cli(place, ["worker", "--drain"])) },
  {
    name: "refetch",
    isKilled: false,
    keepsTyped: false,
    carryOn: async (place) => must(cli(place, ["enrich", "--reset", "--missing", "--force", "--delay", "0"])),
  },
];

export interface Cell {
  readonly door: string;
  readonly carrier: string;
  readonly kind: Kind;
  /** Whether a person typed it, so that it may be reached, or sent credentials; or a program gave these with its own seeds. */
  readonly isTyped: boolean;
  readonly hits: number;
}

const isOpenFrom = (whose: string) => whose.startsWith("whole-");

/** One row for each door, carrier and kind. */
export async function tryAll(ground: Ground, isWanted: (door: string, carrier: string) => boolean = () => true): Promise<Cell[]> {
  const town = await startTown(isOpenFrom);
  const pairs = carriers.flatMap((carrier) => Object.values(doors).flatMap((some) => some.map((door) => ({ door, carrier }))));
  const left = pairs.filter(({ door, carrier }) => isWanted(door.name, carrier.name));
  const cells: Cell[] = [];
  const lane = async () => {
    for (let pair = left.shift(); pair; pair = left.shift()) cells.push(...(await tryOne(town, pair.door, pair.carrier, ground)));
  };
  try {
    // Most of it is waiting.
    await Promise.all(Array.from({ length: LANES }, lane));
    return cells;
  } finally {
    for (const kill of [...running]) await kill();
    await town.close();
  }
}

async function tryOne(town: Town, door: Door & { name: string }, carrier: Carrier, ground: Ground): Promise<Cell[]> {
  const db = ground.db();
  const whose = `${carrier.isKilled ? "killed" : "whole"}-${door.name}-${carrier.name.replaceAll(" ", "-")}`;
  const urls = kinds.map((kind) => town.url(kind, whose));
  const env = {
    NODE_OPTIONS: `--import=${preload}`,
    NUTHATCH_RESOLVER: town.resolver,
    NUTHATCH_LEASE: `${LEASE}ms`,
    ...{ NUTHATCH_RATE_LIMIT: "none", NUTHATCH_TIMEOUT: "8s", NUTHATCH_RETRIES: "0", NUTHATCH_SITEMAP: "off" },
  };
  const first = await door.begin({ db, urls, env, ground });
  if (carrier.isKilled) {
    await Promise.race([town.untilAsked(whose), first.ended.then(({ stderr }) => Promise.reject(new Error(`${whose} ended: ${stderr}`)))]);
    await first.kill();
  } else await first.ended;
  const before = kinds.map((kind) => town.hits(kind, whose));
  town.flip(whose);
  // What one process has heard of names counts for another for a minute.
  if (db.startsWith("postgres")) {
    ground.ask(db, "DELETE FROM known_name");
    await sleep(LEASE + 500);
  }
  const [run] = ground.ask(db, "SELECT max(id) AS id FROM run");
  if (door.namedBy === "unknown") ground.ask(db, "UPDATE run_seed SET named_by = 'unknown' RETURNING 1");
  await carrier.carryOn({ db, urls, env: { ...env, ...SECRETS }, ground }, door, Number(run!.id));
  const isAgain = carrier.name === "the same way again";
  const again = isAgain && door.isTypedAgain === true;
  const isPerson = door.namedBy !== "plugin" && opensPrivate[door.namedBy];
  const isTyped = carrier.keepsTyped && (isPerson || again);
  return kinds.map((kind, at) => ({
    ...{ door: door.name, carrier: carrier.name, kind },
    isTyped: (isTyped && kind !== "rebinding") || (isAgain && door.givesOwn === true && kind === "credentials"),
    hits: town.hits(kind, whose) - before[at]!,
  }));
}

/** As a table, for people. */
export function tableOf(cells: readonly Cell[]): string {
  const rows = [...new Set(cells.map(({ door }) => door))];
  const columns = [...new Set(cells.map(({ carrier }) => carrier))];
  const shown = (door: string, carrier: string) =>
    kinds.map((kind) => cells.find((cell) => cell.door === door && cell.carrier === carrier && cell.kind === kind)?.hits ?? "-").join("/");
  const line = (words: readonly string[]) =>
    words
      .map((word) => word.padEnd(20))
      .join("")
      .trimEnd();
  return [
    line([kinds.map((kind) => kind.slice(0, 4)).join("/"), ...columns]),
    ...rows.map((door) => line([door, ...columns.map((one) => shown(door, one))])),
  ].join("\n");
}
