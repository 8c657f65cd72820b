import { findJson } from "./find-json.ts";
import { oneLine } from "./prompt.ts";

/** Validated matches of a link, with the model's reason. */
export interface Judgement {
  readonly matches: readonly { readonly word: string; readonly match: number }[];
  readonly reason: string;
}

export interface Asked {
  /** Number of links; their ids are 1 to this. */
  readonly links: number;
  readonly keywords: readonly string[];
}

const REASON = 160;
/** Limits for words that are not keywords: number per link, and length. */
const UNLISTED = 2;
const WORD = 40;
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/.-]*$/u;

type Loose = Readonly<Record<string, unknown>>;

/**
 * Validates a model's answer: judgements by id, only for links that it was shown. Whatever a page made the model write, the result
 * contains no other links, no number outside 0 to 1, and only few and short words that are not keywords.
 */
export function checkAnswer(text: string, asked: Asked): Map<number, Judgement> {
  const answer = findJson(text, isAnswer);
  const listed = new Map(asked.keywords.map((word) => [folded(word), word]));
  const judgements = new Map<number, Judgement>();
  const { links = answer, none } = (answer ?? {}) as Loose;
  for (const entry of asList(links)) {
    const { id, matches, reason } = (entry ?? {}) as Loose;
    const place = asId(id, asked.links);
    // Without readable matches there is no judgement of the link; that differs from no keyword matching.
    if (place !== undefined && !judgements.has(place) && typeof matches === "object" && matches !== null) {
      judgements.set(place, { matches: matchesIn(matches, listed), reason: typeof reason === "string" ? oneLine(reason, REASON) : "" });
    }
  }
  for (const id of asList(none)) {
    const place = asId(id, asked.links);
    if (place !== undefined && !judgements.has(place)) judgements.set(place, { matches: [], reason: "" });
  }
  return judgements;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isAnswer(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((entry: Loose | null) => entry?.id !== undefined);
  return typeof value === "object" && value !== null && (Array.isArray((value as Loose).links) || Array.isArray((value as Loose).none));
}

function asId(value: unknown, most: number): number | undefined {
  const id = typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= most ? id : undefined;
}

const folded = (word: string) => word.normalize("NFKC").trim().toLowerCase();

/** A list of keyword and match, or an object from keyword to match. */
function matchesIn(value: unknown, listed: ReadonlyMap<string, string>): Judgement["matches"] {
  const pairs = Array.isArray(value)
    ? value.map((entry: Loose | null) => [entry?.keyword, entry?.match] as const)
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : [];
  const matches = new Map<string, number>();
  let unlisted = 0;
  for (const [word, given] of pairs) {
    const match = asMatch(given);
    if (typeof word !== "string" || match === undefined) continue;
    const known = listed.get(folded(word));
    const own = known ?? unlistedWord(word);
    if (own === undefined || matches.has(own) || (known === undefined && unlisted >= UNLISTED)) continue;
    if (known === undefined) unlisted += 1;
    matches.set(own, match);
  }
  return [...matches].filter(([, match]) => match > 0).map(([word, match]) => ({ word, match }));
}

function asMatch(value: unknown): number | undefined {
  const match = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof match === "number" && !Number.isNaN(match) ? Math.min(1, Math.max(0, match)) : undefined;
}

function unlistedWord(word: string): string | undefined {
  const plain = folded(word).replace(/\s+/g, " ");
  return plain.length <= WORD && PLAIN.test(plain) ? plain : undefined;
}
