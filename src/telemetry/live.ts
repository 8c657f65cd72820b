import picocolors from "picocolors";
import type { HostReport, Progress } from "../crawl/index.ts";
import { clock, count, pace, size, span } from "./amounts.ts";
import { type Cell, type Paint, pad, row, shorten, whole, widthOf } from "./columns.ts";
import { printable } from "./printable.ts";
import { causeWords } from "./reasons.ts";

/** A look at a run: everything the live view shows at one moment. */
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
  readonly phase: "crawling" | "probing" | "stopping";
}

export interface LastPage {
  readonly url: string;
  readonly change: string;
  readonly title?: string;
}

type Colours = ReturnType<typeof picocolors.createColors>;

const INDENT = "  ";
const HOSTS = 2;
/** Below this many columns the cause of a delay is worth more than how much waits for it. */
const ROOMY = 60;
/** Rows for hosts and pages together: with one host there is room for two pages, and the view keeps its height. */
const ROWS = 3;
/** Titles of remote pages may be long; no terminal shows more of them. */
const REMOTE = 300;

/** The live view: where we are, what came back, whose turn it is and why not yet, and what came last. Never wider than its columns. */
export function liveLines(look: Look): string[] {
  const { progress, columns } = look;
  const colours = picocolors.createColors(look.colour);
  const hosts = progress.hosts.slice(0, HOSTS);
  const pages = look.lastPages.slice(hosts.length - ROWS);
  const width = columns - INDENT.length;
  const nameWidth = Math.min(Math.floor(columns / (columns < ROOMY ? 5 : 4)), Math.max(0, ...hosts.map(({ host }) => widthOf(host))));
  const body = [
    whole([...amounts(look), ...statuses(progress, colours), [size(progress.counters.bytes)]], width),
    whole(changes(progress, colours), width),
    ...hosts.map((host) => hostRow(host, nameWidth, width, colours)),
    ...pages.map((page) => pageRow(page, progress.hosts, width, colours)),
  ];
  return [
    row([[headline(look), colours.bold]], columns, [clock(look.elapsed), colours.dim]),
    ...body.filter((line) => line !== "").map((line) => INDENT.slice(0, columns) + line),
  ];
}

/** The same on one line, for logs. */
export function progressLine(look: Pick<Look, "elapsed" | "progress" | "perMinute" | "phase">): string {
  const { progress, phase } = look;
  const plain = picocolors.createColors(false);
  const soonest = progress.hosts.toSorted((a, b) => a.nextInMs - b.nextInMs)[0];
  const cells = [[clock(look.elapsed)], ...amounts(look), ...statuses(progress, plain), [size(progress.counters.bytes)]];
  if (phase !== "crawling") cells.push([phase]);
  if (soonest) cells.push([`${printable(soonest.host, REMOTE)} ${countdown(soonest)} (${causeWords(soonest.cause, soonest.delayMs)})`]);
  return cells.map(([text]) => text).join(INDENT);
}

function headline({ title, phase, progress }: Look): string {
  const name = printable(title, REMOTE);
  if (phase === "probing") return `${name} · asking for pages nobody links to any more`;
  if (phase === "stopping") return `${name} · stopping, ${count(progress.inFlight)} in flight`;
  return name;
}

function amounts({ progress, perMinute }: Pick<Look, "progress" | "perMinute">): Cell[] {
  const { counters, queued } = progress;
  return [[`${count(counters.pages)} done`], [`${count(queued)} queued`], [`${count(perMinute)}/min`]];
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
  const { changes, failed, skipped } = counters;
  const urls = Object.values(skipped).reduce((sum, each) => sum + each, 0);
  const cells: [number, string, Paint][] = [
    [changes.new, "new", colours.green],
    [changes.changed, "changed", colours.yellow],
    [changes.same, "same", String],
    [changes.gone, "gone", colours.red],
    [changes.unlinked, "unlinked", colours.yellow],
    [failed, "failed", colours.red],
    [urls, "skipped", colours.dim],
  ];
  return cells.filter(([number]) => number > 0).map(([number, word, paint]) => [`${word} ${count(number)}`, paint]);
}

function hostRow(host: HostReport, nameWidth: number, columns: number, colours: Colours): string {
  const name = pad(shorten(printable(host.host, REMOTE), nameWidth), nameWidth);
  const words = causeWords(host.cause, host.delayMs);
  const cause: Cell = host.cause === "rate" ? [host.delayMs > 0 ? `${pace(host.delayMs)} (${words})` : words] : [words, colours.yellow];
  if (columns < ROOMY - INDENT.length) return row([[name], [pad(countdown(host).replace("next ", ""), 8)], cause], columns);
  return row([[name], [pad(countdown(host), 13)], cause], columns, [`${count(host.queued)} queued`, colours.dim]);
}

function countdown({ inFlight, nextInMs }: HostReport): string {
  if (nextInMs === Number.POSITIVE_INFINITY) return "closed";
  if (nextInMs <= 0) return inFlight > 0 ? "asking now" : "due now";
  return `next in ${nextInMs < 60_000 ? `${(nextInMs / 1000).toFixed(1)} s` : span(nextInMs)}`;
}

function pageRow(page: LastPage, hosts: readonly HostReport[], columns: number, colours: Colours): string {
  const paints = new Map<string, Paint>([
    ["new", colours.green],
    ["changed", colours.yellow],
    ["gone", colours.red],
  ]);
  const address = page.url.replace(/^https?:\/\//, "");
  // Where one host is crawled, its name is in the row above.
  const isAlone = hosts.length === 1 && address.startsWith(`${hosts[0]!.host}/`);
  const path = printable(isAlone ? address.slice(hosts[0]!.host.length) : address, REMOTE);
  const title = printable(page.title ?? "", REMOTE);
  const pathWidth = title === "" ? columns : Math.max(20, Math.floor(columns / 2));
  return row([[`▸ ${shorten(path, pathWidth)}`], ...(title === "" ? [] : [[title, colours.dim] as const])], columns, [
    printable(page.change, 20),
    paints.get(page.change) ?? colours.dim,
  ]);
}
