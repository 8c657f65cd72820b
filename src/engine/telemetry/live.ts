import picocolors from "picocolors";
import type { FillingProgress, HostReport, Progress, ScoringProgress } from "../crawl/index.ts";
import { clock, count, formatDuration, rateText, size } from "./amounts.ts";
import { type Cell, joinWhole, type Paint, pad, row, shorten, widthOf } from "./columns.ts";
import { printable } from "./printable.ts";
import { causeWords } from "./reasons.ts";
import { scoringParts } from "./scoring.ts";

/** A snapshot of a run: everything the live view shows at one moment. */
export interface RunSnapshot {
  readonly title: string;
  /** Milliseconds since the start. */
  readonly elapsed: number;
  readonly progress: Progress;
  readonly perMinute: number;
  /** The latest last. */
  readonly lastPages: readonly LastPage[];
  readonly columns: number;
  readonly colour: boolean;
  readonly phase: "crawling" | "scoring" | "probing" | "enhancing" | "describing" | "judging" | "stopping";
  /** Progress of reading metadata from stored pages, once that has begun. */
  readonly filling?: FillingProgress | undefined;
  /** Progress of scoring by a model, once that has begun. */
  readonly scoring?: ScoringProgress | undefined;
}

export interface LastPage {
  readonly url: string;
  readonly change: string;
  readonly title?: string;
}

type Colours = ReturnType<typeof picocolors.createColors>;

const INDENT = "  ";
const MAX_HOSTS = 2;
/** The limit on hosts in a progress report. */
const MAX_REPORTED_HOSTS = 20;
/** Hosts can hardly be distinguished in fewer columns. */
const MAX_NAME_WIDTH = 20;
/** In fewer columns a page is shown by its path, without its host. */
const NARROW_WIDTH = 50;
/** Milliseconds before which pages per minute are not meaningful. */
const RATE_AFTER_MS = 2000;
/** Rows for hosts and pages together: with one host there are two pages, so that the view keeps its height. */
const MAX_ROWS = 3;
/** Seconds after which a wait for something is shown. */
const LONG_WAIT_SECONDS = 10;
/** Limit for remote text, more than a terminal shows in one row. */
const MAX_REMOTE_TEXT = 300;

/**
 * The live view: totals, status codes, changes, hosts with the time and cause of their next turn, and the latest pages.
 * Never wider than its columns.
 */
export function liveLines(snapshot: RunSnapshot): string[] {
  const { progress, columns } = snapshot;
  const colours = picocolors.createColors(snapshot.colour);
  const hosts = progress.hosts.slice(0, MAX_HOSTS);
  const pages = snapshot.lastPages.slice(hosts.length - MAX_ROWS);
  const width = columns - INDENT.length;
  const body = [
    joinWhole([...amounts(snapshot), ...statuses(progress, colours), [size(progress.counters.bytes)]], width),
    joinWhole(changes(progress, colours), width),
    ...hostRows(hosts, width, colours),
    ...pages.map((page) => pageRow(page, progress.hosts, width, colours)),
  ];
  return [
    row([[headline(snapshot), colours.bold]], columns, [clock(snapshot.elapsed), colours.dim]),
    ...body.filter((line) => line !== "").map((line) => INDENT.slice(0, columns) + line),
  ];
}

/** The same information on one line, for logs. */
export function progressLine(snapshot: Pick<RunSnapshot, "elapsed" | "progress" | "perMinute" | "phase" | "filling" | "scoring">): string {
  const { progress, phase, filling, scoring } = snapshot;
  const plain = picocolors.createColors(false);
  const soonest = progress.hosts.toSorted((a, b) => a.nextInMs - b.nextInMs)[0];
  const cells = [[clock(snapshot.elapsed)], ...amounts(snapshot), ...statuses(progress, plain), [size(progress.counters.bytes)]];
  if (phase !== "crawling") cells.push([phase]);
  if (filling) cells.push([fillingWords(filling)]);
  if (scoring) cells.push([scoringParts(scoring).join(", ")]);
  if (soonest)
    cells.push([`${printable(soonest.host, MAX_REMOTE_TEXT)} ${countdown(soonest)} (${causeWords(soonest.cause, soonest.delayMs)})`]);
  const { waits } = progress;
  if (waits && waits.seconds >= LONG_WAIT_SECONDS) cells.push([`waiting for ${waits.name} since ${waits.seconds} s`]);
  return cells.map(([text]) => text).join(INDENT);
}

const fillingWords = ({ done, total }: FillingProgress) => `metadata ${count(done)}/${count(total)}`;

function headline({ title, phase, progress, filling, scoring }: RunSnapshot): string {
  const name = printable(title, MAX_REMOTE_TEXT);
  if (phase === "enhancing") return `${name} · ${filling ? fillingWords(filling) : "metadata"} of stored pages`;
  if (phase === "describing") return `${name} · a model describes pages that do not say what they are about`;
  if (phase === "judging") return `${name} · ${["a model judges links", ...(scoring ? scoringParts(scoring) : [])].join(", ")}`;
  if (phase === "probing") return `${name} · asking for pages nobody links to any more`;
  if (phase === "scoring") return `${name} · holding stored links against new keywords`;
  const { waits } = progress;
  if (phase === "crawling" && waits && waits.seconds >= LONG_WAIT_SECONDS)
    return `${name} · waiting for ${waits.name} since ${waits.seconds} s`;
  if (phase === "stopping") return `${name} · stopping, ${count(progress.inFlight)} in flight`;
  return name;
}

function amounts({ progress, perMinute, elapsed }: Pick<RunSnapshot, "progress" | "perMinute" | "elapsed">): Cell[] {
  const { counters, queued } = progress;
  const rate: Cell[] = elapsed < RATE_AFTER_MS ? [] : [[`${count(perMinute)}/min`]];
  // Reports are limited to TOLD_HOSTS hosts, so "+" shows that there may be more.
  const hosts =
    progress.hosts.length > MAX_HOSTS ? ` on ${progress.hosts.length}${progress.hosts.length < MAX_REPORTED_HOSTS ? "" : "+"} hosts` : "";
  const { shown = 0 } = progress;
  const browsing: Cell[] = shown > 0 ? [[`${count(shown)} in a browser`]] : [];
  return [[`${count(counters.pages)} done`], [`${count(queued)} queued${hosts}`], ...rate, ...browsing];
}

function statuses({ counters }: Progress, colours: Colours): Cell[] {
  const paints = new Map<string, Paint>([
    ["4xx", colours.yellow],
    ["5xx", colours.red],
  ]);
  return ["2xx", "304", "3xx", "4xx", "5xx"].flatMap((status): Cell[] => {
    const answers = counters.status[status] ?? 0;
    return answers > 0 ? [[`${status} ${count(answers)}`, paints.get(status) ?? String]] : [];
  });
}

function changes({ counters }: Progress, colours: Colours): Cell[] {
  const { changes, errors, skipped } = counters;
  const urls = Object.values(skipped).reduce((sum, each) => sum + each, 0);
  const cells: [number, string, Paint][] = [
    [changes.new, "new", colours.green],
    [changes.changed, "changed", colours.yellow],
    [changes.same, "same", String],
    [changes.gone, "gone", colours.red],
    [changes.unlinked, "unlinked", colours.yellow],
    [errors, "errors", colours.red],
    [urls, "skipped", colours.dim],
  ];
  const shown = cells.filter(([number]) => number > 0).map(([number, word, paint]): Cell => [`${word} ${count(number)}`, paint]);
  const { links } = counters;
  const newLinks = links && links.new > 0 && links.new < links.matched ? ` (+${count(links.new)} new)` : "";
  return links ? [...shown, [`high-value links ${count(links.matched)}${newLinks}`]] : shown;
}

/**
 * One row per host, with aligned columns. If there is not enough room, the cause of a delay has priority over the number of queued URLs.
 */
function hostRows(hosts: readonly HostReport[], columns: number, colours: Colours): string[] {
  const names = hosts.map(({ host }) => printable(host, MAX_REMOTE_TEXT));
  const causes = hosts.map((host) => causeCell(host, colours));
  const queued = hosts.map((host) => `${count(host.queued)} queued`);
  const room = columns - GAPS - Math.max(...causes.map(([text]) => widthOf(text)));
  const wideNameWidth = room - LONG_COUNTDOWN - GAP - Math.max(...queued.map(widthOf));
  const longest = Math.max(...names.map(widthOf));
  const isWide = wideNameWidth >= Math.min(longest, MAX_NAME_WIDTH);
  const waits = hosts.map((host) => (isWide ? countdown(host) : shortCountdown(host)));
  const waitWidth = Math.max(isWide ? LONG_COUNTDOWN : SHORT_COUNTDOWN, ...waits.map(widthOf));
  const nameWidth = Math.min(longest, Math.max(MIN_NAME_WIDTH, isWide ? wideNameWidth : room - waitWidth));
  return hosts.map((_, index) => {
    const cells: Cell[] = [[pad(shorten(names[index]!, nameWidth), nameWidth)], [pad(waits[index]!, waitWidth)], causes[index]!];
    return row(cells, columns, isWide ? [queued[index]!, colours.dim] : undefined);
  });
}

/** Minimum width of countdowns, so that the text after them does not move when their length changes. */
const LONG_COUNTDOWN = "next in 0.6 s".length;
const SHORT_COUNTDOWN = "in 0.6 s".length;
const MIN_NAME_WIDTH = 6;
const GAP = 3;
const GAPS = 2 * GAP;

function causeCell({ cause, delayMs }: HostReport, colours: Colours): Cell {
  const words = causeWords(cause, delayMs);
  return cause === "rate" ? [delayMs > 0 ? `${rateText(delayMs)} (${words})` : words] : [words, colours.yellow];
}

function countdown({ inFlight, nextInMs }: HostReport): string {
  if (nextInMs === Number.POSITIVE_INFINITY) return "closed";
  if (nextInMs <= 0) return inFlight > 0 ? "asking now" : "due now";
  return `next in ${nextInMs < 60_000 ? `${(nextInMs / 1000).toFixed(1)} s` : formatDuration(nextInMs)}`;
}

const shortCountdown = (host: HostReport) => countdown(host).replace(/^next | now$/, "");

function pageRow(page: LastPage, hosts: readonly HostReport[], columns: number, colours: Colours): string {
  const paints = new Map<string, Paint>([
    ["new", colours.green],
    ["changed", colours.yellow],
    ["gone", colours.red],
  ]);
  const address = page.url.replace(/^https?:\/\//, "");
  // With a single host, its name is already shown in the row above.
  const isOnlyHost = hosts.length === 1 && address.startsWith(`${hosts[0]!.host}/`);
  const shown = isOnlyHost ? address.slice(hosts[0]!.host.length) : columns < NARROW_WIDTH ? address.replace(/^[^/]+(?=\/)/, "") : address;
  const path = printable(shown, MAX_REMOTE_TEXT);
  const title = printable(page.title ?? "", MAX_REMOTE_TEXT);
  const pathWidth = title === "" ? columns : Math.max(20, Math.floor(columns / 2));
  return row([[`▸ ${shorten(path, pathWidth)}`], ...(title === "" ? [] : [[title, colours.dim] as const])], columns, [
    printable(page.change, 20),
    paints.get(page.change) ?? colours.dim,
  ]);
}
