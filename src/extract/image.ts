import type { MetaField } from "../records.ts";
import { pictureKey, type Size, sizeInUrl, whyNoImage } from "./image-rules.ts";
import { type Picture, pictures } from "./image-sources.ts";
import { weights } from "./learned/image.ts";
import { partOf } from "./page-parts.ts";
import type { PageView } from "./page-view.ts";
import { shareIn, wordsOf } from "./same-words.ts";
import { type SiteWords, siteWords } from "./site-words.ts";
import { type Clue, choose, chooseInOrder } from "./weigh.ts";

/** S2's order. */
const classic = ["og:image", "og:image:secure_url", "twitter:image", "itemprop:image", "link:image_src", "article-img", "first-img"];

export function imageOf(page: PageView, cascade: "weighed" | "classic"): MetaField<string> {
  const clues = imageClues(page);
  return cascade === "classic" ? chooseInOrder(clues, classic) : choose(clues, weights);
}

/** How large a picture of this page is, where the page says so. */
export function imageSize(page: PageView, url: string): Size {
  const said = pictures(page).filter((picture) => picture.url === url);
  const both = said.find(({ size }) => size.width !== undefined && size.height !== undefined);
  return both?.size ?? said.find(({ size }) => size.width !== undefined || size.height !== undefined)?.size ?? sizeInUrl(url);
}

export function imageClues(page: PageView): Clue<string>[] {
  const found = pictures(page);
  const keys = found.map(({ url }) => pictureKey(url));
  const words = titleWords(page);
  const site = siteWords(page);
  return found.map((picture, at) => {
    const why = whyNoImage(picture.url, picture.size);
    const signs = why === undefined ? signsOf(picture, { families: familiesWith(keys[at]!, found, keys), words, site }) : {};
    return { source: picture.source, value: picture.url, signs, ...(why !== undefined && { rejected: why }) };
  });
}

const families: readonly (readonly [name: string, test: RegExp])[] = [
  ["og", /^og/],
  ["twitter", /^tw/],
  ["schema", /^(?:ld|microdata|rdfa|itemprop)/],
  ["seen", /img$/],
  ["other", /^/],
];
const familyOf = (source: string): string => families.find(([, test]) => test.test(source))![0];

const familiesWith = (key: string, found: readonly Picture[], keys: readonly string[]): Set<string> =>
  new Set(found.filter((_, at) => keys[at] === key).map(({ source }) => familyOf(source)));

function titleWords({ elements, metas, url }: PageView): Set<string> {
  const title = metas.get("og:title")?.[0] ?? String(elements.find(({ name }) => name === "title")?.children[0] ?? "");
  return new Set(wordsOf(`${title.slice(0, 500)} ${url.slice(0, 500).replaceAll("_", " ")}`).filter((word) => word.length > 3));
}

function signsOf(
  { source, url, size, element }: Picture,
  { families, words, site }: { families: ReadonlySet<string>; words: ReadonlySet<string>; site: SiteWords },
): Record<string, number> {
  const signs: Record<string, number> = {};
  const own = familyOf(source);
  for (const family of families) if (family !== own) signs[`is:${family}`] = 1;
  if (families.size === 1) signs.alone = 1;
  const { pathname } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  if (/logo|brand|sprite|icon|favicon/i.test(pathname)) signs.logo = 1;
  if (/default|fallback|placeholder|share|social|facebook|twitter|og[-_]?image|generic|card|banner|header/i.test(name)) signs.standIn = 1;
  if (/avatar|gravatar|author|profile|headshot|emoji|badge|button/i.test(url)) signs.avatar = 1;
  if (/\.svg$/i.test(pathname)) signs.svg = 1;
  if (/\.gif$/i.test(pathname)) signs.gif = 1;
  if (/\.png$/i.test(pathname)) signs.png = 1;
  if (site.is(name.replace(/\.\w+$/, ""))) signs.isSite = 1;
  const nameWords = wordsOf(name.replace(/\.\w+$/, "").replaceAll("_", " ")).filter((word) => word.length > 3);
  signs.title = shareIn(nameWords, words);
  const { width, height } = { ...sizeInUrl(url), ...size };
  if ((width !== undefined && width < 200) || (height !== undefined && height < 100)) signs.small = 1;
  if (width !== undefined && width >= 600) signs.large = 1;
  if (width !== undefined && height !== undefined && height > 0 && (width / height > 3 || width / height < 0.4)) signs.narrow = 1;
  if (width !== undefined && width === height) signs.square = 1;
  if (element) signs[`in:${partOf(element)}`] = 1;
  if (
    element &&
    shareIn(
      wordsOf(element.attributes.alt ?? "").filter((word) => word.length > 3),
      words,
    ) > 0.4
  )
    signs.altTitle = 1;
  return signs;
}
