import type { MetaField } from "../../../core/records.ts";
import { weights } from "../learned/author.ts";
import { pageSigns } from "../page-signs.ts";
import { type PageView, trustFor } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import { marks, surroundingsOf } from "../surroundings.ts";
import { type Clue, chooseInOrder, chooseOrFirst } from "../weigh.ts";
import { type AuthorEvidence, authorEvidence } from "./byline-clues.ts";
import { looksLikePerson, nameKey, organisation } from "./names.ts";

/** The order of `--cascade classic` (docs/metadata.md). */
const classic = ["meta:author", "article:author", "itemprop:author", "rel:author", ".author", ".byline", "pattern:By"];

export function authorOf(page: PageView, cascade: "weighed" | "classic"): MetaField<readonly string[]> {
  const clues = authorClues(page);
  if (cascade === "classic") return chooseInOrder(clues, classic);
  const people = new Set(clues.flatMap(({ value, rejected }) => (rejected === undefined ? value.map(nameKey) : [])));
  return chooseOrFirst(clues, weights, trustFor(page, "author"), classic, (clue) => isClearName(clue, people.size));
}

/** Sources whose text holds more than names. */
const mixedSources = /^(?:pattern:By|\.byline)$/;

/** True for a source that names only people, outside comments, teasers and footers. */
function isClearName({ source, value, signs }: Clue<readonly string[]>, people: number): boolean {
  const isInPlace = Object.keys(signs).some((sign) => sign.startsWith("by ") && signs[sign]! > 0 && !/:(?:comment|edge|aside)$/.test(sign));
  if (!isInPlace || value.length > 3 || signs["the site"]! > 0 || signs["like a group"]! > 0) return false;
  if (value.every(looksLikePerson)) return source !== "pattern:By" || people <= 2;
  return people === 1 && !mixedSources.test(source) && value.every((name) => /^\p{Lu}\p{L}{2,}$/u.test(name));
}

export function authorClues(page: PageView): Clue<readonly string[]>[] {
  const evidence = authorEvidence(page);
  if (evidence.every(({ names }) => names.length === 0)) return evidence.map(withoutNames);
  const usable: EvidenceKeys[] = [];
  for (const { kind, names } of evidence) if (names.length > 0) usable.push({ sign: `by ${kind}`, keys: names.map(nameKey) });
  const onPage = pageSigns(page);
  const site = siteKeys(page);
  const visibleText = visibleTextOf(page);
  const known = new Map<string, Record<string, number>>();
  return evidence.map((each) => {
    const { source, names } = each;
    if (names.length === 0) return withoutNames(each);
    const keys = names.map(nameKey);
    const key = keys.join("|");
    let signs = known.get(key);
    if (signs === undefined) {
      signs = { ...onPage };
      addSupport(keys, usable, signs);
      addFormSigns(names, keys, site, signs);
      addVisibility(names, visibleText, signs);
      known.set(key, signs);
    }
    return { source, value: names, signs };
  });
}

const withoutNames = ({ source, raw, rejected = "no name" }: AuthorEvidence): Clue<readonly string[]> => ({
  source,
  value: [raw],
  signs: {},
  rejected,
});

interface EvidenceKeys {
  readonly sign: string;
  readonly keys: readonly string[];
}

/** For each kind of evidence, the share of people it has in common with these names. */
function addSupport(keys: readonly string[], evidence: readonly EvidenceKeys[], signs: Record<string, number>): void {
  let agreeing = 0;
  for (const { sign, keys: others } of evidence) {
    let same = 0;
    for (const key of keys) if (isNameAmong(key, others)) same += 1;
    if (same === 0) continue;
    const share = (2 * same) / (keys.length + others.length);
    signs[sign] = Math.max(signs[sign] ?? 0, share);
    agreeing += 1;
  }
  signs.agreement = Math.min(1, (agreeing - 1) / 4);
}

function isNameAmong(key: string, others: readonly string[]): boolean {
  if (others.includes(key)) return true;
  if (others.length <= MAX_FOR_WORD_MATCH) for (const other of others) if (isLonger(key, other)) return true;
  return false;
}

/** Longer lists are compared by whole names only. */
const MAX_FOR_WORD_MATCH = 3;

/** Whether one name has all the words of the other, and more. */
function isLonger(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const first = short.indexOf(" ");
  if (first < 0 || !long.includes(short.slice(0, first))) return false;
  return short.split(" ").every((word) => ` ${long} `.includes(` ${word} `));
}

function addFormSigns(names: readonly string[], keys: readonly string[], site: readonly string[], signs: Record<string, number>): void {
  const share = (count: number) => count / names.length;
  signs["like a person"] = share(names.filter(looksLikePerson).length);
  signs["one word"] = share(names.filter((name) => !name.includes(" ")).length);
  signs["like a group"] = share(names.filter((name) => organisation.test(name)).length);
  signs.digits = share(names.filter((name) => /\d/.test(name)).length);
  signs["small letters"] = share(names.filter((name) => !/^\p{Lu}|^\p{Lo}/u.test(name)).length);
  signs["many words"] = share(names.filter((name) => name.split(" ").length > 4).length);
  signs.several = names.length > 1 ? 1 : 0;
  signs["many names"] = names.length > 4 ? 1 : 0;
  signs["the site"] = share(keys.filter((key) => site.some((name) => name === key.replaceAll(" ", ""))).length);
}

function siteKeys({ url, metas }: PageView): string[] {
  const host = urlOf(url)?.hostname.replace(/^www\./, "") ?? "";
  const name = nameKey(metas.get("og:site_name")?.[0] ?? "").replaceAll(" ", "");
  return [name, host.replace(/\.[a-z]+$/, "").replace(/[^a-z0-9]/g, ""), host.replace(/[^a-z0-9]/g, "")].filter((each) => each !== "");
}

/** Visible text in which names are looked up: all of it without comments, and the part near the headline. */
interface VisibleText {
  readonly all: string;
  readonly near: string;
  /** Cache by name, so that each name is searched for once. */
  readonly found: Map<string, { readonly anywhere: boolean; readonly near: boolean }>;
}

const MAX_VISIBLE_TEXT = 100_000;

function visibleTextOf(page: PageView): VisibleText {
  const { lines, headline } = surroundingsOf(page);
  const [from, to] = headline ? [headline.start - 300, headline.end + 800] : [0, 1000];
  let all = "";
  let near = "";
  for (const { text, at, marks: around } of lines) {
    if ((around & marks.comment) !== 0) continue;
    if (all.length > MAX_VISIBLE_TEXT) break;
    all += `${text.length > 300 ? text.slice(0, 300) : text} `;
    if (at > from && at < to) near += `${text.slice(0, 300)} `;
  }
  return { all: all.toLowerCase(), near: near.toLowerCase(), found: new Map() };
}

function addVisibility(names: readonly string[], { all, near, found }: VisibleText, signs: Record<string, number>): void {
  let anywhere = 0;
  let nearCount = 0;
  for (const name of names) {
    const lowerCase = name.toLowerCase();
    const known = found.get(lowerCase) ?? { anywhere: all.includes(lowerCase), near: near.includes(lowerCase) };
    found.set(lowerCase, known);
    if (known.anywhere) anywhere += 1;
    if (known.near) nearCount += 1;
  }
  signs.seen = anywhere / names.length;
  signs["seen near"] = nearCount / names.length;
}
