import { cut } from "../parse/index.ts";
import type { MetaField } from "../records.ts";
import { descriptionReadings } from "./description-sources.ts";
import { weights } from "./learned/description.ts";
import { partOf } from "./page-parts.ts";
import type { PageView } from "./page-view.ts";
import { keyOf, shareIn, wordsOf } from "./same-words.ts";
import { type SiteWords, siteWords } from "./site-words.ts";
import type { Reading } from "./title-sources.ts";
import { type Clue, choose, chooseInOrder } from "./weigh.ts";

/** S2's order. */
const classic = ["og:description", "twitter:description", "meta:description", "itemprop:description", "p"];
const SHORTEST = 20;
const LONGEST = 500;

export function descriptionOf(page: PageView, cascade: "weighed" | "classic"): MetaField<string> {
  if (cascade === "weighed") return choose(descriptionClues(page), weights);
  const clues = descriptionReadings(page).map(({ source, value }) => ({ source, value, signs: {}, ...rejection(value) }));
  return chooseInOrder(clues, classic);
}

export function descriptionClues(page: PageView): Clue<string>[] {
  const readings = descriptionReadings(page);
  const keys = readings.map(({ value }) => keyOf(value));
  const title = titleWords(page);
  const site = siteWords(page);
  return readings.map((reading, at) => {
    const value = shortened(reading.value);
    return { source: reading.source, value, signs: signsOf(reading, at, readings, keys, title, site), ...rejection(value) };
  });
}

/** What stands in the main text as well is cut there, and not thrown away. */
function shortened(value: string): string {
  if (value.length <= LONGEST) return value;
  const kept = cut(value, LONGEST - 1);
  const space = kept.lastIndexOf(" ");
  return `${kept.slice(0, space > LONGEST / 2 ? space : undefined).trimEnd()}…`;
}

function rejection(value: string): { rejected?: string } {
  if (value.length < SHORTEST) return { rejected: `${value.length} < ${SHORTEST} characters` };
  return value.length > LONGEST ? { rejected: `${value.length} > ${LONGEST} characters` } : {};
}

function titleWords({ elements, metas }: PageView): { words: string[]; keys: Set<string> } {
  const title = String(elements.find(({ name }) => name === "title")?.children[0] ?? "").slice(0, LONGEST);
  const texts = [title, metas.get("og:title")?.[0] ?? ""];
  return { words: wordsOf(texts[1] || title).filter((word) => word.length > 3), keys: new Set(texts.map(keyOf)) };
}

const families: readonly (readonly [name: string, test: RegExp])[] = [
  ["og", /^og/],
  ["twitter", /^tw/],
  ["meta", /^meta/],
  ["ld", /^(?:ld|microdata|rdfa)/],
  ["lead", /^class/],
  ["p", /^p/],
  ["other", /^/],
];
const familyOf = (source: string): string => families.find(([, test]) => test.test(source))![0];

function signsOf(
  { source, value, element }: Reading,
  at: number,
  readings: readonly Reading[],
  keys: readonly string[],
  title: { words: string[]; keys: Set<string> },
  site: SiteWords,
): Record<string, number> {
  const signs: Record<string, number> = {};
  const key = keys[at]!;
  const family = familyOf(source);
  for (const [other, reading] of readings.entries()) {
    const theirs = familyOf(reading.source);
    if (other === at || theirs === family) continue;
    if (keys[other] === key) signs[`is:${theirs}`] = 1;
    else if (keys[other]!.startsWith(key.slice(0, 60)) && key.length > 20) signs[`like:${theirs}`] = 1;
  }
  const agreeing = Object.keys(signs).length;
  if (agreeing === 0) signs.alone = 1;
  signs.agreeing = Math.min(1, agreeing / 3);
  if (title.keys.has(key)) signs.isTitle = 1;
  signs.title = shareIn(title.words, new Set(wordsOf(value.slice(0, LONGEST))));
  const seen = element ? "seen:" : "";
  if (site.holds(value)) signs.holdsSite = 1;
  if (value.length < 50) signs[`${seen}short`] = 1;
  if (value.length > 300) signs[`${seen}long`] = 1;
  if (value.length > LONGEST) signs[`${seen}tooLong`] = 1;
  if (/(?:…|\.\.\.|\[…\])\s*$/.test(value)) signs[`${seen}endsInDots`] = 1;
  else if (!/[.!?。！？"”»)]$/.test(value)) signs[`${seen}endsOpen`] = 1;
  if (/[|•·]/.test(value)) signs.hasBars = 1;
  if (element) signs[`in:${partOf(element)}`] = 1;
  return signs;
}
