/**
 * What a host has taught about its own sources. A place whose values others on the same pages agree with is trusted more there; one that says
 * the same on page after page (a logo as `og:image`, a slogan as description) speaks of the site, and is trusted less.
 */
import type { Metadata } from "../records.ts";

/** Added to what speaks for a clue, by `field:source`. */
export type SourceMemory = ReadonlyMap<string, number>;

const fields = ["title", "description", "image", "author", "publishedAt"] as const;
/** Fewer pages tell nothing about a source. */
const LEAST_PAGES = 5;
/** Of the pages that have a source, how many may say the same before it counts as speaking of the site. */
const MOST_ALIKE = 0.5;
const MOST = 1;
const OF_THE_SITE = -3;

interface Tally {
  pages: number;
  agreed: number;
  readonly values: Map<string, number>;
}

export function learnSources(records: Iterable<Metadata>): SourceMemory {
  const tallies = new Map<string, Tally>();
  for (const record of records) for (const field of fields) tellField(tallies, field, record[field]);
  const memory = new Map<string, number>();
  for (const [name, tally] of tallies) if (tally.pages >= LEAST_PAGES) memory.set(name, trustIn(name, tally));
  return memory;
}

function tellField(tallies: Map<string, Tally>, field: string, { value, source, candidates }: Metadata[(typeof fields)[number]]): void {
  const offered = new Map<string, string>();
  if (value !== null) offered.set(source, keyOf(value));
  for (const candidate of candidates)
    if (candidate.rejected === undefined && !offered.has(candidate.source)) offered.set(candidate.source, keyOf(candidate.value));
  const said = new Map<string, number>();
  for (const key of offered.values()) said.set(key, (said.get(key) ?? 0) + 1);
  for (const [from, key] of offered) {
    const tally = tallies.get(`${field}:${from}`) ?? { pages: 0, agreed: 0, values: new Map() };
    tallies.set(`${field}:${from}`, tally);
    tally.pages += 1;
    if (said.get(key)! > 1) tally.agreed += 1;
    tally.values.set(key, (tally.values.get(key) ?? 0) + 1);
  }
}

/** Authors write many pages, and a day has many: there only agreement counts. */
function trustIn(name: string, { pages, agreed, values }: Tally): number {
  const mayRepeat = name.startsWith("author:") || name.startsWith("publishedAt:");
  if (!mayRepeat && Math.max(...values.values()) > MOST_ALIKE * pages) return OF_THE_SITE;
  const odds = Math.log((agreed + 1) / (pages - agreed + 1));
  return Math.round(100 * Math.max(0, Math.min(MOST, odds / 2))) / 100;
}

/** Evidence is kept cut, so only beginnings can be compared. */
const keyOf = (value: string | readonly string[]): string => String(value).toLowerCase().replace(/\s+/g, " ").slice(0, 200);
