import picocolors from "picocolors";
import type { FillingProgress, HostReport, Progress, ScoringProgress } from "../crawl/index.ts";
import { clock, count, pace, size, span } from "./amounts.ts";
import { type Cell, type Paint, pad, row, shorten, whole, widthOf } from "./columns.ts";
import { printable } from "./printable.ts";
import { causeWords } from "./reasons.ts";
import { scoringParts } from "./scoring.ts";

/** A snapshot of a run: everything the live view shows at one moment. */
export interface Look {
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
const HOSTS = 2;
/** The limit on hosts in a progress report. */
const TOLD_HOSTS = 20;
/** Hosts can hardly be distinguished in fewer columns. */
const NAME = 20;
/** In fewer columns a page is shown by its path, without its host. */
const NARROW = 50;
/** Milliseconds before which pages per minute are not meaningful. */
const TEMPO_AFTER = 2000;
/** Rows for hosts and pages together: with one host there are two pages, so that the view keeps its height. */
const ROWS = 3;
/** Seconds after which a wait for something is shown. */
const LONG = 10;
/** Limit for remote text, more than a terminal shows in one row. */
const REMOTE = 300;

/**
 * The live view: totals, status codes, changes, hosts with the time and cause of their next turn, and the latest pages.
 * Never wider than its columns.
 */
export function liveLines(look: Look): string[] {
  const { progress, columns } = look;
  const colours = picocolors.createColors(look.colour);
  const hosts = progress.hosts.slice(0, HOSTS);
  const pages = look.lastPages.slice(hosts.length - ROWS);
  const width = columns - INDENT.length;
  const body = [
    whole([...amounts(look), ...statuses(progress, colours), [size(progress.counters.bytes)]], width),
    whole(changes(progress, colours), width),
    ...hostRows(hosts, width, colours),
    ...pages.map((page) => pageRow(page, progress.hosts, width, colours)),
  ];
  return [
    row([[headline(look), colours.bold]], columns, [clock(look.elapsed), colours.dim]),
    ...body.filter((line) => line !== "").map((line) => INDENT.slice(0, columns) + line),
  ];
}

/** The same information on one line, for logs. */
export function progressLine(look: Pick<Look, "elapsed" | "progress" | "perMinute" | "phase" | "filling" | "scoring">): string {
  const { progress, phase, filling, scoring } = look;
  const plain = picocolors.createColors(false);
  const soonest = progress.hosts.toSorted((a, b) => a.nextInMs - b.nextInMs)[0];
  const cells = [[clock(look.elapsed)], ...amounts(look), ...statuses(progress, plain), [size(progress.counters.bytes)]];
  if (phase !== "crawling") cells.push([phase]);
  if (filling) cells.push([fillingWords(filling)]);
  if (scoring) cells.push([scoringParts(scoring).join(", ")]);
  if (soonest) cells.push([`${printable(soonest.host, REMOTE)} ${countdown(soonest)} (${causeWords(soonest.cause, soonest.delayMs)})`]);
  const { waits } = progress;
  if (waits && waits.seconds >= LONG) cells.push([`waiting for ${waits.name} since ${waits.seconds} s`]);
  return cells.map(([text]) => text).join(INDENT);
}

const fillingWords = ({ done, total }: FillingProgress) => `metadata ${count(done)}/${count(total)}`;

function headline({ title, phase, progress, filling, scoring }: Look): string {
  const name = printable(title, REMOTE);
  if (phase === "enhancing") return `${name} · ${filling ? fillingWords(filling) : "metadata"} of stored pages`;
  if (phase === "describing") return `${name} · a model describes pages that do not say what they are about`;
  if (phase === "judging") return `${name} · ${["a model judges links", ...(scoring ? scoringParts(scoring) : [])].join(", ")}`;
  if (phase === "probing") return `${name} · asking for pages nobody links to any more`;
  if (phase === "scoring") return `${name} · holding stored links against new keywords`;
  const { waits } = progress;
  if (phase === "crawling" && waits && waits.seconds >= LONG) return `${name} · waiting for ${waits.name} since ${waits.seconds} s`;
  if (phase === "stopping") return `${name} · stopping, ${count(progress.inFlight)} in flight`;
  return name;
}

function amounts({ progress, perMinute, elapsed }: Pick<Look, "progress" | "perMinute" | "elapsed">): Cell[] {
  const { counters, queued } = progress;
  const tempo: Cell[] = elapsed < TEMPO_AFTER ? [] : [[`${count(perMinute)}/min`]];
  // Reports are limited to TOLD_HOSTS hosts, so "+" shows that there may be more.
  const hosts = progress.hosts.length > HOSTS ? ` on ${progress.hosts.length}${progress.hosts.length < TOLD_HOSTS ? "" : "+"} hosts` : "";
  const { shown = 0 } = progress;
  const browsing: Cell[] = shown > 0 ? [[`${count(shown)} in a browser`]] : [];
  return [[`${count(counters.pages)} done`], [`${count(queued)} queued${hosts}`], ...tempo, ...browsing];
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
  const news = links && links.new > 0 && links.new < links.matched ? ` (+${count(links.new)} new)` : "";
  return links ? [...shown, [`high-value links ${count(links.matched)}${news}`]] : shown;
}

/**
 * One row per host, with aligned columns. If there is not enough room, the cause of a delay has priority over the number of queued URLs.
 */
function hostRows(hosts: readonly HostReport[], columns: number, colours: Colours): string[] {
  const names = hosts.map(({ host }) => printable(host, REMOTE));
  const causes = hosts.map((host) => causeCell(host, colours));
  const queued = hosts.map((host) => `${count(host.queued)} queued`);
  const room = columns - GAPS - Math.max(...causes.map(([text]) => widthOf(text)));
  const roomy = room - LONG_WAIT - GAP - Math.max(...queued.map(widthOf));
  const longest = Math.max(...names.map(widthOf));
  const isRoomy = roomy >= Math.min(longest, NAME);
  const waits = hosts.map((host) => (isRoomy ? countdown(host) : shortCountdown(host)));
  const waitWidth = Math.max(isRoomy ? LONG_WAIT : SHORT_WAIT, ...waits.map(widthOf));
  const nameWidth = Math.min(longest, Math.max(SHORT_NAME, isRoomy ? roomy : room - waitWidth));
  return hosts.map((_, index) => {
    const cells: Cell[] = [[pad(shorten(names[index]!, nameWidth), nameWidth)], [pad(waits[index]!, waitWidth)], causes[index]!];
    return row(cells, columns, isRoomy ? [queued[index]!, colours.dim] : undefined);
  });
}

/** Minimum width of countdowns, so that the text after them does not move when their length changes. */
const LONG_WAIT = "next in 0.6 s".length;
const SHORT_WAIT = "in 0.6 s".length;
const SHORT_NAME = 6;
const GAP = 3;
const GAPS = 2 * GAP;

function causeCell({ cause, delayMs }: HostReport, colours: Colours): Cell {
  const words = causeWords(cause, delayMs);
  return cause === "rate" ? [delayMs > 0 ? `${pace(delayMs)} (${words})` : words] : [words, colours.yellow];
}

function countdown({ inFlight, nextInMs }: HostReport): string {
  if (nextInMs === Number.POSITIVE_INFINITY) return "closed";
  if (nextInMs <= 0) return inFlight > 0 ? "asking now" : "due now";
  return `next in ${nextInMs < 60_000 ? `${(nextInMs / 1000).toFixed(1)} s` : span(nextInMs)}`;
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
  const isAlone = hosts.length === 1 && address.startsWith(`${hosts[0]!.host}/`);
  const shown = isAlone ? address.slice(hosts[0]!.host.length) : columns < NARROW ? address.replace(/^[^/]+(?=\/)/, "") : address;
  const path = printable(shown, REMOTE);
  const title = printable(page.title ?? "", REMOTE);
  const pathWidth = title === "" ? columns : Math.max(20, Math.floor(columns / 2));
  return row([[`▸ ${shorten(path, pathWidth)}`], ...(title === "" ? [] : [[title, colours.dim] as const])], columns, [
    printable(page.change, 20),
    paints.get(page.change) ?? colours.dim,
  ]);
}
