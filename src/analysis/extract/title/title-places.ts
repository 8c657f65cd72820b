/** Headings that name another page: the site's or manual's name in a page's banner is a link to its home page. */
import type { HtmlElement } from "../../parse/index.ts";
import { comparisonKey, wordsOf } from "../comparison-key.ts";
import { type PageView, textOf } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import { partsOfTitle } from "./title-cuts.ts";
import type { Reading } from "./title-sources.ts";

const isHeading = ({ source }: Reading): boolean => /^h[12](?::later)?$/.test(source);

/**
 * Keys of headings that consist of a link to another page, if the `<title>` confirms that they are not this page's
 * title: it shares no word with them, ends with them like with a site name, or has them beside another heading.
 */
export function otherPageHeadings(page: PageView, readings: readonly Reading[]): ReadonlySet<string> {
  const title = readings.find(({ source }) => source === "title")?.value ?? "";
  const headings = readings.filter(isHeading);
  const found = new Set<string>();
  if (wordsOf(title).length < 2) return found;
  for (const heading of headings) {
    const key = comparisonKey(heading.value);
    if (key === "" || heading.element === undefined || !linksElsewhere(heading.element, key, page)) continue;
    if (sharesNoWord(heading.value, title) || isConfirmedByTitle(key, title, headings)) found.add(key);
  }
  return found;
}

function sharesNoWord(text: string, title: string): boolean {
  const words = new Set(wordsOf(title));
  const whole = comparisonKey(title);
  return !wordsOf(text).some((word) => words.has(word) || (word.length > 3 && whole.includes(word)));
}

const isConfirmedByTitle = (key: string, title: string, headings: readonly Reading[]): boolean =>
  partsOfTitle(title).some(
    ({ value, without, kept }) =>
      comparisonKey(without) === key &&
      comparisonKey(value) !== key &&
      (kept === "first" || headings.some((other) => comparisonKey(other.value) === comparisonKey(value))),
  );

function linksElsewhere(element: HtmlElement, key: string, page: PageView): boolean {
  const link = linkOf(element, key);
  const to = link?.attributes.href === undefined ? undefined : page.resolve(link.attributes.href);
  return to !== undefined && /^https?:/.test(to) && pageKeyOf(to) !== pageKeyOf(page.url);
}

/** The link that makes up the whole heading. */
function linkOf(element: HtmlElement, key: string): HtmlElement | undefined {
  const inside = element.children.find((child) => typeof child === "object" && comparisonKey(textOf(child)) === key);
  if (typeof inside !== "object") return undefined;
  return inside.name === "a" ? inside : linkOf(inside, key);
}

/**
 * Compares host and path only: pages link to themselves with another query, without the final slash, over http, or with
 * other characters escaped (`it's` and `it%27s`).
 */
function pageKeyOf(url: string): string {
  const address = urlOf(url);
  return address === undefined ? url : address.host + decoded(address.pathname.replace(/\/(?:index\.\w+)?$/, ""));
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not UTF-8
  }
}
