import type { Content } from "./changed-places.ts";
import { shapeOf, type Token, tokensOf } from "./tokens.ts";
import { valueRowAround } from "./units.ts";

/** A text or pattern that a person has chosen to ignore. */
export interface Ignored {
  /**
   * "text": these words, with any numbers, dates and codes between them. "pattern": `*` matches anything, as little as possible; at an end
   * it reaches to the end of the block.
   */
  readonly kind: "text" | "pattern";
  readonly value: string;
}

export const ignoredKinds = ["dates", "numbers", "whitespace"] as const;
export type IgnoredKind = (typeof ignoredKinds)[number];

/** Removes ignored parts from a text; "" if nothing else is left. */
export type Mask = (text: string) => string;

/** Undefined if nothing is ignored. */
export function maskOf(ignored: readonly Ignored[], kinds: readonly IgnoredKind[] = []): Mask | undefined {
  const usable = ignored.filter(hasLetterOrDigit);
  if (usable.length + kinds.length === 0) return undefined;
  const patterns = usable.filter(({ kind }) => kind === "pattern").map(({ value }) => value.split("*"));
  const texts = usable.filter(({ kind }) => kind === "text").map(({ value }) => tokenPatternOf(value));
  const wanted = new Set(kinds);
  return (text) => {
    const left = patterns.reduce(withoutPattern, text);
    const bare = texts.length + wanted.size === 0 ? left : withoutTokens(left, texts, wanted);
    const tidy = bare.replace(/\s+/g, " ").trim();
    return tidy !== text && !LETTER_OR_DIGIT.test(tidy) ? "" : tidy;
  };
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Whether it contains a letter or digit to match by. */
export const hasLetterOrDigit = ({ kind, value }: Ignored): boolean =>
  LETTER_OR_DIGIT.test(kind === "pattern" ? value.replaceAll("*", "") : value);

/** Links keep the beginning of their block, up to this length. */
const CONTEXT_LENGTH = 200;

/** Removes ignored parts from a content. A link in a removed block is removed too. */
export function withoutIgnored({ title, blocks, links, facts, ...more }: Content, mask: Mask): Content {
  const masked = blocks.map(mask);
  const gone = new Set(blocks.filter((block, at) => block !== "" && masked[at] === "").map((block) => block.slice(0, CONTEXT_LENGTH)));
  return {
    ...more,
    title: mask(title),
    ...(facts && { facts: facts.map((fact) => ({ ...fact, key: mask(fact.key) })) }),
    blocks: masked.filter((block, at) => block !== "" || blocks[at] === ""),
    links: links
      .filter(({ url, block }) => !gone.has(block.slice(0, CONTEXT_LENGTH)) && mask(url) !== "")
      .map((link) => ({ ...link, text: mask(link.text), block: mask(link.block), heading: mask(link.heading) })),
  };
}

/** Searches for each piece after the previous one. If a piece is not found, no later start can succeed either, so the scan is linear. */
function withoutPattern(text: string, pieces: readonly string[]): string {
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  let left = "";
  let from = 0;
  while (from < text.length) {
    const start = text.indexOf(first, from);
    let end = start < 0 ? -1 : start + first.length;
    for (const piece of pieces.slice(1)) {
      const at = end < 0 ? -1 : text.indexOf(piece, end);
      end = at < 0 ? -1 : at + piece.length;
    }
    if (end < 0) break;
    left += `${first === "" ? "" : text.slice(from, start)} `;
    from = last === "" && pieces.length > 1 ? text.length : end;
  }
  return left + text.slice(from);
}

interface TokenPattern {
  readonly names: readonly string[];
  /** Whether values among the tokens are matched by their form only. */
  readonly areShapes: boolean;
}

const isPunctuation = ({ form }: Token) => form === "p";
/** Tokens used of an ignored text: matching compares all positions, and this bound keeps the time proportional to the page. */
const MAX_TOKENS = 200;

/** An ignored text of numbers only matches exactly these; otherwise it would match every number. */
function tokenPatternOf(value: string): TokenPattern {
  const tokens = tokensOf(value)
    .filter((token) => !isPunctuation(token))
    .slice(0, MAX_TOKENS);
  const areShapes = tokens.some(({ form }) => form === "w");
  return { names: tokens.map((token) => (areShapes ? shapeOf(token) : token.text)), areShapes };
}

function withoutTokens(text: string, texts: readonly TokenPattern[], kinds: ReadonlySet<IgnoredKind>): string {
  const all = tokensOf(text);
  const isRemoved = new Uint8Array(all.length);
  const words = all.flatMap((token, at) => (isPunctuation(token) ? [] : [at]));
  const shapes = words.map((at) => shapeOf(all[at]!));
  const plain = words.map((at) => all[at]!.text);
  for (const { names, areShapes } of texts) {
    const own = areShapes ? shapes : plain;
    for (let at = 0; at + names.length <= own.length; at += 1) {
      if (names.every((name, place) => name === own[at + place])) isRemoved.fill(1, words[at], words[at + names.length - 1]! + 1);
    }
  }
  if (kinds.has("dates")) removeDates(all, isRemoved);
  if (kinds.has("numbers")) for (const [at, { form }] of all.entries()) if (form === "n") isRemoved[at] = 1;
  return rebuildText(text, all, isRemoved);
}

/** Removes each row of date values once. */
function removeDates(tokens: readonly Token[], isRemoved: Uint8Array): void {
  for (const [at, { form }] of tokens.entries())
    if (isRemoved[at] === 0 && (form === "d" || form === "m")) isRemoved.fill(1, ...valueRowAround(tokens, [at, at + 1]));
}

/** Rebuilds the text from the kept tokens; between tokens there is only white space. */
function rebuildText(text: string, tokens: readonly Token[], isRemoved: Uint8Array): string {
  let [kept, from, isGap] = ["", 0, false];
  for (const [index, token] of tokens.entries()) {
    const at = text.indexOf(token.text, from);
    const before = text.slice(from, at);
    from = at + token.text.length;
    if (isRemoved[index] === 1) isGap = true;
    else {
      kept += (isGap && kept !== "" && !isPunctuation(token) ? " " : before) + token.text;
      isGap = false;
    }
  }
  return kept;
}
