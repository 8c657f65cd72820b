/** Compares texts by letters and digits only, ignoring case, quotes, dashes and spaces. */

import { decodeHTML } from "entities/decode";
import { limitMarks } from "../../core/code-units.ts";
import { tidy } from "../parse/index.ts";
import { cachedByText } from "./text-cache.ts";

const asciiOnly = /^[\x20-\x7e]*$/;

export const comparisonKey = cachedByText((text) => {
  if (asciiOnly.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return limitMarks(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
});

/** As `keyOf`, without Unicode normalisation. Patterns with Unicode classes are slow, and most text is ASCII. */
export const simplified = (text: string): string =>
  text.toLowerCase().replace(asciiOnly.test(text) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, "");

export const wordsOf = (text: string): string[] => {
  if (asciiOnly.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return (
    limitMarks(text)
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
};

/** The share of the words in `some` that are also in `all`. */
export function shareIn(some: readonly string[], all: ReadonlySet<string>): number {
  if (some.length === 0) return 0;
  return some.filter((word) => all.has(word)).length / some.length;
}

const inlineTags = /<\/?(?:a|abbr|b|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?>/gi;

/** Decodes text that was escaped twice and strips markup from attributes and metadata: both are common. */
export function plainText(text: string): string {
  const decoded = /&(?:#x?[\da-f]{1,7}|[a-z]\w{1,31});/i.test(text) ? decodeHTML(text) : text;
  const simplified = /<\/?[a-z]/i.test(decoded) ? decoded.replace(inlineTags, "").replace(/<\/?[a-z][^<>]*>/gi, " ") : decoded;
  return tidy(simplified.replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, ""));
}
