/** Evidence for a title: agreement of other sources, position and form. */

import type { HtmlElement } from "../../parse/index.ts";
import { comparisonKey, shareIn, wordsOf } from "../comparison-key.ts";
import { closest, type PageView } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import { type SiteNames, siteNamesOf } from "../site-names.ts";
import { kindOf } from "../structured/schema-kind.ts";
import { cachedByText } from "../text-cache.ts";
import { partsOfTitle, type TitlePart } from "./title-cuts.ts";
import type { Reading } from "./title-sources.ts";

/** A wording of the title, with all sources that offer it. */
export interface TitleVariant {
  readonly key: string;
  readonly value: string;
  readonly whole: Reading[];
  readonly cuts: { readonly from: Reading; readonly part: TitlePart }[];
}

export function titleVariants(readings: readonly Reading[]): TitleVariant[] {
  const found = new Map<string, TitleVariant>();
  const at = (value: string): TitleVariant => {
    const key = comparisonKey(value);
    const known = found.get(key) ?? { key, value, whole: [], cuts: [] };
    found.set(key, known);
    return known;
  };
  for (const reading of readings) at(reading.value).whole.push(reading);
  for (const from of readings) for (const part of partsOfTitle(from.value)) at(part.value).cuts.push({ from, part });
  return [...found.values()];
}

const families: readonly (readonly [name: string, test: RegExp])[] = [
  ["h1Part", /^h1:part/],
  ["h1", /^h1/],
  ["h2", /^h2/],
  ["og", /^og:/],
  ["twitter", /^twitter/],
  ["title", /^title/],
  ["ld", /^(?:ld|microdata|rdfa):headline/],
  ["ldName", /^(?:ld|microdata|rdfa):/],
  ["class", /^class/],
  ["itemprop", /^itemprop/],
  ["meta", /^/],
];
const familyOf = cachedByText((source) => families.find(([, test]) => test.test(source))![0]);

const mainTags = new Set(["article", "main"]);
const asideTags = new Set(["nav", "footer", "aside"]);
const header = new Set(["header"]);

export interface Context {
  readonly page: PageView;
  readonly site: SiteNames;
  readonly slug: ReadonlySet<string>;
  readonly isHome: boolean;
  readonly isArticle: boolean;
  readonly h1s: number;
  /** Whether the page declares a headline in structured data. */
  readonly hasHeadline: boolean;
  readonly title: string;
  readonly og: string;
  /** The first h1 that is not the site's name. */
  readonly h1: string;
  /** The title without the site's name. */
  readonly shortTitle: string;
}

export function contextOf(page: PageView, readings: readonly Reading[]): Context {
  const first = (source: string) => comparisonKey(readings.find((reading) => reading.source === source)?.value ?? "");
  const site = siteNamesOf(page);
  const headings = readings.filter(({ source }) => source === "h1" || source === "h1:later");
  const shortTitle = shortTitleOf(readings, site);
  const heading = (headings.find(({ value }) => !site.isSiteName(value)) ?? headings[0])?.value ?? "";
  return {
    page,
    site,
    slug: slugWords(page.url),
    isHome: /^https?:\/\/[^/]+\/?(?:$|[?#])/.test(page.url),
    isArticle: page.metas.get("og:type")?.[0] === "article" || page.items.some((item) => kindOf(item) === "article"),
    h1s: headings.length,
    hasHeadline: readings.some(({ source }) => familyOf(source) === "ld"),
    title: first("title"),
    og: first("og:title"),
    h1: comparisonKey(heading),
    shortTitle: comparisonKey(shortTitle),
  };
}

function shortTitleOf(readings: readonly Reading[], site: SiteNames): string {
  const title = readings.find(({ source }) => source === "title")?.value ?? "";
  const parts = partsOfTitle(title).filter(({ without }) => site.isSiteName(without));
  const longest = parts.reduce((best, { value }) => (value.length > best.length ? value : best), "");
  return longest === "" ? title : longest;
}

export function signsOf(variant: TitleVariant, context: Context): Record<string, number> {
  const signs: Record<string, number> = {};
  addAgreement(variant, context, signs);
  addFormSigns(variant, context, signs);
  for (const { element } of variant.whole) if (element) addPositionSigns(element, context, signs);
  if (variant.whole.length === 0) addCutSigns(variant, context, signs);
  if (context.hasHeadline) addBesideHeadline(signs);
  return signs;
}

const besideHeadline = ["is:h1", "is:title", "is:og", "is:ld", "is:twitter", "part:title", "part:og", "kept:first", "kept:last"].map(
  (name) => [name, `headline:${name}`] as const,
);

/** If a page declares its headline, its other titles are maintained more carefully, so they get separate weights. */
function addBesideHeadline(signs: Record<string, number>): void {
  for (const [name, signName] of besideHeadline) if (signs[name] !== undefined) signs[signName] = signs[name];
}

function addAgreement(
  { key, whole, cuts }: TitleVariant,
  { title, og, h1, shortTitle, h1s, isHome, isArticle }: Context,
  signs: Record<string, number>,
): void {
  const wholes = new Set(whole.map(({ source }) => familyOf(source)));
  const parts = new Set(cuts.map(({ from }) => familyOf(from.source)).filter((family) => !wholes.has(family)));
  for (const family of wholes) signs[`is:${family}`] = 1;
  for (const family of parts) signs[`part:${family}`] = 1;
  const votes = wholes.size + parts.size;
  signs.votes = Math.min(1, (votes - 1) / 4);
  if (votes === 1) signs.alone = 1;
  if (wholes.has("h1") && h1s === 1) signs.onlyH1 = 1;
  if (wholes.has("h1") && votes === 1) signs.h1Alone = 1;
  if (isHome) for (const family of ["h1", "title", "og"]) if (wholes.has(family)) signs[`home:${family}`] = 1;
  if (!isArticle && wholes.has("h1")) signs["plain:h1"] = 1;
  if (key === "") return;
  if (wholes.has("h1") && shortTitle !== "" && shortTitle !== key) signs.h1Longer = lengthRatio(key, shortTitle);
  else if (!wholes.has("h1") && h1 !== "" && (wholes.has("title") || parts.has("title"))) signs.titleLonger = lengthRatio(key, h1);
  if (title !== key && title.startsWith(key)) signs.startsTitle = 1;
  else if (title !== key && title.includes(key)) signs.inTitle = 1;
  if (og !== key && og.includes(key)) signs.inOg = 1;
  if (h1 !== key && h1.includes(key)) signs.inH1 = 1;
  if (h1.length > 3 && h1 !== key && key.includes(h1)) signs.holdsH1 = 1;
  if (og.length > 3 && og !== key && key.includes(og)) signs.holdsOg = 1;
}

/** The logarithm of the ratio of lengths: -1 for half as long, 1 for twice. */
const lengthRatio = (text: string, other: string): number => Math.max(-1, Math.min(1, Math.log2(text.length / other.length)));

function addFormSigns({ value, key, whole }: TitleVariant, { site, slug, isHome }: Context, signs: Record<string, number>): void {
  const words = wordsOf(value);
  if (key === "") signs.wordless = 1;
  if (site.isSiteName(value)) signs[isHome ? "home:isSite" : "isSite"] = 1;
  else if (site.containsSiteName(value)) signs.holdsSite = 1;
  const foldedWords = words.map(foldSlugWord);
  signs.slug = shareIn(foldedWords, slug);
  if (slug.size >= 3) signs.slugCovered = shareIn([...slug], new Set(foldedWords));
  if (words.length === 1) signs.oneWord = 1;
  else if (words.length === 2) signs.twoWords = 1;
  if (value.length < 15) signs.short = 1;
  if (value.length > 110) signs.long = 1;
  if (/[{}<>]/.test(value)) signs.markup = 1;
  if (/[|｜¦]/.test(value)) signs.hasBar = 1;
  if (/\s[-–—»•·]\s/.test(value)) signs.hasDash = 1;
  if (/\s:\s|:\s/.test(value)) signs.hasColon = 1;
  if (whole.length > 2) signs.repeated = 1;
}

function addPositionSigns(element: HtmlElement, { page }: Context, signs: Record<string, number>): void {
  const { attributes, parent } = element;
  if (closest(element, mainTags)) signs.inMain = 1;
  else if (closest(element, header)) signs.inHeader = 1;
  else signs.elsewhere = 1;
  if (closest(element, asideTags)) signs.aroundMain = 1;
  const link = element.children.find((child) => typeof child === "object" && child.name === "a") ?? closest(element, anchors);
  if (typeof link === "object") signs[isHome(link.attributes.href ?? "", page) ? "linksHome" : "isLink"] = 1;
  const names = `${attributes.class ?? ""} ${attributes.id ?? ""}`;
  if (/title|headline|heading/i.test(names)) signs.classy = 1;
  if (/logo|brand|site-?(?:title|name)|blog-?title/i.test(`${names} ${parent?.attributes.class ?? ""} ${parent?.attributes.id ?? ""}`))
    signs.logo = 1;
  if (/hidden|sr-only|screen-reader/i.test(names)) signs.hidden = 1;
}
const anchors = new Set(["a"]);

function addCutSigns({ value, cuts }: TitleVariant, { site }: Context, signs: Record<string, number>): void {
  for (const { part } of cuts) {
    if (site.isSiteName(part.without)) signs.cutsSite = 1;
    else if (site.containsSiteName(part.without)) signs.cutsSiteAndMore = 1;
    signs[`kept:${part.kept}`] = 1;
    signs[`separator:${separatorKind(part.separator)}`] = 1;
    if (part.without.length > value.length) signs.keepsLess = 1;
    if (wordsOf(part.without).length <= 3) signs.cutsLittle = 1;
  }
}

function separatorKind(separator: string): string {
  if (/^[|｜¦]+$/.test(separator)) return "bar";
  if (separator === ":") return "colon";
  return /^[-–—‒―]+$/.test(separator) ? "dash" : "other";
}

function slugWords(url: string): Set<string> {
  const address = urlOf(url);
  if (address === undefined) return new Set();
  const parts = address.pathname.split("/").filter((part) => part !== "");
  const best = parts
    .map((part) => part.replace(/\.\w{2,5}$/, ""))
    .reduce((a, b) => (b.split(/[-_]/).length >= a.split(/[-_]/).length ? b : a), "");
  return new Set(
    wordsOf(best.replaceAll("_", " "))
      .filter((word) => !/^\d{5,}$/.test(word))
      .map(foldSlugWord),
  );
}

/** URLs write letters without their diacritics: Köln becomes koeln or koln. */
const foldSlugWord = (word: string): string =>
  (/^[a-z0-9]*$/.test(word) ? word : word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss")).replace(/([aou])e/g, "$1");

const isHome = (href: string, { url, resolve }: PageView): boolean => {
  const to = resolve(href);
  const host = urlOf(url)?.hostname;
  if (to === undefined || host === undefined || !URL.canParse(to)) return false;
  const { pathname, hostname } = new URL(to);
  return pathname === "/" && hostname === host;
};
