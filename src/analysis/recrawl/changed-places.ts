import { type Hunk, hunksBetween } from "../../core/alignment.ts";
import type { PageFact } from "../../core/records.ts";
import { linkPlaces } from "./link-places.ts";
import { type ReadTimes, withoutTimeTexts } from "./time-noise.ts";
import { keysAround, keysBetween, type Unit, unitsOf, valuePlaces } from "./units.ts";

export interface ContentLink {
  readonly url: string;
  /** The URL without parts that differ on every fetch; the URL itself if there are none. */
  readonly key?: string;
  readonly text: string;
  readonly heading: string;
  /** The beginning of the block it is in. */
  readonly block: string;
}

/** The content of a page as it is compared. */
export interface Content {
  readonly title: string;
  readonly blocks: readonly string[];
  readonly links: readonly ContentLink[];
  /** Facts of the head; the key is the value without parts that differ on every fetch. */
  readonly facts?: readonly (PageFact & { readonly key: string })[];
  /** Blocks that contain parts which differ on every fetch, each with its text without them. */
  readonly steady?: ReadonlyMap<string, string>;
  /** Blocks that are not compared because they are transient. */
  readonly hidden?: readonly string[];
  /** Texts of headings, since the same words may also be in a list of links. */
  readonly headings?: ReadonlySet<string>;
  /** Blocks that are pictures. */
  readonly pictures?: ReadonlySet<string>;
}

/** A place where two contents differ. */
export interface ChangedPlace {
  /** A filled-in value; words within a block; whole blocks; links that no block shows. */
  readonly kind: "value" | "words" | "blocks" | "links";
  /** Keys of the place by its context, the most exact first. Pages of one template share them. */
  readonly keys: readonly string[];
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** The form of a value; for other kinds the number of items, now and before. */
  readonly form: string;
  readonly formBefore: string;
  /** A value with a currency beside it. */
  readonly isMoney?: boolean;
  /** The name of a fact of the head. */
  readonly fact?: string;
  /** Links that were added or removed together with their block. */
  readonly isOfBlock?: true;
  /** The blocks that contain the place. */
  readonly blocks: { readonly before: readonly string[]; readonly now: readonly string[] };
}

/** Returns two readings of a text without parts that only reflect the time. */
export type Compare = (was: string, is: string) => [was: string, is: string];

/** Where two contents differ, except for parts that only reflect the time. */
export function placesBetween(before: Content, now: Content, by: "links" | "text" | "both", at: ReadTimes): ChangedPlace[] {
  const compare: Compare = (was, is) => withoutTimeTexts(before.steady?.get(was) ?? was, now.steady?.get(is) ?? is, at);
  const text = by === "links" ? [] : [...textPlaces(before, now, compare), ...headChanges(before, now, compare)];
  return by === "text" ? text : [...text, ...linkPlaces(before, now, compare)];
}

/** Facts of the head, one place per name. */
function headChanges(before: Content, now: Content, compare: Compare): ChangedPlace[] {
  const [old, fresh] = [factsByName(before), factsByName(now)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((fact): ChangedPlace[] => {
    const [was, is] = compare(old.get(fact) ?? "", fresh.get(fact) ?? "");
    if (was === is) return [];
    const [value] = valuePlaces(was, is, NO_BLOCKS, () => [`head ${fact}`]);
    const fields = { before: was === "" ? [] : [was], now: is === "" ? [] : [is], blocks: NO_BLOCKS, fact };
    const isValue = value?.kind === "value" && was !== "" && is !== "";
    return [{ ...(isValue ? value : { kind: "words", keys: [`W head ${fact}`], form: "1", formBefore: "1" }), ...fields }];
  });
}

const NO_BLOCKS = { before: [], now: [] };

function factsByName({ facts = [] }: Content): Map<string, string> {
  const found = new Map<string, string[]>();
  for (const { name, key } of facts) {
    const known = found.get(name);
    if (known) known.push(key);
    else found.set(name, [key]);
  }
  return new Map([...found].map(([name, keys]) => [name, keys.join(" | ")]));
}

/** Blocks are aligned by their text without filled-in values, so a changed value is never reported as more than a value. */
function textPlaces(before: Content, now: Content, compare: Compare): ChangedPlace[] {
  const [a, b] = [unitsOf(before), unitsOf(now)];
  const skeletons = (units: readonly Unit[]) => units.map(({ skeleton }) => skeleton);
  const places: ChangedPlace[] = [];
  let [x, y] = [0, 0];
  for (const hunk of [...hunksBetween(skeletons(a), skeletons(b)), undefined]) {
    for (const end = hunk?.from[0] ?? a.length; x < end; x += 1, y += 1) places.push(...placesInUnit(a, b, x, y, compare));
    if (!hunk) break;
    places.push(...placesInHunk(a, b, hunk, compare));
    [x, y] = [hunk.from[1], hunk.to[1]];
  }
  return places;
}

/** With more pairs of blocks than this, blocks are not compared one by one. */
const MAX_PAIRS = 2500;

/** Very similar blocks are the same block with changed words; the rest were removed and added. */
function placesInHunk(a: readonly Unit[], b: readonly Unit[], { from, to }: Hunk, compare: Compare): ChangedPlace[] {
  const places: ChangedPlace[] = [];
  let [x, y] = [from[0], to[0]];
  const isSmall = (from[1] - from[0]) * (to[1] - to[0]) <= MAX_PAIRS;
  for (let next = x; isSmall && next < from[1]; next += 1) {
    const match = b.slice(y, to[1]).findIndex((unit) => areAlike(a[next]!, unit, compare)) + y;
    if (match < y) continue;
    if (next > x || match > y) places.push(blocksPlace(a, b, { from: [x, next], to: [y, match] }));
    places.push(...placesInUnit(a, b, next, match, compare));
    [x, y] = [next + 1, match + 1];
  }
  if (x < from[1] || y < to[1]) places.push(blocksPlace(a, b, { from: [x, from[1]], to: [y, to[1]] }));
  return places;
}

const MIN_SIMILARITY = 0.6;
const MAX_LINE_TOKENS = 30;

/** By their longer words, if there are at least two. */
function areAlike(a: Unit, b: Unit, compare: Compare): boolean {
  if (a.isList !== b.isList) return false;
  const [words, others] = [wordsOf(a), wordsOf(b)];
  const hasEnoughWords = Math.min(words.size, others.size) >= 2;
  const [left, right] = hasEnoughWords ? [words, others] : [new Set(a.skeleton.split(" ")), new Set(b.skeleton.split(" "))];
  const common = [...right].filter((word) => left.has(word)).length;
  if (common / Math.max(left.size, right.size, 1) >= MIN_SIMILARITY) return true;
  const [was, is] = compare(a.blocks[0]!, b.blocks[0]!);
  return was === is;
}

const wordsOf = ({ tokens }: Unit) =>
  new Set(tokens.flatMap(({ form, text }) => (form === "w" && text.length > 3 ? [text.toLowerCase()] : [])));

const blocksOf = (units: readonly Unit[]) => units.flatMap(({ blocks }) => blocks);

function blocksPlace(a: readonly Unit[], b: readonly Unit[], { from, to }: Hunk): ChangedPlace {
  const [before, now] = [blocksOf(a.slice(...from)), blocksOf(b.slice(...to))];
  const blocks = { before, now };
  const forms = { form: String(now.length), formBefore: String(before.length) };
  return { kind: "blocks", keys: keysBetween(b, to[0] - 1, to[1]), ...blocks, ...forms, blocks };
}

function placesInUnit(a: readonly Unit[], b: readonly Unit[], x: number, y: number, compare: Compare): ChangedPlace[] {
  const [was, is] = [a[x]!, b[y]!];
  if (is.isList) return listPlace(was, is, keysBetween(b, y - 1, y + 1), compare);
  const [before, now] = [was.blocks[0]!, is.blocks[0]!];
  if (before === now) return [];
  const [old, fresh] = compare(before, now);
  if (old === fresh) return [];
  const blocks = { before: [before], now: [now] };
  const places = valuePlaces(old, fresh, blocks, (range, tokens) => keysAround(b, y, tokens, range));
  // In a short line changed words count as the whole line. If only white space differs, there is no smaller place either.
  const isLine = is.tokens.length <= MAX_LINE_TOKENS && places.some(({ kind }) => kind === "words");
  return isLine || places.length === 0 ? [blocksPlace(a, b, { from: [x, x + 1], to: [y, y + 1] })] : places;
}

const areEqual = ([was, is]: readonly [string, string]) => was === is;

/** Entries added to and removed from a list of links. A changed order is no news. */
function listPlace({ blocks: was }: Unit, { blocks: is }: Unit, keys: readonly string[], compare: Compare): ChangedPlace[] {
  if (was.join("\n") === is.join("\n")) return [];
  // An entry may replace another and differ only in a count or a time.
  const isSame = (at: number) => was.length === is.length && areEqual(compare(was[at]!, is[at]!));
  const [old, fresh] = [new Set(was), new Set(is)];
  const [before, now] = [
    was.filter((block, at) => !fresh.has(block) && !isSame(at)),
    is.filter((block, at) => !old.has(block) && !isSame(at)),
  ];
  if (before.length + now.length === 0) return [];
  const forms = { form: String(is.length), formBefore: String(was.length) };
  return [{ kind: "blocks", keys, before, now, ...forms, blocks: { before, now } }];
}
