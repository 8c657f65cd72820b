import { findJson } from "./find-json.ts";
import { oneLine } from "./prompt.ts";

/** Validated matches of a link, with the model's reason. */
export interface Judgement {
  readonly matches: readonly { readonly word: string; readonly match: number }[];
  readonly reason: string;
}

export interface QuestionScope {
  /** Number of links; their ids are 1 to this. */
  readonly links: number;
  readonly keywords: readonly string[];
}

const MAX_REASON_LENGTH = 160;
/** Limits for words that are not keywords: number per link, and length. */
const MAX_UNLISTED = 2;
const MAX_WORD_LENGTH = 40;
const PLAIN_WORD = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/.-]*$/u;

type Loose = Readonly<Record<string, unknown>>;

/**
 * Validates a model's answer: judgements by id, only for links that it was shown. Whatever a page made the model write, the result
 * contains no other links, no number outside 0 to 1, and only few and short words that are not keywords.
 */
export function checkAnswer(text: string, scope: QuestionScope): Map<number, Judgement> {
  const answer = findJson(text, isAnswer);
  const listed = new Map(scope.keywords.map((word) => [normalized(word), word]));
  const judgements = new Map<number, Judgement>();
  const { links = answer, none } = (answer ?? {}) as Loose;
  for (const entry of asList(links)) {
    const { id, matches, reason } = (entry ?? {}) as Loose;
    const place = parseId(id, scope.links);
    // Without readable matches there is no judgement of the link; that differs from no keyword matching.
    if (place !== undefined && !judgements.has(place) && typeof matches === "object" && matches !== null) {
      judgements.set(place, {
        matches: matchesIn(matches, listed),
        reason: typeof reason === "string" ? oneLine(reason, MAX_REASON_LENGTH) : "",
      });
    }
  }
  for (const id of asList(none)) {
    const place = parseId(id, scope.links);
    if (place !== undefined && !judgements.has(place)) judgements.set(place, { matches: [], reason: "" });
  }
  return judgements;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isAnswer(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((entry: Loose | null) => entry?.id !== undefined);
  return typeof value === "object" && value !== null && (Array.isArray((value as Loose).links) || Array.isArray((value as Loose).none));
}

function parseId(value: unknown, max: number): number | undefined {
  const id = typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= max ? id : undefined;
}

const normalized = (word: string) => word.normalize("NFKC").trim().toLowerCase();

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
    const match = parseMatch(given);
    if (typeof word !== "string" || match === undefined) continue;
    const known = listed.get(normalized(word));
    const keyword = known ?? unlistedWord(word);
    if (keyword === undefined || matches.has(keyword) || (known === undefined && unlisted >= MAX_UNLISTED)) continue;
    if (known === undefined) unlisted += 1;
    matches.set(keyword, match);
  }
  return [...matches].filter(([, match]) => match > 0).map(([word, match]) => ({ word, match }));
}

function parseMatch(value: unknown): number | undefined {
  const match = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof match === "number" && !Number.isNaN(match) ? Math.min(1, Math.max(0, match)) : undefined;
}

function unlistedWord(word: string): string | undefined {
  const plain = normalized(word).replace(/\s+/g, " ");
  return plain.length <= MAX_WORD_LENGTH && PLAIN_WORD.test(plain) ? plain : undefined;
}
