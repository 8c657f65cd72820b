import picocolors from "picocolors";
import type { Verdict } from "../../core/records.ts";
import { duration } from "../../core/units.ts";
import type { Counters, RenderingCounts, Run } from "../../store/index.ts";
import { type HostPause, minuteText, pauseCauseText, type RunResult } from "../crawl/index.ts";
import { count, formatDuration, percentText, plural, size } from "./amounts.ts";
import { wrapLine } from "./columns.ts";
import { metadataLines } from "./metadata.ts";
import { printable } from "./printable.ts";
import { causeWords, skipGroups } from "./reasons.ts";
import { describingLines, modelLines } from "./scoring.ts";

const WIDTH = 78;
const INDENT = 12;
const MAX_SHOWN_SEEDS = 3;
const LOST_VERDICTS = new Set<Verdict>(["skipped", "failed", "deferred"]);
const ALWAYS_SHOWN = new Set(["pages", "due", "rendered"]);
const DEFAULT_DB = /^(\.\/)?nuthatch\.db$/;

export interface SummaryInput {
  readonly result: RunResult;
  readonly run: Run;
  readonly dbPath: string;
  readonly dbBytes: number | undefined;
  readonly colour: boolean;
  readonly resumeCommand: string | undefined;
  readonly now?: number;
  /** The width of the terminal, if there is one. */
  readonly columns?: number | undefined;
}

type Line = readonly [label: string, text: string];
type Tally = readonly [label: string, total: number, parts: readonly string[]];

/** The summary of a run. Values of zero are omitted. */
export function summaryLines(input: SummaryInput): string[] {
  const { result, run, colour, now = Date.now() } = input;
  const colours = picocolors.createColors(colour);
  const words = stopWords(result, run.options, now);
  const duration = formatDuration(result.durationMs);
  const paint =
    result.stopReason === "finished"
      ? colours.green
      : ["failed", "no-pages", "hung", "died"].includes(result.stopReason)
        ? colours.red
        : colours.yellow;
  const width = Math.min(WIDTH, input.columns || WIDTH);
  const gap = " ".repeat(Math.max(2, width - words.length - duration.length));
  const lines = [
    ...tallies(result),
    ...linkLine(input),
    ...metadataLines(result.metadata),
    ...describingLines(result.describing),
    ...modelLines(result.scoring),
    ...notes(result, run.options),
    ...nextSteps(input, now),
  ];
  return [paint(words) + gap + duration, ...lines.flatMap((line) => labelled(line, input.columns, colours.dim))];
}

/** Wraps long lines with an indent. The resume command is not wrapped, so that it can be copied. */
function labelled([label, text]: Line, columns: number | undefined, dim: (text: string) => string): string[] {
  const rows = columns && label !== "resume" ? wrapLine(text, Math.max(20, columns - INDENT)) : [text];
  return rows.map((row, index) => (index === 0 ? `  ${dim(label.padEnd(8))}  ${row}` : " ".repeat(INDENT) + row));
}

/** `example.org may be asked again at 09:33 (back-off after 3 failures)` */
const resumeTimeOf = (pause: HostPause, now: number): string =>
  `${printable(pause.host, 100)} may be asked again at ${minuteText(pause.until, now)} (${pauseCauseText(pause)})`;

function stopWords({ stopReason: reason, paused = [] }: RunResult, options: Run["options"], now: number): string {
  const limit = (flag: string, value: unknown, write: (limit: number) => string) =>
    `Stopped at ${flag}${typeof value === "number" && Number.isFinite(value) ? ` ${write(value)}` : ""}`;
  switch (reason) {
    case "finished":
      return options.due ? "Finished: nothing left that is due" : "Finished: nothing left in scope";
    case "limit.pages":
      return limit("--max-pages", options.maxPages, count);
    case "limit.time":
      return limit("--max-time", duration().safeParse(options.maxTime).data, formatDuration);
    case "limit.bytes":
      return limit("--max-bytes", options.maxBytes, size);
    case "stopped":
      return "Stopped on request";
    case "deferred":
      return paused[0] ? `Paused: ${resumeTimeOf(paused[0], now)}` : "Paused: the hosts that are left may not be asked for now";
    case "no-pages":
      return "Failed: no page could be fetched";
    case "failed":
      return "Failed";
    case "died":
      return "Died: its process ended before the run did";
    case "hung":
      return "Hung: the process that crawled stood still, and the server ended it";
    default:
      return reason satisfies never;
  }
}

function tallies({ stats, isComplete, due }: RunResult): Line[] {
  const skips = skipGroups(stats.skipped);
  const rows: Tally[] = [
    ["pages", stats.pages, changeParts(stats, isComplete || due !== undefined)],
    ["fetched", sum(Object.values(stats.status)), answerParts(stats)],
    ["skipped", sum(skips.map(([, urls]) => urls)), skips.map(([words, urls]) => `${words} ${count(urls)}`)],
  ];
  if (stats.rendering) rows.push(renderedRow(stats.rendering));
  if (due) rows.push(["due", due.pages, dueParts(due)]);
  if (!isComplete && !due) rows.push(["unknown", stats.changes.unknown, ["known pages that were not reached: unknown, not gone"]]);
  const shown = rows.filter(([label, total, parts]) => ALWAYS_SHOWN.has(label) || total > 0 || (label === "fetched" && parts.length > 0));
  const width = Math.max(...shown.map(([, total]) => count(total).length));
  return shown.map(([label, total, parts]) => [label, `${count(total).padStart(width)}  ${parts.join(" · ")}`.trimEnd()]);
}

function renderedRow({ shown, pages, failed }: RenderingCounts): Tally {
  const total = sum(Object.values(pages));
  const troubles = sum(Object.values(failed));
  return ["rendered", total, parts([...Object.entries(pages), ["in vain", shown - total - troubles], ["failed", troubles]])];
}

function dueParts({ hinted, nextAt }: NonNullable<RunResult["due"]>): string[] {
  const next = nextAt === null ? [] : [`the next from ${nextAt}`];
  return [...parts([["called for by sitemaps and feeds", hinted]]), ...next];
}

function changeParts({ changes, stillUnlinked = 0, moved = 0 }: Counters, isComplete: boolean): string[] {
  const kinds = ["new", "changed", "same", "gone", "unlinked"] as const;
  const wordFor = (kind: (typeof kinds)[number]) => (kind === "changed" && moved > 0 ? `changed (${count(moved)} moved)` : kind);
  const changedCount = changes.new + changes.changed + changes.gone + changes.unlinked - stillUnlinked;
  const hasNoChanges = isComplete && changes.same > 0 && changedCount === 0;
  return [
    ...parts([...kinds.map((kind) => [wordFor(kind), changes[kind]] as const), ["unknown", isComplete ? changes.unknown : 0]]),
    ...(hasNoChanges ? ["nothing changed"] : []),
  ];
}

function answerParts({ status, redirects, errors, bytes, looksAgain }: Counters): string[] {
  const total = sum(Object.values(status));
  const shares = ["304", "2xx"].filter((kind) => (status[kind] ?? 0) > 0).map((kind) => `${kind} ${percentText(status[kind]!, total)}`);
  const rest = parts([
    ["second looks", looksAgain ?? 0],
    ["redirects", redirects],
  ]);
  const kinds = parts([
    ["4xx", status["4xx"] ?? 0],
    ["5xx", status["5xx"] ?? 0],
  ]);
  const errorParts = errors > 0 ? [`errors ${count(errors)}${kinds.length > 0 ? ` (${kinds.join(", ")})` : ""}`] : [];
  return [...shares, ...rest, ...errorParts, ...(bytes > 0 ? [size(bytes)] : [])];
}

/** The number of links that match keywords. In a first run all of them are new, so that is not mentioned. */
function linkLine({ result: { stats }, dbPath }: SummaryInput): Line[] {
  const { links } = stats;
  if (!links) return [];
  const high = links.high > 0 ? ` (min 0.8: ${count(links.high)})` : "";
  const changedCount = links.new > 0 && links.new < links.matched;
  const lead = `${changedCount ? `, ${count(links.new)} new` : ""} → nuthatch links${changedCount ? " --new" : ""}${dbWords(dbPath)}`;
  return [["links", `${count(links.matched)} high-value${high}${links.matched > 0 ? lead : ""}`]];
}

function notes({ slowestHost, stats, durationMs, seeds }: RunResult, { render = "never" }: Run["options"]): Line[] {
  // The rule is more precise than the reason: it has the line of robots.txt or the text of the error.
  const lostSeeds = seeds
    .filter(({ verdict }) => LOST_VERDICTS.has(verdict))
    .map(({ url, finalUrl, verdict, reason, rule }) => {
      const isClosed = reason === "private-network" && !rule.includes("--allow-private");
      const allowHint = isClosed ? `; if it is yours: --allow-private ${printable(new URL(finalUrl).host, 200)}` : "";
      const moved = finalUrl === url ? "" : ` → ${printable(finalUrl, 200)}`;
      return `${printable(url, 200)}${moved} ${verdict}: ${printable(rule || reason, 200)}${allowHint}`;
    });
  const lines = lostSeeds.slice(0, MAX_SHOWN_SEEDS).map((text): Line => ["seed", text]);
  if (lostSeeds.length > MAX_SHOWN_SEEDS) lines.push(["", `and ${plural(lostSeeds.length - MAX_SHOWN_SEEDS, "seed", "seeds")} more`]);
  // Waiting for one host may overlap with work on others, so this is an upper bound.
  const cost = slowestHost ? Math.min(slowestHost.costMs, durationMs) : 0;
  if (slowestHost && cost >= 1000) {
    const { host, cause, delayMs } = slowestHost;
    lines.push(["polite", `slowest host ${printable(host, 200)}: ${causeWords(cause, delayMs)} cost ${formatDuration(cost)}`]);
  }
  const lead = render === "never" ? " → --render auto" : "";
  if (stats.scripted > 0) lines.push(["note", plural(stats.scripted, "page looks script-rendered", "pages look script-rendered") + lead]);
  return lines;
}

function nextSteps({ result, dbPath, dbBytes, resumeCommand }: SummaryInput, now: number): Line[] {
  const path = printable(dbPath);
  const db = dbWords(dbPath);
  const { same, changed, gone, unlinked, new: added } = result.stats.changes;
  const hasChanges = changed + gone + unlinked > 0 || (same > 0 && added > 0);
  const next = [`nuthatch ${hasChanges ? "changes" : "pages"}${db}`, `nuthatch explain <url>${db}`].slice(result.stats.pages > 0 ? 0 : 1);
  const saved = `${path}${dbBytes === undefined ? "" : ` (${size(dbBytes)})`}   next: ${next.join(" · ")}`;
  if (resumeCommand === undefined) return [["saved", saved]];
  // Written as a shell comment, so that the whole line can be copied.
  const from = result.paused?.[0] ? `   # ${resumeTimeOf(result.paused[0], now)}` : "";
  return [
    ["saved", saved],
    ["resume", printable(resumeCommand) + from],
  ];
}

function dbWords(dbPath: string): string {
  const path = printable(dbPath);
  return DEFAULT_DB.test(dbPath) ? "" : ` --db ${/^[\w./:@-]+$/.test(path) ? path : `"${path}"`}`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const parts = (list: readonly (readonly [string, number])[]) =>
  list.filter(([, number]) => number > 0).map(([word, number]) => `${word} ${count(number)}`);
