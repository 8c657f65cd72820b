import type { Bearer, Worded } from "./copies.ts";
import { partsOf } from "./parts.ts";
import { recently } from "./recently.ts";

const MOST_WORDS = 50_000;
/** For a resumed run. */
const MOST_KEPT = 2000;
const LONGEST = 64;
const FORGOTTEN: Bearer = { url: "", simhash: "" };
const NO_WORDS = { host: "", words: [], family: "" };

/**
 * Remembers the parts that URLs were made of: path segments and the values of parameters. A URL all of whose parts were met before is
 * made by recombining them: filters in a path, copies in folders, years and weeks. There can be endlessly many of those.
 */
export class KnownWords {
  /** Each with the first page that had it. */
  #words = new Map<string, Bearer>();
  #older = new Map<string, Bearer>();

  learn(bearer: Bearer): void {
    const found = wordsOf(bearer.url);
    if (!found) return;
    for (const part of found.words) {
      const word = found.host + part;
      const known = this.#words.get(word);
      if (part.length <= LONGEST && (!known || known === FORGOTTEN)) this.#words.set(word, this.#older.get(word) ?? bearer);
    }
    // Forgotten by halves, as finding the oldest costs more than all the rest.
    if (this.#words.size < MOST_WORDS / 2) return;
    this.#older = this.#words;
    this.#words = new Map();
  }

  /** The parts of a URL, and for each the first page that had it; undefined for parts that are new. */
  find(url: string): Worded {
    const { host, words, family } = wordsOf(url) ?? NO_WORDS;
    return { words, family, bearers: words.map((part) => this.#words.get(host + part) ?? this.#older.get(host + part)) };
  }

  snapshot(): string[] {
    return [...this.#older.keys(), ...this.#words.keys()].slice(-MOST_KEPT);
  }

  restore(words: readonly string[]): void {
    for (const word of words) this.#words.set(word, FORGOTTEN);
  }

  /** The family of a URL that brings no new part; undefined for one that does. */
  familyOf(url: string): string | undefined {
    const found = wordsOf(url);
    if (!found || found.words.length < 2) return undefined;
    for (let at = found.words.length - 1; at >= 0; at--) {
      const word = found.host + found.words[at]!;
      if (!this.#words.has(word) && !this.#older.has(word)) return undefined;
    }
    return found.family;
  }
}

/** The host with a slash, the parts, and what all URLs that may be mixed of the same parts have in common. */
const wordsOf = recently((url): { host: string; words: string[]; family: string } | undefined => {
  const parts = partsOf(url);
  if (!parts) return undefined;
  const segments = parts.path.split("/").filter((segment) => segment !== "");
  const params = parts.query.slice(1).split("&").filter(Boolean);
  const values = params.flatMap((param) => param.slice(param.indexOf("=") + 1).split(BETWEEN_VALUES));
  const names = [...new Set(params.map((param) => param.split("=", 1)[0]!))].sort().join("&");
  const host = `${parts.host}/`;
  const folder = (segments[0] ?? "").replaceAll(/\d+/g, "{n}");
  return { host, words: [...segments, ...values], family: `${host}${folder}/**${segments.length}${names && `?${names}`}` };
});

const BETWEEN_VALUES = /[,:;|~]|%(?:2C|3A|3B|7C|7E)/i;
