import type { Query, Term } from "../../analysis/search/index.ts";
import { limitMarks } from "../../core/code-units.ts";
import type { IndexedPage } from "../search.ts";
import type { TextIndex } from "../sqlite/dialect.ts";

/**
 * PostgreSQL's full-text index. Words are passed as they are and not through its dictionaries, so that a page is found by the same words
 * as in SQLite: letters and digits of any script, ignoring case, Latin letters without accents.
 */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const ACCENTED = /(\p{Script=Latin})[\u0300-\u036f]+/gu;

/** PostgreSQL's limits: word length, positions per word, highest position, and total size per page. */
const MAX_WORD_LENGTH = 500;
const MAX_POSITIONS = 255;
const MAX_POSITION = 16_383;
const MAX_BYTES = 900_000;

function wordsOf(text: string): string[] {
  const plain = limitMarks(text).normalize("NFD").replace(ACCENTED, "$1").normalize("NFC").toLowerCase();
  return (plain.match(WORD) ?? []).map((word) => Array.from(word).slice(0, MAX_WORD_LENGTH).join(""));
}

/** The position of each word. One position is skipped between title and text, so that no phrase matches across both. */
export function vectorOf({ title, text }: { readonly title: string; readonly text: string }): string {
  const positions = new Map<string, string[]>();
  let bytes = 0;
  let position = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      position = Math.min(position + 1, MAX_POSITION);
      const known = positions.get(word);
      bytes += known ? 2 : Buffer.byteLength(word) + 8;
      if (bytes > MAX_BYTES) return;
      if (!known) positions.set(word, [`${position}${weight}`]);
      else if (known.length < MAX_POSITIONS && position < MAX_POSITION) known.push(`${position}${weight}`);
    }
  };
  add(wordsOf(title), "A");
  position += 1;
  add(wordsOf(text), "");
  return [...positions].map(([word, at]) => `${quoted(word)}:${at.join(",")}`).join(" ");
}

const quoted = (word: string) => `'${word}'`;

function phraseOf({ words, isBeginning }: Term): string {
  const all = wordsOf(words).map(quoted);
  if (isBeginning && all.length > 0) all.push(`${all.pop()}:*`);
  return all.length > 1 ? `(${all.join(" <-> ")})` : (all[0] ?? "");
}

const phrasesOf = (terms: readonly Term[]) => terms.map(phraseOf).filter((phrase) => phrase !== "");

export const postgresTextIndex: TextIndex = {
  match: ({ wanted, unwanted }: Query) => [...phrasesOf(wanted), ...phrasesOf(unwanted).map((phrase) => `!${phrase}`)].join(" & "),
  save: (sql, pageId, words: IndexedPage["words"]) => {
    if (!words) return void sql.get("DELETE FROM page_text WHERE rowid = ?").run(pageId);
    sql
      .get("INSERT INTO page_text (rowid, words) VALUES (?, ?) ON CONFLICT (rowid) DO UPDATE SET words = excluded.words")
      .run(pageId, vectorOf(words));
  },
};
