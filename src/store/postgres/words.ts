import { withFewMarks } from "../../code-units.ts";
import type { Query, Term } from "../../search/index.ts";
import type { IndexedPage } from "../search.ts";
import type { WordIndex } from "../sqlite/ways.ts";

/**
 * PostgreSQL's full-text index. Words are passed as they are and not through its dictionaries, so that a page is found by the same words
 * as in SQLite: letters and digits of any script, ignoring case, Latin letters without accents.
 */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const ACCENTED = /(\p{Script=Latin})[\u0300-\u036f]+/gu;

/** PostgreSQL's limits: word length, positions per word, highest position, and total size per page. */
const LONGEST = 500;
const MOST_PLACES = 255;
const LAST_PLACE = 16_383;
const MOST_BYTES = 900_000;

function wordsOf(text: string): string[] {
  const plain = withFewMarks(text).normalize("NFD").replace(ACCENTED, "$1").normalize("NFC").toLowerCase();
  return (plain.match(WORD) ?? []).map((word) => Array.from(word).slice(0, LONGEST).join(""));
}

/** The position of each word. One position is skipped between title and text, so that no phrase matches across both. */
export function vectorOf({ title, text }: { readonly title: string; readonly text: string }): string {
  const places = new Map<string, string[]>();
  let bytes = 0;
  let place = 0;
  const add = (words: readonly string[], weight: string) => {
    for (const word of words) {
      place = Math.min(place + 1, LAST_PLACE);
      const known = places.get(word);
      bytes += known ? 2 : Buffer.byteLength(word) + 8;
      if (bytes > MOST_BYTES) return;
      if (!known) places.set(word, [`${place}${weight}`]);
      else if (known.length < MOST_PLACES && place < LAST_PLACE) known.push(`${place}${weight}`);
    }
  };
  add(wordsOf(title), "A");
  place += 1;
  add(wordsOf(text), "");
  return [...places].map(([word, at]) => `${quoted(word)}:${at.join(",")}`).join(" ");
}

const quoted = (word: string) => `'${word}'`;

function phraseOf({ words, isBeginning }: Term): string {
  const all = wordsOf(words).map(quoted);
  if (isBeginning && all.length > 0) all.push(`${all.pop()}:*`);
  return all.length > 1 ? `(${all.join(" <-> ")})` : (all[0] ?? "");
}

const phrasesOf = (terms: readonly Term[]) => terms.map(phraseOf).filter((phrase) => phrase !== "");

export const postgresWords: WordIndex = {
  match: ({ wanted, unwanted }: Query) => [...phrasesOf(wanted), ...phrasesOf(unwanted).map((phrase) => `!${phrase}`)].join(" & "),
  keep: (sql, pageId, words: IndexedPage["words"]) => {
    if (!words) return void sql.get("DELETE FROM page_text WHERE rowid = ?").run(pageId);
    sql
      .get("INSERT INTO page_text (rowid, words) VALUES (?, ?) ON CONFLICT (rowid) DO UPDATE SET words = excluded.words")
      .run(pageId, vectorOf(words));
  },
};
