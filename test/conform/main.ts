// npm run conform -- <folder> [--json]: how much of public test suites the rooms' own functions get right.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check as charset } from "./charset.ts";
import { check as html } from "./html.ts";
import { check as http } from "./http.ts";
import { check as robots } from "./robots.ts";
import { check as sitemaps } from "./sitemaps.ts";
import { exception, isConfirmed, check as urls } from "./urls.ts";

type Check = (row: unknown, folder: string) => boolean | undefined | Promise<boolean | undefined>;
const sets: Record<string, Check> = { robots, urls, charset, html, sitemaps, http };

interface Tally {
  right: number;
  all: number;
  /** Kinds of case that our functions do not answer. */
  notAsked: number;
  failed: string[];
  /** Failed on purpose, with the reason. */
  exceptions: Record<string, string>;
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly class?: string;
  readonly level?: string;
}

async function score(set: string, folder: string): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean)) {
      const row = JSON.parse(line) as Row;
      const name = [row.kind, row.class ?? row.level].filter(Boolean).join(" ");
      const isRight = await sets[set]!(row, folder);
      count(tallies, name, set, row, isRight);
      if (set === "urls" && isConfirmed(row)) count(tallies, `${name}, agreed`, set, row, isRight);
    }
  }
  return tallies;
}

function count(tallies: Map<string, Tally>, name: string, set: string, row: Row, isRight: boolean | undefined): void {
  const tally = tallies.get(name) ?? { right: 0, all: 0, notAsked: 0, failed: [], exceptions: {} };
  tallies.set(name, tally);
  if (isRight === undefined) tally.notAsked += 1;
  else tally.all += 1;
  if (isRight) tally.right += 1;
  else if (isRight === false) {
    tally.failed.push(row.id);
    const reason = set === "urls" ? exception(row) : undefined;
    if (reason) tally.exceptions[row.id] = reason;
  }
}

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write("usage: npm run conform -- <folder with robots/, urls/, charset/, html/, sitemaps/, http/> [--json]\n");
  process.exit(2);
}
const report: Record<string, Record<string, Tally>> = {};
for (const set of Object.keys(sets)) {
  const path = join(folder, set);
  if (existsSync(path)) report[set] = Object.fromEntries(await score(set, path));
}
if (flags.includes("--json")) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
else {
  for (const [set, tallies] of Object.entries(report)) {
    for (const [name, { right, all, notAsked, failed, exceptions }] of Object.entries(tallies)) {
      const share = all === 0 ? "" : ` ${((100 * right) / all).toFixed(1)} %`;
      process.stdout.write(`${set.padEnd(9)} ${name.padEnd(24)} ${right}/${all}${share}${notAsked > 0 ? `, ${notAsked} not asked` : ""}\n`);
      for (const id of failed) process.stdout.write(`            ${id}${exceptions[id] ? `  (${exceptions[id]})` : ""}\n`);
    }
  }
}
