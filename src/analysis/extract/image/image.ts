import type { MetaField } from "../../../core/records.ts";
import { weights } from "../learned/image.ts";
import { type PageView, trustFor } from "../page-view.ts";
import { type Clue, chooseInOrder, chooseOrFirst } from "../weigh.ts";
import { imageRejection, pictureKeys, type Size, sizeInUrl } from "./image-rules.ts";
import { isLogoOrIcon, type Picture, pictures } from "./image-sources.ts";

/** The order of `--cascade classic` (docs/metadata.md). */
const classic = ["og:image", "og:image:secure_url", "twitter:image", "itemprop:image", "link:image_src", "article-img", "first-img"];

export function imageOf(page: PageView, cascade: "weighed" | "classic"): MetaField<string> {
  const clues = imageClues(page);
  if (cascade === "classic") return chooseInOrder(clues, classic);
  return withDeclaredUrl(chooseOrFirst(clues, weights, trustFor(page, "image"), classic, isContentImage));
}

const declared = new Set(["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "ld:image"]);

/** Prefers the declared address of the same picture: the visible one is often a smaller copy or loaded lazily. */
function withDeclaredUrl(field: MetaField<string>): MetaField<string> {
  const { value, source, candidates } = field;
  if (value === null || familyOf(source) !== "seen") return field;
  const keys = pictureKeys(value);
  const same = candidates.find(
    (each) => each.rejected === undefined && declared.has(each.source) && pictureKeys(each.value).some((key) => keys.includes(key)),
  );
  if (same === undefined) return field;
  const others = [{ source, value }, ...candidates.filter((each) => each !== same)];
  return { value: same.value, source: same.source, confidence: field.confidence, candidates: others };
}

/** Excludes logos and icons, which represent the site rather than the page. */
const isContentImage = ({ signs }: Clue<string>) => signs.logo === undefined && signs.small === undefined;

/** The declared size of a picture of this page. */
export function imageSize(page: PageView, url: string): Size {
  const matching = pictures(page).filter((picture) => picture.url === url);
  const both = matching.find(({ size }) => size.width !== undefined && size.height !== undefined);
  return both?.size ?? matching.find(({ size }) => size.width !== undefined || size.height !== undefined)?.size ?? sizeInUrl(url);
}

export function imageClues(page: PageView): Clue<string>[] {
  const found = pictures(page);
  const keys = found.map(({ url }) => pictureKeys(url));
  return found.map((picture, at) => {
    const rejection = imageRejection(picture.url, picture.size);
    const signs = rejection === undefined ? signsOf(picture, familiesWith(keys[at]!, found, keys)) : {};
    return { source: picture.source, value: picture.url, signs, ...(rejection !== undefined && { rejected: rejection }) };
  });
}

const families: readonly (readonly [name: string, test: RegExp])[] = [
  ["og", /^og/],
  ["twitter", /^tw/],
  ["schema", /^(?:ld|microdata|rdfa|itemprop)/],
  ["seen", /img/],
  ["other", /^/],
];
const familyOf = (source: string): string => families.find(([, test]) => test.test(source))![0];

function familiesWith(own: readonly string[], found: readonly Picture[], keys: readonly (readonly string[])[]): Set<string> {
  return new Set(found.filter((_, at) => keys[at]!.some((key) => own.includes(key))).map(({ source }) => familyOf(source)));
}

/**
 * Only a few signs, because there are few labelled pages to learn from; the source, and which other sources agree, carry
 * nearly all information.
 */
function signsOf({ source, url, size, element }: Picture, families: ReadonlySet<string>): Record<string, number> {
  const signs: Record<string, number> = {};
  const own = familyOf(source);
  for (const family of families) if (family !== own) signs[`is:${family}`] = 1;
  if (families.size === 1) signs.alone = 1;
  const { pathname } = new URL(url);
  if (/logo|sprite|icon|avatar|gravatar|emoji/i.test(pathname) || (element !== undefined && isLogoOrIcon(element))) signs.logo = 1;
  const { width, height } = { ...sizeInUrl(url), ...size };
  if ((width !== undefined && width < 200) || (height !== undefined && height < 100)) signs.small = 1;
  return signs;
}
