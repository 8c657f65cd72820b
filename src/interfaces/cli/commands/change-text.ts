import picocolors from "picocolors";
import { printable } from "../../../engine/telemetry/index.ts";
import { countsOf, diffLines, headingOf, startsOf, summaryOf, warningOf } from "../../../features/changes/change-words.ts";
import type { ChangeFeed, PageNews } from "../../../features/changes/changes.ts";

type Colours = ReturnType<typeof picocolors.createColors>;

export interface TextOptions {
  readonly diff: boolean;
  /** Only the counts, no list. */
  readonly stat: boolean;
  readonly colour: boolean;
}

const WIDTH = 8;
const MAX_SHOWN_LINKS = 20;

/** Text for people: a caveat if there is one, the counts, and the list of changes. */
export function changesAsText(feed: ChangeFeed, { diff, stat, colour }: TextOptions): string {
  const colours = picocolors.createColors(colour);
  const caveat = warningOf(feed);
  const starts = startsOf(feed).map((line) => printable(line));
  const head = [printable(headingOf(feed)), ...starts, ...(caveat ? [colours.yellow(printable(caveat))] : []), `  ${countsOf(feed)}`];
  if (stat) return linesOf(head);
  const pages = feed.pages.flatMap((news) => pageLines(news, diff, colours));
  return linesOf([
    ...head,
    ...(pages.length > 0 ? ["", ...pages] : []),
    ...linkLines("New links", feed.links.new, colours),
    ...linkLines("Links that are gone", feed.links.gone, colours),
  ]);
}

const linesOf = (lines: readonly string[]) => lines.map((line) => `${line.trimEnd()}\n`).join("");

function pageLines(news: PageNews, withDiff: boolean, colours: Colours): string[] {
  const { change, url, title, score, diff } = news;
  const colourOf =
    { new: colours.green, changed: colours.yellow, gone: colours.red, unlinked: colours.magenta }[change as string] ?? String;
  const scoreText = score > 0 ? `${score.toFixed(2)}  ` : "";
  const head = `${colourOf(change.padEnd(WIDTH))}  ${scoreText}${printable(url)}`;
  const about = [title === null ? "" : `“${printable(title, 120)}”`, printable(summaryOf(news), 300)].filter((part) => part !== "");
  const indent = " ".repeat(WIDTH + 2);
  const lines = withDiff && diff ? paintedDiff(diff, colours).map((line) => indent + line) : [];
  return [head, ...(about.length > 0 ? [indent + about.join("  ")] : []), ...lines];
}

export function paintedDiff(diff: Parameters<typeof diffLines>[0], colours: Colours): string[] {
  const colourOfMark: Readonly<Record<string, (text: string) => string>> = { "+": colours.green, "-": colours.red, "@": colours.cyan };
  return diffLines(diff).map((line) => (colourOfMark[line[0] ?? ""] ?? String)(printable(line, 2000)));
}

function linkLines(name: string, links: ChangeFeed["links"]["new"], colours: Colours): string[] {
  if (links.length === 0) return [];
  const shown = links.slice(0, MAX_SHOWN_LINKS).map(({ url, text, score }) => {
    const scoreText = score > 0 ? `${score.toFixed(2)}  ` : "";
    return `  ${scoreText}${printable(url)}${text === "" ? "" : `  “${printable(text, 120)}”`}`;
  });
  const more = links.length > MAX_SHOWN_LINKS ? [`  and ${links.length - MAX_SHOWN_LINKS} more; --json has them all`] : [];
  return ["", colours.bold(name), ...shown, ...more];
}
