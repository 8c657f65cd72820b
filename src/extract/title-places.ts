/** Headings that name another page: the site or the manual in the banner of a page is a link to its home. */
import type { HtmlElement } from "../parse/index.ts";
import { addressOf } from "./address.ts";
import { type PageView, textOf } from "./page-view.ts";
import { keyOf, wordsOf } from "./same-words.ts";
import { partsOfTitle } from "./title-cuts.ts";
import type { Reading } from "./title-sources.ts";

const isHeading = ({ source }: Reading): boolean => /^h[12](?::later)?$/.test(source);

/**
 * The keys of headings that are wholly a link to another page, where the window's title says that they are not this page's name: it has nothing
 * of them, ends with them as with the name of a site, or has them beside another heading.
 */
export function otherPlaces(page: PageView, readings: readonly Reading[]): ReadonlySet<string> {
  const title = readings.find(({ source }) => source === "title")?.value ?? "";
  const headings = readings.filter(isHeading);
  const found = new Set<string>();
  if (wordsOf(title).length < 2) return found;
  for (const heading of headings) {
    const key = keyOf(heading.value);
    if (key === "" || heading.element === undefined || !linksAway(heading.element, key, page)) continue;
    if (sharesNothing(heading.value, title) || isBeside(key, title, headings)) found.add(key);
  }
  return found;
}

function sharesNothing(text: string, title: string): boolean {
  const words = new Set(wordsOf(title));
  const whole = keyOf(title);
  return !wordsOf(text).some((word) => words.has(word) || (word.length > 3 && whole.includes(word)));
}

const isBeside = (key: string, title: string, headings: readonly Reading[]): boolean =>
  partsOfTitle(title).some(
    ({ value, without, kept }) =>
      keyOf(without) === key && keyOf(value) !== key && (kept === "first" || headings.some((other) => keyOf(other.value) === keyOf(value))),
  );

function linksAway(element: HtmlElement, key: string, page: PageView): boolean {
  const link = linkOf(element, key);
  const to = link?.attributes.href === undefined ? undefined : page.resolve(link.attributes.href);
  return to !== undefined && /^https?:/.test(to) && placeOf(to) !== placeOf(page.url);
}

/** The one link a heading consists of. */
function linkOf(element: HtmlElement, key: string): HtmlElement | undefined {
  const inside = element.children.find((child) => typeof child === "object" && keyOf(textOf(child)) === key);
  if (typeof inside !== "object") return undefined;
  return inside.name === "a" ? inside : linkOf(inside, key);
}

/** Pages link to themselves with another query, without the slash at the end, or by way of http. */
function placeOf(url: string): string {
  const address = addressOf(url);
  return address === undefined ? url : address.host + address.pathname.replace(/\/(?:index\.\w+)?$/, "");
}
