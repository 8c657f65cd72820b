// Results, stored as data in docs/benchmarks.json and rendered in docs/benchmarks.md with a plot.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import type { Measured } from "./measure.ts";
import { titles } from "./scenarios.ts";

const WIDTH = 800;
const NAMES = 320;
const BAR = 18;
const STEP = 28;
const TOP = 46;
const PANEL_GAP = 30;
const VALUE = 52;
const PANEL = (WIDTH - NAMES - PANEL_GAP) / 2;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * Two bar charts: pages per second (long is good) and CPU per page (short is good). Our bars are coloured; readable on light and dark
 * pages.
 */
export function plotOf({ rows: all, title }: Pick<Result, "rows" | "title">): string {
  const rows = all.filter(isMeasured);
  const height = TOP + rows.length * STEP + 12;
  const fast = bars(rows, { x: NAMES, read: (row) => row.pagesPerSecond, label: (value) => Math.round(value).toLocaleString("en") });
  const dear = bars(rows, { x: NAMES + PANEL + PANEL_GAP, read: (row) => row.cpuMs, label: (value) => value.toFixed(2) });
  const names = rows.map((row, index) => `<text x="${NAMES - 10}" y="${lineOf(index)}" text-anchor="end">${escaped(row.name)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.head { font-weight: 600 }
.back { fill: #fff }
.ours { fill: #b4541a }
.other { fill: #8a97a6 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .back { fill: #0d1117 } .ours { fill: #f0883e } }
</style>
<rect class="back" width="${WIDTH}" height="${height}"/>
<text class="head" x="${NAMES}" y="22">pages per second</text>
<text class="head" x="${NAMES + PANEL + PANEL_GAP}" y="22">CPU ms a page</text>
${[...names, ...fast, ...dear].join("\n")}
</svg>
`;
}

/** Baseline of text centred on its bar. */
const lineOf = (index: number) => TOP + index * STEP + BAR / 2 + 4.5;

interface Panel {
  readonly x: number;
  readonly read: (row: Row) => number;
  readonly label: (value: number) => string;
}

function bars(rows: readonly Row[], { x, read, label }: Panel): string[] {
  const most = Math.max(...rows.map(read));
  return rows.flatMap((row, index) => {
    const length = Math.max(1, (read(row) / most) * (PANEL - VALUE));
    const y = TOP + index * STEP;
    return [
      `<rect class="${row.isOurs ? "ours" : "other"}" x="${x}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text x="${(x + length + 6).toFixed(1)}" y="${lineOf(index)}">${label(read(row))}</text>`,
    ];
  });
}

export interface Row extends Measured {
  readonly name: string;
  readonly note: string;
  readonly isOurs: boolean;
  readonly version: string;
  readonly command: string;
}

export interface Result {
  readonly title: string;
  readonly plan: string;
  /** Description of server and pages. */
  readonly about: string;
  readonly rounds: number;
  /** Load average of the machine before the run; shows whether it was idle. */
  readonly load: number;
  readonly at: string;
  readonly rows: readonly Row[];
  /** Contenders that are not installed, with the reason. */
  readonly missing: readonly string[];
}

interface Kept extends Result {
  readonly machine: string;
}

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const count = (value: number) => Math.round(value).toLocaleString("en");

/** Typical price of a rented core, in dollars per hour. */
const CORE_HOUR = 0.04;
const HOUR_MS = 3_600_000;
/** False if the program failed and has no figures; they are null in the file. */
const isMeasured = ({ pagesPerSecond, cpuMs }: Row): boolean => Number.isFinite(pagesPerSecond) && Number.isFinite(cpuMs);

const priceOfMillion = (cpuMs: number): string => ((cpuMs * 1e6 * CORE_HOUR) / HOUR_MS).toFixed(3);

export const markdownTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map((_, at) => (at === 0 ? "---" : "--:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

export function tableOf({ rows }: Pick<Result, "rows">): string {
  const hasConnections = rows.some(({ connections }) => connections > 0);
  const cells = rows.map((row) => [
    row.problem === "" ? row.name : `${row.name} (!)`,
    count(row.pages),
    isMeasured(row) ? count(row.pagesPerSecond) : "–",
    isMeasured(row) ? row.cpuMs.toFixed(2) : "–",
    count(row.peakRssMb),
    isMeasured(row) ? priceOfMillion(row.cpuMs) : "–",
    row.isOnce ? "yes" : "no",
    count(row.diskMb),
    ...(hasConnections ? [count(row.connections)] : []),
    row.serverMs.toFixed(2),
  ]);
  const header = ["", "pages", "pages/s", "CPU ms a page", "peak RSS MB", "$ a million pages", "each page once", "MB on disk"];
  const table = markdownTable([...header, ...(hasConnections ? ["connections"] : []), "server CPU ms a page"], cells);
  const problems = rows.filter(({ problem }) => problem !== "").map(({ name, problem }) => `(!) ${name}: ${problem}.`);
  return [table, ...(problems.length > 0 ? ["", problems.join("  \n")] : [])].join("\n");
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${count(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, Node ${process.versions.node}`;

/** Note for results measured on a busy machine. */
export const busyNote = (load: number): string =>
  load > 0.5 ? ` The machine was busy with other work (load ${load.toFixed(1)}): take these for a sketch.` : "";

/** Replaces the earlier result with the same title. */
export function record(result: Result): void {
  const file = `${docs}benchmarks.json`;
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept[]) : [];
  const others = before.filter(({ title }) => title !== result.title);
  const kept: Kept[] = [...others, { ...result, machine: machine() }].sort((a, b) => titles.indexOf(a.title) - titles.indexOf(b.title));
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(`${docs}benchmarks.svg`, plotOf(kept[0]!));
  write(`${intro}\n${kept.map(section).join("\n")}`, pageParts().last);
}

/** Sections written by other benchmarks, in their order at the end of the page. */
const LAST = [
  "## Where the time of a page goes",
  "## A million known URLs",
  "## Ten thousand hosts",
  "## Several workers",
  "## Pages in a browser",
];

export function recordLast(section: string): void {
  const { first, last } = pageParts();
  const rankOf = (text: string) => LAST.findIndex((heading) => text.startsWith(heading));
  const others = last.split(/^(?=## )/m).filter((other) => other !== "" && rankOf(other) !== rankOf(section));
  const sections = [...others, section].sort((a, b) => rankOf(a) - rankOf(b));
  write(first, `${sections.map((text) => text.trim()).join("\n\n")}\n`);
}

function pageParts(): { readonly first: string; readonly last: string } {
  const page = `${docs}benchmarks.md`;
  const text = existsSync(page) ? readFileSync(page, "utf8") : "";
  const places = LAST.map((heading) => text.indexOf(heading)).filter((at) => at >= 0);
  const at = places.length === 0 ? -1 : Math.min(...places);
  return at < 0 ? { first: text, last: "" } : { first: text.slice(0, at), last: text.slice(at) };
}

const write = (first: string, last: string) => writeFileSync(`${docs}benchmarks.md`, last === "" ? first : `${first.trimEnd()}\n\n${last}`);

const intro = `# Benchmarks

Made by \`bench/\`; do not edit by hand. The first tables measure what people crawl: pages saved from public sites, of 144 KB on average, compressed, over
TLS, from a server that the web uses. The tables of small pages (17 KB, plain HTTP, uncompressed) come second: they show the cost of the crawler's own
bookkeeping, and little else.

![Pages per second and CPU ms a page](benchmarks.svg)

## What is like the web here, and what is not

| like the web | not like the web |
| --- | --- |
| the pages: saved from hundreds of public sites, with their scripts, inline data, deep trees and odd charsets | each page is served under made-up addresses, and lies one or two clicks from the first page |
| TLS 1.3, a full handshake for every connection, certificates that are checked (Crawlee's got-scraping and Scrapy do not check) | one self-made certificate and no chain; no HTTP/2 |
| gzip at the level servers use; nginx, one worker process | compressed beforehand, so that the server takes little of the machine |
| in the second table 200 hosts, a connection to each | hosts are addresses: no name is resolved, no robots.txt is there, and nothing fails |
|  | loopback: no latency, no loss, no slow hosts |
|  | no politeness: as fast as it goes, which nobody should do to a site of others |
|  | crawler and server share one machine and its cores; what the server spends is in the last column |

Whoever crawls the web politely is bounded by the hosts, not by these figures. What they say is what a page costs: how many a machine can take, and what that
comes to. The price is that of the CPU time alone, at $${CORE_HOUR} for an hour of a rented core. Disk, traffic and idle cores are not in it.

## How it is measured

Everybody is run in turn, round after round, and the middle figure is given. CPU is that of the whole process with its threads and children, user and
system, from start to end; so is the time. Pages, and whether each was fetched once, are counted in the server's log, not taken from what a crawler says of
itself. Crawlers are told how many clicks away the last page is, because saved pages link to what this server does not have; they still have to find and keep all links.

- \`npm run bench\` measures real pages, \`npm run bench -- small\` small ones, \`npm run bench:full\` everything, three rounds each, and writes this page.
- \`--pages-dir DIR\` names a folder with saved pages (\`*.html\` or \`*.html.gz\`, at most one folder deep). Without it pages are generated: 60, 150 and 250 KB, the
  same on every machine. Which of the two it was stands under each table.
- \`--rounds N\`, \`--pages N\`, \`--only WORDS\` (of a table's title), \`--coding br\` (brotli; nginx needs \`libnginx-mod-http-brotli-filter\`), \`--write\`.
- \`npm run bench -- --stages\` measures where the time of a page goes, \`npm run soak -- --hours 1\` whether a long-lived process stays the same size.
- Others are measured where they are installed: \`npm ci --prefix bench/peers\` for Crawlee, \`apt-get install nginx-light python3-scrapy wget2 httrack\` for the rest.
  Without nginx, Node's own server takes its place. OpenSSL's command makes the certificate.
`;

function section(result: Kept): string {
  const said = [...new Set(result.rows.map(({ version }) => version))].join(", ");
  const commands = result.rows.map(({ name, command, note }) => `- ${name} (${note}): \`${command}\``);
  const missing = (result.missing ?? []).map((line) => `- Left out: ${line}`);
  const command = result.plan === "full" ? "npm run bench:full" : `npm run bench -- ${result.plan}`;
  return `## ${result.title}

${result.about[0]!.toUpperCase()}${result.about.slice(1)}.

${tableOf(result)}

Measured on ${result.at.slice(0, 10)}, ${result.rounds === 1 ? "one round" : `medians of ${result.rounds} rounds`}, with \`${command}\`: ${result.machine}; ${said}.${busyNote(result.load)}
What each does and keeps, and its command, in an empty folder:

${[...commands, ...missing].join("\n")}
`;
}
