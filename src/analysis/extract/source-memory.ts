/**
 * Learns per host how far to trust each source of a field. A source is trusted more if other sources on the same pages agree with it. A
 * source that has the same value on many pages (a logo as `og:image`, a slogan as description) describes the site, and is trusted less.
 */
import type { Metadata } from "../../core/records.ts";

/** Amount added to a clue's score, keyed by `field:source`. */
export type SourceMemory = ReadonlyMap<string, number>;

const fields = ["title", "description", "image", "author", "publishedAt"] as const;
/** With fewer pages, nothing is concluded about a source. */
const MIN_PAGES = 5;
/** A source whose most frequent value is on more than this share of its pages describes the site. */
const MAX_SAME_SHARE = 0.5;
const MAX_TRUST = 1;
const SITE_VALUE_TRUST = -3;

interface Tally {
  pages: number;
  agreed: number;
  readonly values: Map<string, number>;
}

export function learnSources(records: Iterable<Metadata>): SourceMemory {
  const tallies = new Map<string, Tally>();
  for (const record of records) for (const field of fields) countField(tallies, field, record[field]);
  const memory = new Map<string, number>();
  for (const [name, tally] of tallies) if (tally.pages >= MIN_PAGES) memory.set(name, trustIn(name, tally));
  return memory;
}

function countField(tallies: Map<string, Tally>, field: string, { value, source, candidates }: Metadata[(typeof fields)[number]]): void {
  const keyBySource = new Map<string, string>();
  if (value !== null) keyBySource.set(source, keyOf(value));
  for (const candidate of candidates)
    if (candidate.rejected === undefined && !keyBySource.has(candidate.source)) keyBySource.set(candidate.source, keyOf(candidate.value));
  const keyCounts = new Map<string, number>();
  for (const key of keyBySource.values()) keyCounts.set(key, (keyCounts.get(key) ?? 0) + 1);
  for (const [from, key] of keyBySource) {
    const tally = tallies.get(`${field}:${from}`) ?? { pages: 0, agreed: 0, values: new Map() };
    tallies.set(`${field}:${from}`, tally);
    tally.pages += 1;
    if (keyCounts.get(key)! > 1) tally.agreed += 1;
    tally.values.set(key, (tally.values.get(key) ?? 0) + 1);
  }
}

/** An author writes many pages and a day has many, so for these fields repetition is no evidence; only agreement counts. */
function trustIn(name: string, { pages, agreed, values }: Tally): number {
  const mayRepeat = name.startsWith("author:") || name.startsWith("publishedAt:");
  if (!mayRepeat && Math.max(...values.values()) > MAX_SAME_SHARE * pages) return SITE_VALUE_TRUST;
  const odds = Math.log((agreed + 1) / (pages - agreed + 1));
  return Math.round(100 * Math.max(0, Math.min(MAX_TRUST, odds / 2))) / 100;
}

/** Stored evidence is cut, so only beginnings are compared. */
const keyOf = (value: string | readonly string[]): string => String(value).toLowerCase().replace(/\s+/g, " ").slice(0, 200);
