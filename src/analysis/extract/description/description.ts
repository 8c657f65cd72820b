import type { MetaField } from "../../../core/records.ts";
import { cut } from "../../parse/index.ts";
import { comparisonKey, shareIn, wordsOf } from "../comparison-key.ts";
import { weights } from "../learned/description.ts";
import { type PageView, trustFor } from "../page-view.ts";
import { type SiteNames, siteNamesOf } from "../site-names.ts";
import { surroundingsOf } from "../surroundings.ts";
import { cachedByText } from "../text-cache.ts";
import type { Reading } from "../title/title-sources.ts";
import { type Clue, choose, chooseInOrder } from "../weigh.ts";
import { descriptionReadings } from "./description-sources.ts";

/** The order of `--cascade classic` (docs/metadata.md). */
const classic = ["og:description", "twitter:description", "meta:description", "itemprop:description", "p"];
const MIN_LENGTH = 20;
const MAX_LENGTH = 500;

export function descriptionOf(page: PageView, cascade: "weighed" | "classic"): MetaField<string> {
  if (cascade === "weighed") return choose(descriptionClues(page), weights, trustFor(page, "description"));
  const clues = descriptionReadings(page).map(({ source, value }) => ({ source, value, signs: {}, ...rejection(value) }));
  return chooseInOrder(clues, classic);
}

export function descriptionClues(page: PageView): Clue<string>[] {
  const readings = descriptionReadings(page);
  const keys = readings.map(({ value }) => comparisonKey(value));
  const site = siteNamesOf(page);
  const subject = subjectOf(page);
  return readings.map((reading, at) => {
    const value = shortened(reading.value);
    const signs = signsOf(reading, at, readings, keys, site);
    addTextMatch(value, subject, signs);
    const rejected = reading.element !== undefined && isMenu(value) ? "a menu" : rejection(value).rejected;
    return { source: reading.source, value, signs, ...(rejected !== undefined && { rejected }) };
  });
}

/** Characters of visible text that are enough to compare a description with the page's subject. */
const SAMPLE_LENGTH = 6000;

function subjectOf(page: PageView): ReadonlySet<string> {
  const { lines, headline } = surroundingsOf(page);
  const text: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (line.text.length < MIN_LINE_LENGTH || (headline !== undefined && line.at < headline.start)) continue;
    if (length > SAMPLE_LENGTH) break;
    length += line.text.length;
    text.push(line.text.slice(0, 600));
  }
  return new Set(wordsOf(text.join(" ")).filter(isSignificant));
}

const MIN_LINE_LENGTH = 60;
const isSignificant = (word: string) => word.length > 3 || !/^[a-z0-9]*$/.test(word);

/** Compares the description's words with the page's visible text: a site's slogan has few of them in common. */
function addTextMatch(value: string, subject: ReadonlySet<string>, signs: Record<string, number>): void {
  const words = wordsOf(value.slice(0, 300)).filter(isSignificant);
  if (words.length > 0 && subject.size > 20) signs.onText = shareIn(words, subject);
}

/** Cuts long values at a word instead of rejecting them. */
function shortened(value: string): string {
  if (value.length <= MAX_LENGTH) return value;
  const kept = cut(value, MAX_LENGTH - 1);
  const space = kept.lastIndexOf(" ");
  return `${kept.slice(0, space > MAX_LENGTH / 2 ? space : undefined).trimEnd()}…`;
}

function rejection(value: string): { rejected?: string } {
  if (value.length < MIN_LENGTH) return { rejected: `${value.length} < ${MIN_LENGTH} characters` };
  if (value.length > MAX_LENGTH) return { rejected: `${value.length} > ${MAX_LENGTH} characters` };
  if (/^(?:visit|see|read|click) (?:the|this|our) (?:post|article|site|page|full)\b/i.test(value) && value.length < 60)
    return { rejected: "says nothing" };
  return isByline(value) ? { rejected: "a byline" } : {};
}

/** `Home | News | Contact | Search`, `Home > News > Harbour > Walls`. */
const isMenu = (value: string) => (value.match(/\s[|>›»·•/]\s/g)?.length ?? 0) >= 3 && !/[.!?]\s/.test(value);

/** Only an author and a date. */
const isByline = (value: string) =>
  value.length < 80 && /^(?:by|von|par|por|di|door|av|posted|published|updated)\s/i.test(value) && /\b(?:19|20)\d\d\b/.test(value);

const families: readonly (readonly [name: string, test: RegExp])[] = [
  ["og", /^og/],
  ["twitter", /^tw/],
  ["meta", /^meta/],
  ["ld", /^(?:ld|microdata|rdfa)/],
  ["lead", /^class/],
  ["p", /^p/],
  ["other", /^/],
];
/** Families of sources whose agreement is evidence. */
const agreeingFamilies = new Set(["og", "meta", "lead"]);
const familyOf = cachedByText((source) => families.find(([, test]) => test.test(source))![0]);

function signsOf(
  { source, value, element }: Reading,
  at: number,
  readings: readonly Reading[],
  keys: readonly string[],
  site: SiteNames,
): Record<string, number> {
  const signs: Record<string, number> = {};
  const key = keys[at]!;
  const family = familyOf(source);
  for (const [other, reading] of readings.entries()) {
    const otherFamily = familyOf(reading.source);
    if (other === at || otherFamily === family) continue;
    if (agreeingFamilies.has(otherFamily) && (keys[other] === key || (key.length > 20 && keys[other]!.startsWith(key.slice(0, 60)))))
      signs[`says:${otherFamily}`] = 1;
  }
  if (site.containsSiteName(value)) signs.holdsSite = 1;
  if (/https?:\/\//i.test(value)) signs.holdsAddress = 1;
  if (element && !/[.!?。！？"”»)…]$/.test(value)) signs.endsOpen = 1;
  if (element && value.length < 50) signs.short = 1;
  return signs;
}
