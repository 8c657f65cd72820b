/** How much of a context fits into a number of tokens: whole passages, then whole sentences, never half of one. */

/** An estimate that rather says too much: about four Latin letters a token, one for each letter of scripts without spaces. */
export function tokensOf(text: string): number {
  let wide = 0;
  for (const _ of text.matchAll(/[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff]/g)) wide += 1;
  return Math.ceil((text.length - wide) / 3.6) + wide;
}

/** As much of a passage as fits: all of it, or its first sentences. Code and tables are whole or nothing. */
export function whatFits(passage: string, tokens: number): string {
  if (tokensOf(passage) <= tokens) return passage;
  if (/^\s*(?:[`~]{3}|\|)/.test(passage)) return "";
  const kept: string[] = [];
  let left = tokens;
  for (const part of partsOf(passage)) {
    const cost = tokensOf(part);
    if (cost > left) break;
    kept.push(part);
    left -= cost;
  }
  return kept.join("").trimEnd();
}

/** Items of a list are its parts; a paragraph has sentences. */
function partsOf(passage: string): string[] {
  if (/^\s*(?:[-*+]|\d+[.)]) /.test(passage)) return passage.match(/[^\n]*\n?/g)!.filter((line) => line !== "");
  return [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(passage)].map(({ segment }) => segment);
}
