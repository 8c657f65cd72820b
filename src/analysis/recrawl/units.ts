import { hunksBetween } from "../../core/alignment.ts";
import type { ChangedPlace, Content } from "./changed-places.ts";
import { isValueToken, shapeOf, skeletonOf, type Token, tokensOf } from "./tokens.ts";

/** A block, or a run of blocks that are each one link, or each a picture: such a list is one unit, however its entries change. */
export interface Unit {
  readonly blocks: readonly string[];
  readonly isList: boolean;
  readonly tokens: readonly Token[];
  readonly skeleton: string;
}

/** Links keep the beginning of their block, up to this length. */
const CONTEXT_LENGTH = 200;
const LISTS = { links: [{ text: "{links}", form: "w" }], pictures: [{ text: "{pictures}", form: "w" }] } as const;

export function unitsOf({ title, blocks, links, headings, pictures }: Content): Unit[] {
  const linkOnlyBlocks = new Set(links.filter(({ text, block }) => text !== "" && text === block).map(({ text }) => text));
  const units: Unit[] = [];
  let list: { kind: keyof typeof LISTS; blocks: string[] } | undefined;
  const titleAt = blocks.indexOf(title);
  for (const [at, block] of blocks.entries()) {
    const isLink = at !== titleAt && !headings?.has(block) && linkOnlyBlocks.has(block.slice(0, CONTEXT_LENGTH));
    const isGallery = [blocks[at - 1], blocks[at + 1]].some((next) => next !== undefined && pictures?.has(next));
    const kind = isLink ? "links" : pictures?.has(block) && isGallery ? "pictures" : undefined;
    if (kind) {
      if (list?.kind === kind) list.blocks.push(block);
      else {
        list = { kind, blocks: [block] };
        units.push({ blocks: list.blocks, isList: true, tokens: LISTS[kind], skeleton: `{${kind}}` });
      }
      continue;
    }
    list = undefined;
    const tokens = tokensOf(block);
    units.push({ blocks: [block], isList: false, tokens, skeleton: at === titleAt ? "{title}" : skeletonOf(tokens) });
  }
  return units;
}

type Range = readonly [start: number, end: number];

const textOf = ({ text }: Token) => text;

/** Where two readings of a block differ. A row of values, such as a date, counts as one place. */
export function valuePlaces(
  old: string,
  fresh: string,
  blocks: ChangedPlace["blocks"],
  keysOf: (range: Range, tokens: readonly Token[]) => string[],
): ChangedPlace[] {
  const [was, is] = [tokensOf(old), tokensOf(fresh)];
  const places: ChangedPlace[] = [];
  let end = -1;
  for (const hunk of hunksBetween(was.map(textOf), is.map(textOf))) {
    if (hunk.to[0] < end) continue;
    const [before, now] = [was.slice(...hunk.from), is.slice(...hunk.to)];
    const isValue = formOf(before) !== undefined && formOf(now) !== undefined;
    const range = isValue ? valueRowAround(is, hunk.to) : hunk.to;
    if (isValue) end = range[1];
    const keys = keysOf(range, is).map((key) => `${isValue ? "V" : "W"} ${key}`);
    const joined = (tokens: readonly Token[]) => [tokens.map(textOf).join(" ")];
    const fields = { keys, before: joined(before), now: joined(now), blocks };
    if (!isValue) places.push({ kind: "words", ...fields, form: "1", formBefore: "1" });
    else {
      const form = formOf(is.slice(...range)) ?? "";
      places.push({
        kind: "value",
        ...fields,
        form,
        formBefore: form,
        isMoney: hasCurrency(is[range[0] - 1]) || hasCurrency(is[range[1]]),
      });
    }
  }
  return places;
}

const hasCurrency = (token: Token | undefined) =>
  token !== undefined && /\p{Sc}|^(?:eur|usd|gbp|chf|jpy|cny|inr|cad|aud|sek|nok|dkk|pln|czk|huf)$/iu.test(token.text);

/** The form of a row of filled-in values; undefined if it contains a word or no value. */
function formOf(tokens: readonly Token[]): string | undefined {
  if (!tokens.some(isValueToken) || tokens.some(({ form }) => form === "w")) return undefined;
  return tokens.map((token) => (token.form === "p" ? token.text : token.form)).join(" ");
}

/** Extends the range to adjacent values, with nothing or a separator between them: 3 May 2027, 14:05. */
export function valueRowAround(tokens: readonly Token[], [start, end]: Range): Range {
  let [left, right] = [start, end];
  while (isJoined(tokens, left, -1)) left -= isValueToken(tokens[left - 1]!) ? 1 : 2;
  while (isJoined(tokens, right - 1, 1)) right += isValueToken(tokens[right]!) ? 1 : 2;
  return [left, right];
}

function isJoined(tokens: readonly Token[], at: number, step: 1 | -1): boolean {
  const [next, further] = [tokens[at + step], tokens[at + 2 * step]];
  if (next && isValueToken(next)) return true;
  if (next?.form !== "p" || !further || !isValueToken(further)) return false;
  const isDate = [tokens[at - 1], tokens[at], further, tokens[at + 3 * step]].some((token) => token?.form === "m");
  return /^[:/–-]$/.test(next.text) || (next.text === "," && isDate);
}

/** For each token, the start of its row; with a step of 1 the row's last token. One pass, in linear time. */
function rowEnds(tokens: readonly Token[], step: 1 | -1): Int32Array {
  const ends = new Int32Array(tokens.length);
  for (let at = step < 0 ? 0 : tokens.length - 1; at >= 0 && at < tokens.length; at -= step)
    ends[at] = isJoined(tokens, at, step) ? ends[at + (isValueToken(tokens[at + step]!) ? step : 2 * step)]! : at;
  return ends;
}

/** Keys by the context in its own block (or, without a word there, by the words before it), and by the nearest words of the page. */
export function keysAround(units: readonly Unit[], y: number, own: readonly Token[], [start, end]: Range): string[] {
  const [left, right] = [own.slice(Math.max(0, start - 3), start), own.slice(end, end + 3)];
  const hasWord = [...left, ...right].some(({ form }) => form === "w");
  const edges = [start <= 3 ? "^" : "", own.length - end <= 3 ? "$" : ""];
  const inside = `${edges[0]}${left.map(shapeOf).join(" ")} … ${right.map(shapeOf).join(" ")}${edges[1]}`;
  const tokensAt = (at: number) => (at === y ? own : units[at]?.tokens);
  const before = wordsFrom(tokensAt, [y, start - 1], -1, 2);
  const keys = [hasWord ? inside : `${before} …¶`, `${before} … ${wordsFrom(tokensAt, [y, end], 1, 1)}`];
  const label = units[y - 1];
  // The words before a label differ from page to page.
  const isLabelled = !own.some(({ form }) => form === "w") && label !== undefined && isLabel(label);
  return isLabelled ? [...keys, `¶${label.skeleton}¶${inside}`] : keys;
}

const MAX_LABEL = 6;
const isLabel = ({ tokens, isList }: Unit) =>
  !isList && tokens.length <= MAX_LABEL && tokens.every(({ form }) => form === "w" || form === "p");

const MAX_STEPS = 8;

function wordsFrom(tokensAt: (block: number) => readonly Token[] | undefined, [block, start]: Range, step: 1 | -1, words: number): string {
  const found: string[] = [];
  let [y, at, left] = [block, start, words];
  while (left > 0 && found.length < MAX_STEPS) {
    const token = tokensAt(y)?.[at];
    if (token) {
      found.push(shapeOf(token));
      if (token.form === "w") left -= 1;
      at += step;
      continue;
    }
    y += step;
    const tokens = tokensAt(y);
    if (tokens === undefined) break;
    at = step > 0 ? 0 : tokens.length - 1;
    found.push("¶");
  }
  return (step > 0 ? found : found.reverse()).join(" ");
}

/** Keys by the units before and after a range of units. */
export function keysBetween(units: readonly Unit[], left: number, right: number): string[] {
  const [before, after] = [units[left]?.skeleton ?? "^", units[right]?.skeleton ?? "$"];
  return [`B ${before}|${after}`, `B< ${before}`, `B> ${after}`];
}

/** The keys of all places with a value or a block: what could change, whether it does or not. */
export function placeKeysIn(content: Content): Set<string> {
  const units = unitsOf(content);
  const keys = new Set<string>();
  for (const [y, { tokens }] of units.entries()) {
    for (const key of keysBetween(units, y - 1, y + 1)) keys.add(key);
    const [starts, ends] = [rowEnds(tokens, -1), rowEnds(tokens, 1)];
    for (const [at, token] of tokens.entries()) {
      if (isValueToken(token)) for (const key of keysAround(units, y, tokens, [starts[at]!, ends[at]! + 1])) keys.add(`V ${key}`);
    }
  }
  return keys;
}
