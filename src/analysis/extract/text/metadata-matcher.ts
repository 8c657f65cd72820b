/** Compares the page's metadata with its blocks. */

import { simplified } from "../comparison-key.ts";
import type { PageView } from "../page-view.ts";
import { articleBodyOf } from "./article-body.ts";
import type { Block } from "./blocks.ts";

export interface MetadataMatcher {
  /** Whether a block is the title, or most of it. */
  isTitle(text: string): boolean;
  /** Undefined if the page has no description. */
  readonly isDescription: ((text: string) => boolean) | undefined;
  /** The share of a block that is in the article body of the page's JSON-LD, 0–1; undefined if there is none. */
  readonly inBody: ((text: string) => number) | undefined;
}

const MAX_BODY_LENGTH = 60_000;
const WINDOW_LENGTH = 14;

export function metadataMatcherOf({ metas, items, elements }: PageView): MetadataMatcher {
  const title = elements.find(({ name }) => name === "title")?.children[0];
  const titles = [metas.get("og:title")?.[0], typeof title === "string" ? title : undefined]
    .map((text) => simplified(text ?? ""))
    .filter((text) => text.length > 3);
  const descriptions = ["description", "og:description"]
    .map((name) => simplified(metas.get(name)?.[0] ?? "").slice(0, 40))
    .filter((text) => text.length > 20);
  const [shortest, longest] = [Math.min(...titles.map(({ length }) => length)), Math.max(0, ...titles.map(({ length }) => length))];
  const body = articleBodyOf(items);
  const windows = body === undefined ? undefined : windowsOf(simplified(body.slice(0, MAX_BODY_LENGTH)));
  return {
    isTitle: (text) => text.length >= shortest / 2 && text.length < 2 * longest && titles.some(isMostOf(simplified(text))),
    isDescription:
      descriptions.length === 0
        ? undefined
        : (text) =>
            text.length > 20 && mayStartText(text, descriptions) && descriptions.includes(simplified(text.slice(0, 120)).slice(0, 40)),
    inBody: windows && ((text) => shareIn(windows, simplified(text.slice(0, 2000)))),
  };
}

/** Whether one of these may be the beginning of a text: the first letter usually rules that out. */
function mayStartText(text: string, beginnings: readonly string[]): boolean {
  const first = text[0]!;
  return !/[a-z0-9]/i.test(first) || beginnings.some((beginning) => beginning[0] === first.toLowerCase());
}

const isMostOf = (text: string) => (title: string) => text.length * 2 > title.length && title.includes(text);

function windowsOf(text: string): ReadonlySet<string> {
  const windows = new Set<string>();
  for (let at = 0; at + WINDOW_LENGTH <= text.length; at += 1) windows.add(text.slice(at, at + WINDOW_LENGTH));
  return windows;
}

function shareIn(windows: ReadonlySet<string>, text: string): number {
  if (text.length < WINDOW_LENGTH) return 0;
  const last = text.length - WINDOW_LENGTH;
  const places = [0, last >> 2, last >> 1, (3 * last) >> 2, last];
  return places.filter((at) => windows.has(text.slice(at, at + WINDOW_LENGTH))).length / places.length;
}

/** Index of the title block: an h1 with the text of the title, else any block with it, else the first h1; -1 if there is none. */
export function titleBlockIndex(blocks: readonly Block[], metadataMatcher: MetadataMatcher): number {
  let [title, heading] = [-1, -1];
  for (let at = 0; at < blocks.length; at += 1) {
    const { text, box } = blocks[at]!;
    const isFirst = box.element.name === "h1";
    const isTitle = (isFirst || title < 0) && metadataMatcher.isTitle(text);
    if (isFirst && isTitle) return at;
    if (isTitle) title = at;
    if (isFirst && heading < 0) heading = at;
  }
  return title < 0 ? heading : title;
}
