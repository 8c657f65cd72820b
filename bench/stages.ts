// Where the CPU time of a page goes, for Nuthatch with its defaults on real pages, measured in two ways: by switching parts off and taking
// the difference, and by CPU profiles of each of its threads.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { full, type Task } from "./contenders.ts";
import { type Command, type Measured, measure, median } from "./measure.ts";
import { busyNote, machine, markdownTable, recordLast } from "./report.ts";
import { type OpenSite, openReal, type Wish } from "./scenarios.ts";

interface Stages {
  readonly wish: Wish;
  readonly rounds: number;
  readonly isWritten: boolean;
}

interface Variant {
  readonly name: string;
  readonly flags?: readonly string[];
  readonly hasTls?: boolean;
  readonly coding?: "identity";
}

const variants: readonly Variant[] = [
  { name: "its defaults" },
  { name: "plain HTTP instead of TLS", hasTls: false },
  { name: "uncompressed instead of gzip", coding: "identity" },
  { name: "bodies not kept (`--save none`)", flags: ["--save", "none"] },
  { name: "without metadata, text and words (`--no-enhance`)", flags: ["--no-enhance"] },
  { name: "without both", flags: ["--save", "none", "--no-enhance"] },
  { name: "lean (`--save none --no-enhance --decisions off`)", flags: "--save none --no-enhance --decisions off".split(" ") },
];

/** The unbundled program, because a profile then shows the module of each function. */
const unbundled = fileURLToPath(new URL("../src/interfaces/cli/main.js", import.meta.url));

export async function measureStages({ wish, rounds, isWritten }: Stages): Promise<void> {
  const load = loadavg()[0]!;
  const measured = new Map<string, Measured[]>();
  let about = "";
  for (let round = 1; round <= rounds; round++)
    for (const variant of variants) {
      const one = await withSite(variant, wish, (site) => {
        if (variant.name === variants[0]!.name) about = `${site.pages.toLocaleString("en")} pages: ${site.about}`;
        return runOnce(site, withFlags(site.task, variant.flags ?? []));
      });
      measured.set(variant.name, [...(measured.get(variant.name) ?? []), one]);
      process.stderr.write(
        `  round ${round}  ${variant.name}: ${one.cpuMs.toFixed(2)} CPU ms a page${one.problem && `: ${one.problem}`}\n`,
      );
    }
  const defaults = median(measured.get(variants[0]!.name)!).cpuMs;
  const differences = variants.map(({ name }) => {
    const { cpuMs } = median(measured.get(name)!);
    return [name, cpuMs.toFixed(2), name === variants[0]!.name ? "" : (defaults - cpuMs).toFixed(2)];
  });
  const byDifference = markdownTable(["", "CPU ms a page", "less than the defaults"], differences);
  const byProfile = await withSite({ name: "profile" }, wish, (site) => profileOnce(site, defaults));
  process.stdout.write(`\n${about}\n\n${byDifference}\n\n${byProfile}\n`);
  if (isWritten)
    recordLast(`## Where the time of a page goes

Nuthatch with its defaults, ${about}, one host, 16 connections. First by switching parts off. What one part takes is not always its own: bodies that are not kept are not
compressed and not written either, and uncompressed pages have more bytes to decrypt.

${byDifference}

Then by the CPU profiles of all threads that run JavaScript. A sample belongs to the innermost module of the stack that has a stage; native code outside any JavaScript counts as connections
on the first thread, where sockets and TLS live. What the process took beyond these threads is that of Node's helpers: its pool (zlib), garbage collection and
compilation. Profiling slows the process; the shares are applied to what a page takes without it.

${byProfile}

Measured on ${new Date().toISOString().slice(0, 10)}, ${rounds === 1 ? "one round" : `medians of ${rounds} rounds`}, with \`npm run bench -- --stages --write\`: ${machine()}.${busyNote(load)}
`);
}

async function withSite<T>({ hasTls = true, coding }: Variant, wish: Wish, use: (site: OpenSite) => Promise<T>): Promise<T> {
  const site = await openReal(
    { hosts: 1, connections: 16, perHost: 16, folders: ["a"], hasTls },
    { ...wish, coding: coding ?? wish.coding },
  );
  try {
    return await use(site);
  } finally {
    await site.close();
  }
}

function withFlags(task: Task, flags: readonly string[]): Command {
  const { program, args } = full.run(task);
  return { program, args: [...args, ...flags] };
}

async function runOnce(site: OpenSite, command: Command, folder = mkdtempSync(join(tmpdir(), "nuthatch-bench-"))): Promise<Measured> {
  try {
    const { problem, ...one } = await measure(command, { server: site, pages: site.pages, folder });
    // One of the variants turns compression off on purpose.
    return { ...one, problem: problem.replace(/;? ?got [\d,]+ pages uncompressed/, "") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function profileOnce(site: OpenSite, cpuMs: number): Promise<string> {
  const profiles = mkdtempSync(join(tmpdir(), "nuthatch-profiles-"));
  mkdirSync(profiles, { recursive: true });
  const { program, args } = full.run(site.task);
  const one = await runOnce(site, { program, args: ["--cpu-prof", "--cpu-prof-dir", profiles, unbundled, ...args.slice(1)] });
  const files = readdirSync(profiles).map((name) => ({ name, profile: JSON.parse(readFileSync(join(profiles, name), "utf8")) as Profile }));
  rmSync(profiles, { recursive: true });
  const total = new Map<string, number>();
  // CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile: the first thread is 0.
  for (const { name, profile } of files)
    for (const [stage, ms] of timesIn(profile, { isFirst: name.split(".")[4] === "0" })) total.set(stage, (total.get(stage) ?? 0) + ms);
  const inProfiles = [...total.values()].reduce((sum, ms) => sum + ms, 0);
  const whole = one.cpuMs * one.pages;
  total.set("Node's helpers: its pool, collecting garbage, compiling", Math.max(0, whole - inProfiles));
  const sum = Math.max(whole, inProfiles);
  const rows = [...stages, "Node's helpers: its pool, collecting garbage, compiling"].map((stage) => {
    const share = (total.get(stage) ?? 0) / sum;
    return [stage, (share * cpuMs).toFixed(2), `${(share * 100).toFixed(1)} %`];
  });
  return markdownTable(["", "CPU ms a page", "share"], rows);
}

/** Assigns the samples of a V8 CPU profile to the stages of a page. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const CONNECTION = "connections, TLS, HTTP";
const DECOMPRESS = "decompression";
const PARSE = "charset, parsing, links";
const METADATA = "metadata";
const TEXT = "main text, Markdown, words";
const COMPRESS = "compressing what is kept";
const STORE = "settling, index of words, SQLite";
const FRONTIER = "admission, frontier, URLs, robots.txt";
const COMPARE = "fingerprints";
const GARBAGE = "collecting garbage on these threads";
const OTHER = "other: start, threads talking to each other";

const stages: readonly string[] = [...[CONNECTION, DECOMPRESS, PARSE, METADATA, TEXT, COMPRESS, COMPARE, STORE, FRONTIER, GARBAGE, OTHER]];

/** The first match decides. Modules used by several stages are not listed: their caller decides. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\/src\/fetch\/(decoder|codings|body|decompress)/, DECOMPRESS],
  [/\/src\/fetch\/|\/undici\/|^node:(_tls|tls|net|_http|http|https|internal\/(tls|net|js_stream|stream_base))/, CONNECTION],
  [/\/src\/crawl\/pack|\/src\/store\/sqlite\/bodies/, COMPRESS],
  [
    /\/src\/extract\/(text\/|main-text|element-text)|\/src\/parse\/(markdown|block-text|main-part|render)|\/src\/search\/|\/src\/crawl\/read-words/,
    TEXT,
  ],
  [/\/src\/extract\/|\/src\/crawl\/read-(metadata|extractor)/, METADATA],
  [/\/src\/dedupe\//, COMPARE],
  [/\/src\/parse\/|\/htmlparser2\/|\/iconv-lite\//, PARSE],
  [/\/src\/(store|operations|enhance)\/|sqlite|\/src\/crawl\/(settler|recording|news|link-table|link-set|link-document|kept-links)/, STORE],
  [/\/src\/(frontier|url|robots)\/|\/src\/crawl\/(admission|gate|placing|mention|guards|sources|strays|consequences)/, FRONTIER],
];

/** Milliseconds of each stage; idle time is left out. */
function timesIn(profile: Profile, { isFirst }: { isFirst: boolean }): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, string | undefined>();
  const stageOf = (id: number): string | undefined => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id);
  };
  function find(id: number): string | undefined {
    const { functionName, url } = nodes.get(id)!.callFrame;
    if (functionName === "(idle)") return undefined;
    if (functionName === "(garbage collector)") return GARBAGE;
    if (functionName === "(program)") return isFirst ? CONNECTION : OTHER;
    const named = rules.find(([pattern]) => pattern.test(url))?.[1];
    if (named) return named;
    const parent = parents.get(id);
    const above = parent === undefined ? OTHER : (stageOf(parent) ?? OTHER);
    // Callbacks from zlib's thread pool have no caller.
    return above === OTHER && url === "node:zlib" ? DECOMPRESS : above;
  }
  const times = new Map<string, number>();
  for (const [at, id] of profile.samples.entries()) {
    const stage = stageOf(id);
    // The time until the next sample belongs to this one.
    if (stage !== undefined) times.set(stage, (times.get(stage) ?? 0) + (profile.timeDeltas[at + 1] ?? 0) / 1000);
  }
  return times;
}
