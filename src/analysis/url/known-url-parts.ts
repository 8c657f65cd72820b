import type { PartOwner, UrlPartOwners } from "./copies.ts";
import { parsedUrlOf } from "./parts.ts";

const MAX_WORDS = 50_000;
/** Words stored for a resumed run. */
const MAX_STORED_WORDS = 2000;
const MAX_WORD_LENGTH = 64;
const UNKNOWN_OWNER: PartOwner = { url: "", simhash: "" };
const NO_WORDS = { words: [], names: [], family: "" };

/**
 * Remembers the parts of known URLs: path segments and parameter values. A URL whose parts were all met before is made by recombining
 * them: filters in a path, copies in folders, years and weeks. There can be endlessly many of those.
 */
export class KnownUrlParts {
  /** Each part with the first page that had it. */
  #words = new Map<string, PartOwner>();
  #olderWords = new Map<string, PartOwner>();

  learn(owner: PartOwner): void {
    const found = wordsOf(owner.url);
    if (!found) return;
    for (const [at, part] of found.words.entries()) {
      const word = found.names[at]!;
      const known = this.#words.get(word);
      if (part.length <= MAX_WORD_LENGTH && (!known || known === UNKNOWN_OWNER)) this.#words.set(word, this.#olderWords.get(word) ?? owner);
    }
    // The older half is dropped at once, because finding the oldest entry costs more than everything else.
    if (this.#words.size < MAX_WORDS / 2) return;
    this.#olderWords = this.#words;
    this.#words = new Map();
  }

  /** The parts of a URL, each with the first page that had it; undefined for new parts. */
  find(url: string): UrlPartOwners {
    const { words, names, family } = wordsOf(url) ?? NO_WORDS;
    return { words, family, owners: names.map((name) => this.#words.get(name) ?? this.#olderWords.get(name)) };
  }

  snapshot(): string[] {
    return [...this.#olderWords.keys(), ...this.#words.keys()].slice(-MAX_STORED_WORDS);
  }

  restore(words: readonly string[]): void {
    for (const word of words) this.#words.set(word, UNKNOWN_OWNER);
  }

  /** The family of a URL without new parts; undefined if a part is new. */
  familyOf(url: string): string | undefined {
    const found = wordsOf(url);
    if (!found || found.words.length < 2) return undefined;
    for (let at = found.words.length - 1; at >= 0; at--) {
      const word = found.names[at]!;
      if (!this.#words.has(word) && !this.#olderWords.has(word)) return undefined;
    }
    return found.family;
  }
}

/** The parts of a URL, the same with their host, and a name shared by all URLs that may be mixed from the same parts. */
export interface UrlWords {
  readonly words: readonly string[];
  readonly names: readonly string[];
  readonly family: string;
}

function wordsOf(url: string): UrlWords | undefined {
  const parts = parsedUrlOf(url);
  if (!parts || parts.words) return parts?.words;
  const { segments } = parts;
  const { values, paramNames } = queryOf(parts.query);
  const host = `${parts.host}/`;
  const folder = (segments[0] ?? "").replaceAll(/\d+/g, "{n}");
  const words = values.length === 0 ? segments : [...segments, ...values];
  parts.words = { words, names: words.map((word) => host + word), family: `${host}${folder}/**${segments.length}${paramNames}` };
  return parts.words;
}

/** The values of a query, and its sorted parameter names. */
function queryOf(query: string): { values: readonly string[]; paramNames: string } {
  if (query === "") return NO_QUERY;
  const params = query.slice(1).split("&").filter(Boolean);
  const names = [...new Set(params.map((param) => param.split("=", 1)[0]!))].sort().join("&");
  return {
    values: params.flatMap((param) => param.slice(param.indexOf("=") + 1).split(VALUE_SEPARATORS)),
    paramNames: names && `?${names}`,
  };
}

const NO_QUERY = { values: [], paramNames: "" };

const VALUE_SEPARATORS = /[,:;|~]|%(?:2C|3A|3B|7C|7E)/i;
