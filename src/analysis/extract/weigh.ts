/**
 * Chooses a field's value. Each candidate is a clue with signs (source, agreement, form), which are weighed. The weights are plain data
 * in `learned/`, made by `npm run learn:extract`. The result is the probability that the clue is right, which is also the confidence.
 */
import type { MetaCandidate, MetaField } from "../../core/records.ts";

export interface Clue<T> extends MetaCandidate<T> {
  /** Evidence for or against it, usually 0–1 each. The source is an implicit sign. */
  readonly signs: Readonly<Record<string, number>>;
}

/** Weights by sign, with `source:<source>` for each source, and `bias`. Signs without a weight are ignored. */
export interface Weights {
  readonly weights: Readonly<Record<string, number>>;
  /** A clue with a lower probability is not taken. */
  readonly least: number;
}

/** Additional trust in a source on this host. */
export type Trust = (source: string) => number;
const noTrust: Trust = () => 0;

export function likelihood<T>({ source, signs }: Clue<T>, learned: Weights, trust = noTrust): number {
  const weights = tableOf(learned);
  let sum = (weights.get("bias") ?? 0) + (weights.get(`source:${source}`) ?? 0) + trust(source);
  for (const sign in signs) sum += (weights.get(sign) ?? 0) * signs[sign]!;
  return 1 / (1 + Math.exp(-sum));
}

const tables = new WeakMap<Weights, ReadonlyMap<string, number>>();

/** Engines look up names faster in a Map than in an object with a hundred fields. */
function tableOf(learned: Weights): ReadonlyMap<string, number> {
  let table = tables.get(learned);
  if (table === undefined) {
    table = new Map(Object.entries(learned.weights));
    tables.set(learned, table);
  }
  return table;
}

/** Takes the most likely clue; the others, rejected ones included, stay as candidates. */
export function choose<T>(clues: readonly Clue<T>[], learned: Weights, trust = noTrust): MetaField<T> {
  const weighed = clues
    .filter(({ rejected }) => rejected === undefined)
    .map((clue) => ({ clue, chance: likelihood(clue, learned, trust) }))
    .sort((a, b) => b.chance - a.chance);
  const best = weighed[0];
  const ranked = [...weighed.map(({ clue }) => clue), ...clues.filter(({ rejected }) => rejected !== undefined)];
  if (best === undefined || best.chance < learned.least) {
    const unlikely = `confidence below ${learned.least.toFixed(2)}`;
    return { ...nothing, candidates: ranked.map((clue) => candidateOf({ ...clue, rejected: clue.rejected ?? unlikely })) };
  }
  return fieldOf(best.clue, best.chance, ranked);
}

/** Fallback: if no clue is likely enough, take the first plausible one in a fixed order, with its low confidence. */
export function chooseOrFirst<T>(
  clues: readonly Clue<T>[],
  learned: Weights,
  trust: Trust,
  order: readonly string[],
  isPlausible: (clue: Clue<T>) => boolean,
): MetaField<T> {
  const field = choose(clues, learned, trust);
  if (field.value !== null) return field;
  const plain = order
    .flatMap((source) => clues.filter((clue) => clue.source === source))
    .find((clue) => clue.rejected === undefined && isPlausible(clue));
  if (plain === undefined) return field;
  const candidates = field.candidates.filter(({ source, value }) => source !== plain.source || value !== plain.value);
  return { value: plain.value, source: plain.source, confidence: rounded(likelihood(plain, learned, trust)), candidates };
}

/** The first clue in a fixed order that was not rejected: the classic cascade. */
export function chooseInOrder<T>(clues: readonly Clue<T>[], order: readonly string[]): MetaField<T> {
  const ranked = order.flatMap((source) => clues.filter((clue) => clue.source === source));
  const best = ranked.find(({ rejected }) => rejected === undefined);
  return best === undefined ? { ...nothing, candidates: ranked.map(candidateOf) } : fieldOf(best, 1, ranked);
}

export const nothing = { value: null, source: "", confidence: 0 } as const;

const fieldOf = <T>(best: Clue<T>, confidence: number, ranked: readonly Clue<T>[]): MetaField<T> => ({
  value: best.value,
  source: best.source,
  confidence: rounded(confidence),
  candidates: ranked.filter((clue) => clue !== best).map(candidateOf),
});

const rounded = (confidence: number) => Math.round(confidence * 100) / 100;

const candidateOf = <T>({ source, value, rejected }: Clue<T>): MetaCandidate<T> => ({
  source,
  value,
  ...(rejected !== undefined && { rejected }),
});
