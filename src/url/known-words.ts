import type { Bearer, Worded } from "./copies.ts";
import { apartOf } from "./parts.ts";

const MOST_WORDS = 50_000;
/** Words stored for a resumed run. */
const MOST_KEPT = 2000;
const LONGEST = 64;
const FORGOTTEN: Bearer = { url: "", simhash: "" };
const NO_WORDS = { words: [], names: [], family: "" };

/**
 * Remembers the parts of known URLs: path segments and parameter values. A URL whose parts were all met before is made by recombining
 * them: filters in a path, copies in folders, years and weeks. There can be endlessly many of those.
 */
export class KnownWords {
  /** Each part with the first page that had it. */
  #words = new Map<string, Bearer>();
  #older = new Map<string, Bearer>();

  learn(bearer: Bearer): void {
    const found = wordsOf(bearer.url);
    if (!found) return;
    for (const [at, part] of found.words.entries()) {
      const word = found.names[at]!;
      const known = this.#words.get(word);
      if (part.length <= LONGEST && (!known || known === FORGOTTEN)) this.#words.set(word, this.#older.get(word) ?? bearer);
    }
    // The older half is dropped at once, because finding the oldest entry costs more than everything else.
    if (this.#words.size < MOST_WORDS / 2) return;
    this.#older = this.#words;
    this.#words = new Map();
  }

  /** The parts of a URL, each with the first page that had it; undefined for new parts. */
  find(url: string): Worded {
    const { words, names, family } = wordsOf(url) ?? NO_WORDS;
    return { words, family, bearers: names.map((name) => this.#words.get(name) ?? this.#older.get(name)) };
  }

  snapshot(): string[] {
    return [...this.#older.keys(), ...this.#words.keys()].slice(-MOST_KEPT);
  }

  restore(words: readonly string[]): void {
    for (const word of words) this.#words.set(word, FORGOTTEN);
  }

  /** The family of a URL without new parts; undefined if a part is new. */
  familyOf(url: string): string | undefined {
    const found = wordsOf(url);
    if (!found || found.words.length < 2) return undefined;
    for (let at = found.words.length - 1; at >= 0; at--) {
      const word = found.names[at]!;
      if (!this.#words.has(word) && !this.#older.has(word)) return undefined;
    }
    return found.family;
  }
}

/** The parts of a URL, the same with their host, and a name shared by all URLs that may be mixed from the same parts. */
export interface Words {
  readonly words: readonly string[];
  readonly names: readonly string[];
  readonly family: string;
}

function wordsOf(url: string): Words | undefined {
  const parts = apartOf(url);
  if (!parts || parts.words) return parts?.words;
  const { segments } = parts;
  const { values, asked } = queryOf(parts.query);
  const host = `${parts.host}/`;
  const folder = (segments[0] ?? "").replaceAll(/\d+/g, "{n}");
  const words = values.length === 0 ? segments : [...segments, ...values];
  parts.words = { words, names: words.map((word) => host + word), family: `${host}${folder}/**${segments.length}${asked}` };
  return parts.words;
}

/** The values of a query, and its sorted parameter names. */
function queryOf(query: string): { values: readonly string[]; asked: string } {
  if (query === "") return NO_QUERY;
  const params = query.slice(1).split("&").filter(Boolean);
  const names = [...new Set(params.map((param) => param.split("=", 1)[0]!))].sort().join("&");
  return { values: params.flatMap((param) => param.slice(param.indexOf("=") + 1).split(BETWEEN_VALUES)), asked: names && `?${names}` };
}

const NO_QUERY = { values: [], asked: "" };

const BETWEEN_VALUES = /[,:;|~]|%(?:2C|3A|3B|7C|7E)/i;
