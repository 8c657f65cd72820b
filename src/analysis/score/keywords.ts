/** Parses `budget` or `budget=0.5`: a word or phrase and its weight. Undefined if invalid. */
export function readKeyword(text: string): readonly [word: string, weight: number] | undefined {
  const [, written = "", number] = /^([^=]*?)(?:=([^=]*))?$/s.exec(text.trim()) ?? [];
  const word = written.trim().replace(/\s+/g, " ");
  const weight = number === undefined ? 1 : number.trim() === "" ? Number.NaN : Number(number);
  return isKeyword(word) && weight >= 0 && weight <= 1 ? [word, weight] : undefined;
}

export const MAX_KEYWORD_LENGTH = 100;

/** Views list keywords as `;a;b;`, so that `LIKE '%;a;%'` finds one; so a keyword must not contain a semicolon. */
export const isKeyword = (word: string): boolean => word.trim() !== "" && word.length <= MAX_KEYWORD_LENGTH && !word.includes(";");

/** One keyword per line; a # at the start of a line or after a space begins a comment. */
export const keywordLines = (text: string): string[] =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) =>
      line
        .replace(/^\uFEFF/, "")
        .replace(/(^|\s)#.*$/, "")
        .trim(),
    )
    .filter((line) => line !== "");
