import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "./measure.ts";

/** Somebody who crawls: `run` gives the command for these seeds, `shown` how a person would type it. */
export interface Contender {
  readonly name: string;
  /** Crawls once more into what an earlier one in the same round left: the second visit of a site. */
  readonly after?: string;
  readonly isOurs: boolean;
  /** Said of it in the table's notes. */
  readonly note?: string;
  readonly version: string;
  run(seeds: readonly string[]): Command;
  readonly shown: string;
}

const nuthatchProgram = fileURLToPath(new URL("../bundle/nuthatch.js", import.meta.url));
// From dist/bench: the peers are not compiled and stay where they are installed.
const root = fileURLToPath(new URL("../../", import.meta.url));
const version = (JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string }).version;

const LEAN = ["--save", "none", "--no-enhance", "--decisions", "off"];
const unpaced = (connections: number, perHost: number) =>
  `--rate-limit none --auto-slow off --max-pages none --max-concurrent ${connections} --per-host ${perHost}`.split(" ");

function nuthatch(name: string, flags: readonly string[], more: Partial<Contender> = {}): Contender {
  return {
    name,
    isOurs: true,
    version: `Nuthatch ${version}`,
    run: (seeds) => ({
      program: process.execPath,
      args: [nuthatchProgram, "crawl", ...seeds, "--db", "bench.db", "--json", "--quiet", ...flags],
    }),
    shown: `nuthatch crawl <site> ${flags.join(" ")}`,
    ...more,
  };
}

export const lean = (connections = 64, perHost = connections) =>
  nuthatch("Nuthatch, lean", [...unpaced(connections, perHost), ...LEAN], { note: "a record and its links a page, no bodies" });
export const plain = nuthatch("Nuthatch, all but metadata", [...unpaced(64, 64), "--no-enhance"], {
  note: "bodies, text, link context, fingerprints and a reason for every URL kept",
});
export const again = nuthatch("Nuthatch, the second visit", [...unpaced(64, 64), "--no-enhance"], {
  after: plain.name,
  note: "of the same unchanged site, answered with 304, all but metadata",
});
export const full = nuthatch("Nuthatch, its defaults", unpaced(64, 64), {
  note: "and metadata of every page, with where each value came from",
});

function wget2(name: string, note: string, output: readonly string[]): Contender[] {
  const found = spawnSync("wget2", ["--version"], { encoding: "utf8" });
  if (found.status !== 0) return [];
  const flags = ["--no-config", "-q", "-r", "-l", "inf", "--no-robots", "--max-threads=8", ...output];
  const release = /GNU Wget2 (\S+)/.exec(found.stdout)?.[1] ?? "";
  return [
    {
      name,
      note,
      isOurs: false,
      version: `wget2 ${release}`,
      run: ([seed = ""]) => ({ program: "wget2", args: [...flags, `${seed}/`] }),
      shown: `wget2 ${flags.join(" ")} <site>`,
    },
  ];
}

function httrack(): Contender[] {
  const found = spawnSync("httrack", ["--version"], { encoding: "utf8" });
  if (found.status !== 0) return [];
  const flags = "-O . -q -s0 -c8 -A0 -%c0 --disable-security-limits -I0 -C0 -r99".split(" ");
  return [
    {
      name: "httrack, 8 connections",
      note: "pages kept as files with their links rewritten",
      isOurs: false,
      version: `httrack ${/version (\d[\w.-]*)/.exec(found.stdout)?.[1] ?? ""}`,
      run: ([seed = ""]) => ({ program: "httrack", args: [`${seed}/`, ...flags] }),
      shown: `httrack <site> ${flags.join(" ")}`,
    },
  ];
}

const HELPED = "; a set of its user's own spares its queue what it has seen";

function crawlee(kind: string, name: string, more: string): Contender[] {
  const manifest = `${root}bench/peers/node_modules/@crawlee/basic/package.json`;
  if (!existsSync(manifest)) return [];
  const { version: release } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return [
    {
      name,
      note: `storage in memory, 64 at a time; records in a file${more}`,
      isOurs: false,
      version: `Crawlee ${release}`,
      run: ([seed = ""]) => ({ program: process.execPath, args: [`${root}bench/peers/crawlee.mjs`, kind, seed] }),
      shown: `node bench/peers/crawlee.mjs ${kind} <site>`,
    },
  ];
}

/** Those that are installed here. */
export const peers: readonly Contender[] = [
  ...wget2("wget2, 8 threads, nothing kept", "finds links, but leaves no record of a page", ["-O", "/dev/null"]),
  ...wget2("wget2, 8 threads", "pages kept as files, which are its records", []),
  ...httrack(),
  ...crawlee("basic", "Crawlee BasicCrawler + undici + htmlparser2", HELPED),
  ...crawlee("http", "Crawlee HttpCrawler + htmlparser2", HELPED),
  ...crawlee("cheerio", "Crawlee CheerioCrawler", HELPED),
  ...crawlee("enqueue", "Crawlee CheerioCrawler + enqueueLinks", "; as its guide shows it"),
];
