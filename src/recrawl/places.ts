import { type Hunk, hunksBetween } from "./alignment.ts";
import { type Moments, withoutClock } from "./clock-noise.ts";
import { isFilledIn, skeletonOf, type Token, tokensOf } from "./tokens.ts";

export interface ContentLink {
  readonly url: string;
  readonly text: string;
  /** The beginning of the block it stands in. */
  readonly block: string;
}

/** What a page says, as it is compared. */
export interface Content {
  readonly title: string;
  readonly blocks: readonly string[];
  readonly links: readonly ContentLink[];
}

/** A place where two contents differ. */
export interface Place {
  /** A value that programs fill in; words within a block; whole blocks; links that no block shows. */
  readonly kind: "value" | "words" | "blocks" | "links";
  /** Names of the place by what stands around it, the most exact first. Pages of one template share them. */
  readonly keys: readonly string[];
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** What the value looks like now. */
  readonly form: string;
  /** The blocks it is in. */
  readonly blocks: { readonly before: readonly string[]; readonly now: readonly string[] };
}

/** Without what only tells the time. */
export function placesBetween(before: Content, now: Content, by: "links" | "text" | "both", at: Moments): Place[] {
  const compare = (was: string, is: string) => withoutClock(was, is, at);
  return [
    ...(by === "links" ? [] : textPlaces(before, now, compare)),
    ...(by === "text" ? [] : linkPlaces(before.links, now.links, compare)),
  ];
}

type Compare = (was: string, is: string) => [was: string, is: string];

interface Side {
  readonly blocks: readonly string[];
  readonly tokens: readonly (readonly Token[])[];
  readonly skeletons: readonly string[];
}

function sideOf({ title, blocks }: Content): Side {
  const tokens = blocks.map(tokensOf);
  return { blocks, tokens, skeletons: tokens.map((each, at) => (blocks[at] === title ? "{title}" : skeletonOf(each))) };
}

/** Blocks are lined up by what stays of them without filled-in values, so that a value is never more than a value. */
function textPlaces(before: Content, now: Content, compare: Compare): Place[] {
  const [a, b] = [sideOf(before), sideOf(now)];
  const places: Place[] = [];
  let [x, y] = [0, 0];
  for (const hunk of [...hunksBetween(a.skeletons, b.skeletons), undefined]) {
    for (const end = hunk?.from[0] ?? a.blocks.length; x < end; x += 1, y += 1) {
      if (a.blocks[x] !== b.blocks[y]) places.push(...placesInBlock(a, b, { x, y, compare }));
    }
    if (!hunk) break;
    places.push(...placesInHunk(a, b, hunk, compare));
    [x, y] = [hunk.from[1], hunk.to[1]];
  }
  return places;
}

/** More blocks than these are not held against each other one by one. */
const MOST_PAIRS = 2500;
const ALIKE = 0.7;

/** Blocks that are much alike are the same block with another word in it; the rest came and went. */
function placesInHunk(a: Side, b: Side, { from, to }: Hunk, compare: Compare): Place[] {
  const places: Place[] = [];
  let [x, y] = [from[0], to[0]];
  const isSmall = (from[1] - from[0]) * (to[1] - to[0]) <= MOST_PAIRS;
  for (let next = x; isSmall && next < from[1]; next += 1) {
    const match = firstAlike(a, next, b, [y, to[1]], compare);
    if (match === undefined) continue;
    if (next > x || match > y) places.push(blocksPlace(a, b, { from: [x, next], to: [y, match] }));
    places.push(...placesInBlock(a, b, { x: next, y: match, compare }));
    [x, y] = [next + 1, match + 1];
  }
  if (x < from[1] || y < to[1]) places.push(blocksPlace(a, b, { from: [x, from[1]], to: [y, to[1]] }));
  return places;
}

function firstAlike(a: Side, x: number, b: Side, [start, end]: readonly [number, number], compare: Compare): number | undefined {
  const words = new Set(a.tokens[x]!.map(shapeOf));
  for (let y = start; y < end; y += 1) {
    const other = new Set(b.tokens[y]!.map(shapeOf));
    const common = [...other].filter((word) => words.has(word)).length;
    if (common / Math.max(words.size, other.size, 1) >= ALIKE) return y;
    const [was, is] = compare(a.blocks[x]!, b.blocks[y]!);
    if (was === is) return y;
  }
  return undefined;
}

function blocksPlace(a: Side, b: Side, { from, to }: Hunk): Place {
  const [left, right] = [b.skeletons[to[0] - 1] ?? "^", b.skeletons[to[1]] ?? "$"];
  const [before, now] = [a.blocks.slice(...from), b.blocks.slice(...to)];
  const keys = [`B ${left}|${right}`, `B< ${left}`, `B> ${right}`];
  return { kind: "blocks", keys, before, now, form: "", blocks: { before, now } };
}

const shapeOf = (token: Token) => (isFilledIn(token) ? `{${token.form}}` : token.text.toLowerCase());

function placesInBlock(a: Side, b: Side, { x, y, compare }: { x: number; y: number; compare: Compare }): Place[] {
  const [before, now] = [a.blocks[x]!, b.blocks[y]!];
  const [old, fresh] = compare(before, now);
  if (old === fresh) return [];
  const [was, is] = [old === before ? a.tokens[x]! : tokensOf(old), fresh === now ? b.tokens[y]! : tokensOf(fresh)];
  const tokens = fresh === now ? b.tokens : b.tokens.with(y, is);
  const blocks = { before: [before], now: [now] };
  const hunks = hunksBetween(was.map(textOf), is.map(textOf));
  // Nothing that could be pointed at, but the fingerprint saw it.
  if (hunks.length === 0) return [{ kind: "words", keys: [`W ${b.skeletons[y]}`], ...blocks, form: "", blocks }];
  return hunks.map(({ from, to }) => placeOf(was.slice(...from), is.slice(...to), blocks, keysAround(tokens, y, to)));
}

const textOf = ({ text }: Token) => text;

function placeOf(old: readonly Token[], fresh: readonly Token[], blocks: Place["blocks"], around: readonly string[]): Place {
  const form = formOf(fresh);
  const isValue = form !== undefined && formOf(old) !== undefined;
  const joined = (tokens: readonly Token[]) => [tokens.map(textOf).join(" ")];
  const keys = around.map((key) => `${isValue ? "V" : "W"} ${key}`);
  return { kind: isValue ? "value" : "words", keys, before: joined(old), now: joined(fresh), form: isValue ? form : "", blocks };
}

/** What a row of filled-in values looks like; undefined if there is a word among them. */
function formOf(tokens: readonly Token[]): string | undefined {
  const isAllFilledIn = tokens.length > 0 && tokens.every((token) => token.form !== "w") && tokens.some(isFilledIn);
  return isAllFilledIn ? tokens.map((token) => (token.form === "p" ? token.text : token.form)).join(" ") : undefined;
}

/** By its own block, if that has a word beside it, and by the nearest words of the page. */
function keysAround(tokens: Side["tokens"], y: number, [start, end]: readonly [number, number]): string[] {
  const own = tokens[y]!;
  const near = [...own.slice(Math.max(0, start - 3), start), ...own.slice(end, end + 3)];
  const inside = `${own
    .slice(Math.max(0, start - 3), start)
    .map(shapeOf)
    .join(" ")} … ${own
    .slice(end, end + 3)
    .map(shapeOf)
    .join(" ")}`;
  const isBounded = `${start <= 3 ? "^" : ""}${own.length - end <= 3 ? "$" : ""}`;
  const left = wordsFrom(tokens, y, start - 1, -1, 2);
  const right = wordsFrom(tokens, y, end, 1, 1);
  return [`${left} … ${right}`, ...(near.some(({ form }) => form === "w") ? [`${isBounded} ${inside}`] : [])];
}

const MOST_STEPS = 8;

function wordsFrom(tokens: readonly (readonly Token[])[], block: number, start: number, step: 1 | -1, words: number): string {
  const found: string[] = [];
  let [y, at, left] = [block, start, words];
  while (left > 0 && found.length < MOST_STEPS) {
    const token = tokens[y]?.[at];
    if (!token) {
      y += step;
      if (tokens[y] === undefined) break;
      at = step > 0 ? 0 : tokens[y]!.length - 1;
      found.push("¶");
      continue;
    }
    found.push(shapeOf(token));
    if (token.form === "w") left -= 1;
    at += step;
  }
  return (step > 0 ? found : found.reverse()).join(" ");
}

const nameOf = ({ url, text }: ContentLink) => `${url} ${text}`;
const textShape = (text: string) => skeletonOf(tokensOf(text));
const bare = (url: string) => url.replace(/=[^&#]*/g, "=");

function linkPlaces(before: readonly ContentLink[], now: readonly ContentLink[], compare: Compare): Place[] {
  return hunksBetween(before.map(nameOf), now.map(nameOf)).flatMap(({ from, to }) => {
    const [old, fresh] = [before.slice(...from), now.slice(...to)];
    if (old.length === fresh.length && old.every((link, at) => isSameLink(link, fresh[at]!))) {
      return old.flatMap((link, at) => linkValue(link, fresh[at]!, compare));
    }
    const around = `${textShape(now[to[0] - 1]?.text ?? "^")}|${textShape(now[to[1]]?.text ?? "$")}`;
    const blocks = { before: old.map(({ block }) => block), now: fresh.map(({ block }) => block) };
    return [{ kind: "links", keys: [`L ${around}`], before: old.map(nameOf), now: fresh.map(nameOf), form: "", blocks }];
  });
}

/** A link with another token in its query, or another number in its words. */
const isSameLink = (a: ContentLink, b: ContentLink) => bare(a.url) === bare(b.url) && textShape(a.text) === textShape(b.text);

function linkValue(old: ContentLink, fresh: ContentLink, compare: Compare): Place[] {
  const [was, is] = compare(nameOf(old), nameOf(fresh));
  if (was === is) return [];
  const blocks = old.url === fresh.url ? { before: [old.block], now: [fresh.block] } : { before: [], now: [] };
  return [{ kind: "value", keys: [`V href ${bare(fresh.url)} ${textShape(fresh.text)}`], before: [was], now: [is], form: "", blocks }];
}

/** The names of every place where a value stands: what could change, whether it does or not. */
export function valueKeysIn(content: Content): Set<string> {
  const side = sideOf(content);
  const keys = new Set<string>();
  for (const [y, tokens] of side.tokens.entries()) {
    for (const [at, token] of tokens.entries()) {
      if (isFilledIn(token)) for (const key of keysAround(side.tokens, y, [at, at + 1])) keys.add(`V ${key}`);
    }
  }
  return keys;
}
