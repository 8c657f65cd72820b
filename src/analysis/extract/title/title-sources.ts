/** All candidates for a page's title, as written. */
import type { HtmlElement } from "../../parse/index.ts";
import { headClasses } from "../class-signs.ts";
import { comparisonKey, plainText } from "../comparison-key.ts";
import { headingOf } from "../element-text.ts";
import { closest, type PageView } from "../page-view.ts";
import { textsIn } from "../structured/schema-items.ts";
import { kindOf, syntaxOf } from "../structured/schema-kind.ts";

export interface Reading {
  readonly source: string;
  readonly value: string;
  /** The element, if the text is visible. */
  readonly element?: HtmlElement;
}

const metaNames = ["og:title", "twitter:title", "title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "headline"];
const titleTags = new Set(["h3", "h4", "div", "p", "span", "a", "td"]);
/** Limits on how many of each source are read. */
const maxPerSource: ReadonlyMap<string, number> = new Map([
  ["title", 1],
  ["h1", 6],
  ["h2", 3],
  ["class:title", 3],
  ["itemprop:headline", 2],
  ["itemprop:name", 2],
]);
const MAX_ITEMS = 20;
/** An unclosed heading may contain half of the page. */
const MAX_LENGTH = 1000;

export function titleReadings(page: PageView): Reading[] {
  const readings = [...visibleReadings(page), ...said(page)];
  if (!readings.some(({ source }) => source === "h1:part")) return readings;
  const titles = readings.filter(({ source }) => source === "title" || source === "og:title").map(({ value }) => comparisonKey(value));
  return readings.filter(({ source, value, element }) => {
    if (source !== "h1:part") return true;
    const whole = readings.find((other) => other.element === element && other.source !== source);
    const key = comparisonKey(whole?.value ?? "");
    return !startsWithSeparator.test(value) && !(key !== "" && titles.some((title) => title.includes(key)));
  });
}

/** `— JSON encoder` is what remains of `json — JSON encoder`. */
const startsWithSeparator = /^[-–—―:;,.…|/)\]]/;

/** Signs drawn before a heading, such as "»" or "[>". */
const bullet = /^[[(]?[>»›•·|*~]+[\])]?\s+/;

function readingOf(source: string, text: string, element?: HtmlElement): Reading[] {
  const value = plainText(text.slice(0, MAX_LENGTH))
    .replace(/\s?[¶#§⋆|»«›·•]$/, "")
    .replace(bullet, "");
  return value === "" ? [] : [{ source, value, ...(element && { element }) }];
}

/** Visible candidates, and `<title>`. */
function visibleReadings({ elements }: PageView): Reading[] {
  const found: Reading[] = [];
  const counts = new Map<string, number>();
  for (const element of elements) {
    const source = sourceOf(element);
    if (source === undefined) continue;
    const count = counts.get(source) ?? 0;
    counts.set(source, count + 1);
    if (count >= maxPerSource.get(source)!) continue;
    const text = source === "title" ? String(element.children[0] ?? "") : headingOf(element);
    const label = count > 0 && /^h\d/.test(source) ? `${source}:later` : source;
    found.push(...readingOf(label, text, source === "title" ? undefined : element));
    if (source === "h1") found.push(...partsOf(element));
  }
  return found;
}

function sourceOf(element: HtmlElement): string | undefined {
  const { name, attributes } = element;
  if (name === "h1" || name === "h2") return name;
  if (name === "title") return closest(element, svgTags) === undefined ? name : undefined;
  const { itemprop } = attributes;
  if (itemprop !== undefined && name !== "meta" && /(?:^|\s)headline(?:\s|$)/.test(itemprop)) return "itemprop:headline";
  if (itemprop !== undefined && /^h\d$/.test(name) && /(?:^|\s)name(?:\s|$)/.test(itemprop)) return "itemprop:name";
  if (attributes.class === undefined || element.hasBlock || !titleTags.has(name)) return undefined;
  return (headClasses.matchesOf(attributes.class) & headClasses.bits.title) !== 0 ? "class:title" : undefined;
}
const svgTags = new Set(["svg"]);

/** A heading may contain a topic above the title, or a line below it. */
function partsOf(heading: HtmlElement): Reading[] {
  if (!heading.children.some((child) => typeof child === "object")) return [];
  const said = heading.children.filter((child) => typeof child !== "object" || child.name !== "button");
  return said.slice(0, 6).flatMap((child) => readingOf("h1:part", typeof child === "object" ? headingOf(child) : child, heading));
}

/** Candidates from meta elements and structured data. */
function said({ metas, items }: PageView): Reading[] {
  const named = metaNames.flatMap((name) => readingOf(name === "title" ? "meta:title" : name, metas.get(name)?.[0] ?? ""));
  const listed = items.slice(0, MAX_ITEMS).flatMap((item) => {
    const kind = kindOf(item);
    const hasName = kind === "article" || kind === "product" || kind === "page";
    return [
      ...readingOf(`${syntaxOf(item)}:headline`, textsIn(item, "headline")[0] ?? ""),
      ...(hasName ? readingOf(`${syntaxOf(item)}:${kind}.name`, textsIn(item, "name")[0] ?? "") : []),
    ];
  });
  return [...named, ...listed];
}
