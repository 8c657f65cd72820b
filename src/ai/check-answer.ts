import { findJson } from "./find-json.ts";
import { oneLine } from "./prompt.ts";

/** How far words apply to a link, and why, as a model sees it and as far as it is let. */
export interface Judgement {
  readonly matches: readonly { readonly word: string; readonly match: number }[];
  readonly reason: string;
}

export interface Asked {
  /** How many links; their ids are 1 to this. */
  readonly links: number;
  readonly keywords: readonly string[];
}

const REASON = 160;
/** Words that nobody listed: so many of a link at most, and none longer. */
const UNLISTED = 2;
const WORD = 40;
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/.-]*$/u;

type Loose = Readonly<Record<string, unknown>>;

/**
 * A model's answer, as far as it can be one: by id, what it says of links that it was shown. Nothing else comes through, whatever a page
 * made the model say: no other links, no number outside 0 to 1, and words that nobody listed only few and short.
 */
export function checkAnswer(text: string, asked: Asked): Map<number, Judgement> {
  const answer = findJson(text, isAnswer);
  const listed = new Map(asked.keywords.map((word) => [folded(word), word]));
  const judgements = new Map<number, Judgement>();
  const { links = answer, none } = (answer ?? {}) as Loose;
  for (const entry of asList(links)) {
    const { id, matches, reason } = (entry ?? {}) as Loose;
    const place = asId(id, asked.links);
    // Without matches that can be read it says nothing of the link: not that no keyword applies.
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

/** A list of keyword and match, or an object from one to the other. */
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
