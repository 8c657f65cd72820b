/** `budget`, or `budget=0.5`: a word or phrase, and what it weighs. Undefined if that cannot be read. */
export function readKeyword(text: string): readonly [word: string, weight: number] | undefined {
  const [, written = "", number] = /^([^=]*?)(?:=([^=]*))?$/s.exec(text.trim()) ?? [];
  const word = written.trim().replace(/\s+/g, " ");
  const weight = number === undefined ? 1 : number.trim() === "" ? Number.NaN : Number(number);
  return isKeyword(word) && weight >= 0 && weight <= 1 ? [word, weight] : undefined;
}

export const MOST_LETTERS = 100;

/** Lists of keywords in the views are written `;a;b;`, so that `LIKE '%;a;%'` finds one: no keyword may hold a semicolon. */
export const isKeyword = (word: string): boolean => word.trim() !== "" && word.length <= MOST_LETTERS && !word.includes(";");

/** One a line; what follows a # at the beginning of a line or after a space is a comment. */
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
