import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "./measure.ts";

/** What to crawl, and with how much concurrency. */
export interface Task {
  readonly seeds: readonly string[];
  readonly connections: number;
  readonly perHost: number;
  /** Maximum clicks from a seed, for pages with links the server does not have. */
  readonly depth?: number;
  /** Path of the certificate to trust. */
  readonly ca?: string;
}

/** A crawler in the comparison: `run` returns the command for a task. */
export interface Contender {
  readonly name: string;
  /** Name of an earlier contender of the same round, whose data it crawls into: the second visit of a site. */
  readonly after?: string;
  readonly isOurs: boolean;
  /** What it does and stores, for the notes of the table. */
  readonly note: string;
  readonly version: string;
  run(task: Task): Command;
}

export const nuthatchProgram = fileURLToPath(new URL("../bundle/nuthatch.js", import.meta.url));
// This file runs from dist/bench; the peers are not compiled and stay in the source folder.
const root = fileURLToPath(new URL("../../", import.meta.url));
const version = (JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { version: string }).version;

const LEAN = ["--save", "none", "--no-enhance", "--decisions", "off"];

export function nuthatchFlags({ connections, perHost, depth, ca }: Task): string[] {
  return [
    ...`--rate-limit none --auto-slow off --max-pages none --max-concurrent ${connections} --per-host ${perHost}`.split(" "),
    ...(depth === undefined ? [] : ["--max-depth", `${depth}`]),
    ...(ca === undefined ? [] : ["--ca", ca]),
  ];
}

function nuthatch(name: string, flags: readonly string[], more: Pick<Contender, "note" | "after">): Contender {
  return {
    name,
    isOurs: true,
    version: `Nuthatch ${version}`,
    run: (task) => ({
      program: process.execPath,
      args: [nuthatchProgram, "crawl", ...task.seeds, "--db", "bench.db", "--json", "--quiet", ...nuthatchFlags(task), ...flags],
    }),
    ...more,
  };
}

export const lean = nuthatch("Nuthatch, lean", LEAN, { note: "a record of each page and its links, no bodies" });
export const plain = nuthatch("Nuthatch, all but metadata", ["--no-enhance"], {
  note: "bodies, links with their texts, fingerprints and a reason for every URL",
});
export const again = nuthatch("Nuthatch, the second visit", ["--no-enhance"], {
  after: plain.name,
  note: "the same unchanged site once more, answered with 304",
});
export const full = nuthatch("Nuthatch, its defaults", [], {
  note: "bodies, links, fingerprints, reasons, metadata with the source of each value, main text and an index of its words",
});

/** A contender that is not installed, and how to install it. */
interface Missing {
  readonly name: string;
  readonly missing: string;
}
export type Found = Contender | Missing;

export const isThere = (found: Found): found is Contender => "run" in found;
export const isMissing = (found: Found): found is Missing => !isThere(found);

function wget2(name: string, note: string, output: readonly string[]): Found {
  const found = spawnSync("wget2", ["--version"], { encoding: "utf8" });
  if (found.status !== 0) return { name, missing: "wget2 is not installed (Debian: apt-get install wget2)" };
  return {
    name,
    note,
    isOurs: false,
    version: `wget2 ${/GNU Wget2 (\S+)/.exec(found.stdout)?.[1] ?? ""}`,
    run: ({ seeds, connections, depth, ca }) => ({
      program: "wget2",
      args: [
        ...["--no-config", "-q", "-r", "-l", `${depth ?? "inf"}`, "--no-robots", "--compression=gzip", "--tries=1"],
        ...[`--max-threads=${Math.min(connections, MOST_THREADS)}`, ...(ca === undefined ? [] : [`--ca-certificate=${ca}`])],
        ...output,
        ...seeds.map((seed) => `${seed}/`),
      ],
    }),
  };
}

/** More threads make it slower on two cores. */
const MOST_THREADS = 16;

function httrack(): Found {
  const name = "httrack, 8 connections";
  const found = spawnSync("httrack", ["--version"], { encoding: "utf8" });
  if (found.status !== 0) return { name, missing: "httrack is not installed (Debian: apt-get install httrack)" };
  const flags = "-O . -q -s0 -c8 -A0 -%c0 --disable-security-limits -I0 -C0 -r99".split(" ");
  return {
    name,
    note: "pages kept as files with their links rewritten",
    isOurs: false,
    version: `httrack ${/version (\d[\w.-]*)/.exec(found.stdout)?.[1] ?? ""}`,
    run: ({ seeds }) => ({ program: "httrack", args: [...seeds.map((seed) => `${seed}/`), ...flags] }),
  };
}

const HELPED = "; a set in front of its queue spares the queue what was seen";

function crawlee(kind: string, name: string, more: string): Found {
  const manifest = `${root}bench/peers/node_modules/@crawlee/basic/package.json`;
  if (!existsSync(manifest)) return { name, missing: "Crawlee is not installed (npm ci --prefix bench/peers)" };
  const { version: release } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return {
    name,
    note: `a record of each page and its links in a file, no bodies; its storage in memory${more}`,
    isOurs: false,
    version: `Crawlee ${release}`,
    run: ({ seeds, connections, perHost, depth, ca }) => ({
      program: process.execPath,
      args: [
        ...[`${root}bench/peers/crawlee.mjs`, kind, ...seeds, "--connections", `${connections}`, "--per-host", `${perHost}`],
        ...(depth === undefined ? [] : ["--depth", `${depth}`]),
      ],
      // Its HTTP client sends IP addresses as TLS server names, and Node prints a warning for that.
      ...(ca !== undefined && { env: { NODE_EXTRA_CA_CERTS: ca, NODE_NO_WARNINGS: "1" } }),
    }),
  };
}

function scrapy(): Found {
  const name = "Scrapy";
  const found = spawnSync("scrapy", ["version"], { encoding: "utf8" });
  if (found.status !== 0) return { name, missing: "Scrapy is not installed (Debian: apt-get install python3-scrapy)" };
  return {
    name,
    note: "a record of each page and its links in a file, no bodies; its queue in memory",
    isOurs: false,
    version: found.stdout.trim(),
    run: ({ seeds, connections, perHost, depth }) => ({
      program: "scrapy",
      args: [
        ...[
          "runspider",
          `${root}bench/peers/scrapy_spider.py`,
          "-a",
          `seeds=${seeds.join(",")}`,
          "-s",
          `DEPTH_LIMIT=${depth ?? 0}`,
          "--loglevel",
          "ERROR",
        ],
        ...["-s", `CONCURRENT_REQUESTS=${connections}`, "-s", `CONCURRENT_REQUESTS_PER_DOMAIN=${perHost}`],
      ],
    }),
  };
}

const crawleeBasic = () => crawlee("basic", "Crawlee BasicCrawler + undici + htmlparser2", HELPED);
const crawleeCheerio = () => crawlee("cheerio", "Crawlee CheerioCrawler", HELPED);
const wget2s = () => [
  wget2("wget2, nothing kept", "finds links, but leaves no record of a page", ["-O", "/dev/null"]),
  wget2("wget2", "pages kept as files, which are its records", []),
];

export const peersOnRealPages = (): Found[] => [crawleeBasic(), crawleeCheerio(), scrapy(), ...wget2s()];

export const peersOnSmallPages = (): Found[] => [
  ...wget2s(),
  httrack(),
  crawleeBasic(),
  crawlee("http", "Crawlee HttpCrawler + htmlparser2", HELPED),
  crawleeCheerio(),
  crawlee("enqueue", "Crawlee CheerioCrawler + enqueueLinks", "; as its guide shows it"),
  scrapy(),
];
