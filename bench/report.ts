// What was measured, kept as data in docs/benchmarks.json and told in docs/benchmarks.md with a plot.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { fileURLToPath } from "node:url";
import type { Measured } from "./measure.ts";
import { plotOf } from "./plot.ts";

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
  readonly pages: number;
  readonly hosts: number;
  readonly latency: number;
  readonly rounds: number;
  /** Of the machine in the minute before: measured in quiet, or not. */
  readonly load: number;
  readonly at: string;
  readonly rows: readonly Row[];
}

interface Kept extends Result {
  readonly machine: string;
}

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const count = (value: number) => Math.round(value).toLocaleString("en");

export function tableOf({ rows }: Pick<Result, "rows">): string {
  const cells = rows.map((row) => [
    row.name,
    count(row.pagesPerSecond),
    row.cpuPer1000.toFixed(2),
    count(row.peakRssMb),
    row.isOnce ? "yes" : `no (${count(row.pages)} different)`,
    count(row.diskMb),
    count(row.serverMicros),
  ]);
  const header = ["", "pages/s", "CPU s per 1,000 pages", "peak RSS MB", "each page once", "MB on disk", "server µs a request"];
  return [header, ["---", "--:", "--:", "--:", "---", "--:", "--:"], ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${count(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, Node ${process.versions.node}`;

/** Said of what was not measured in quiet. */
export const busyNote = (load: number): string =>
  load > 0.5 ? ` The machine was busy with other work (load ${load.toFixed(1)}): take these for a sketch.` : "";

/** Takes the place of what was measured under the same title before. */
export function record(result: Result): void {
  const file = `${docs}benchmarks.json`;
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept[]) : [];
  const others = before.filter(({ title }) => title !== result.title);
  const kept: Kept[] = [...others, { ...result, machine: machine() }].sort((a, b) => order(a) - order(b));
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  const crowd = kept.find(({ rows, latency }) => latency === 0 && rows.some(({ isOurs }) => !isOurs));
  if (crowd) writeFileSync(`${docs}benchmarks.svg`, plotOf(crowd));
  write(`${intro(crowd !== undefined)}\n${kept.map(section).join("\n")}`, pageParts().last);
}

/** What other benches than these have found stands at the end of the page, in this order. */
const LAST = ["## A million known URLs", "## Ten thousand hosts", "## Several workers", "## Pages in a browser"];

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

/** The comparison first, then distance, then size. */
const order = ({ latency, hosts, pages }: Result) => latency * 1e9 + hosts * 1e6 + pages;

const intro = (hasPlot: boolean) => `# Benchmarks

Made by \`bench/\`; do not edit by hand. Pages are about 17 KB with some fifty links each, on loopback, without politeness; there is no
robots.txt. The server is a process of its own that has every answer ready; what it spends is in the last column, and on two cores it is
shared by all. Everybody is run in turn, round after round, and the middle figure is given. CPU is that of the whole process with its
threads and children, user and system, from start to end; so is the time. "Each page once" is what the server counted.
${hasPlot ? "\n![Pages per second and CPU per 1,000 pages](benchmarks.svg)\n" : ""}
To measure again on a quiet machine: \`npm run bench\` (a few minutes), \`npm ci --prefix bench/peers\` before it for Crawlee, wget2 if it is
installed; \`npm run bench:full\` and \`npm run bench:scale\` write this page.
`;

function section(result: Kept): string {
  const site = `node dist/bench/server.js ${result.pages / result.hosts}${result.hosts > 1 ? ` --hosts ${result.hosts}` : ""}${result.latency > 0 ? ` --latency ${result.latency}` : ""}`;
  const said = [...new Set(result.rows.map(({ version }) => version))].join(", ");
  const commands = result.rows.map(({ name, command, note }) => `- ${name}${note ? ` (${note})` : ""}: \`${command}\``);
  return `## ${result.title}: ${count(result.pages)} pages

${tableOf(result)}

Measured on ${result.at.slice(0, 10)}, ${result.rounds === 1 ? "one round" : `medians of ${result.rounds} rounds`}, with \`npm run ${result.plan === "quick" ? "bench" : `bench:${result.plan}`}\`: ${result.machine}; ${said}.${busyNote(result.load)}
Each by hand, against \`${site}\`, in an empty folder:

${commands.join("\n")}
`;
}
