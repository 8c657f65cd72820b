import { readAsset } from "./assets.ts";

const FILE = "word-vectors.bin";
const NEW_LINE = 10;

/** A unit vector in the space of meanings. */
export type Direction = Float32Array;

/** English words as unit vectors: words used in similar contexts point in similar directions. */
export interface Vectors {
  /** Number of words. */
  readonly size: number;
  /** The index of a word, the most frequent first; undefined for unknown words. */
  find(word: string): number | undefined;
  directionAt(index: number): Direction;
  /** Cosine similarity: 1 for the same direction, about 0 for unrelated words. */
  likeness(index: number, direction: Direction): number;
}

let vectors: Vectors | undefined;

/** Reads the file on first use. */
export const openVectors = (): Vectors => (vectors ??= readVectors(readAsset(FILE)));

function readVectors(file: Buffer): Vectors {
  const headerEnd = file.indexOf(NEW_LINE);
  const wordsEnd = file.indexOf(NEW_LINE, headerEnd + 1);
  const [size, dimensions, scale] = file.toString("latin1", 0, headerEnd).split(" ").slice(-3).map(Number) as [number, number, number];
  const indexes = new Map(
    file
      .toString("latin1", headerEnd + 1, wordsEnd)
      .split(" ")
      .map((word, index) => [word, index]),
  );
  const values = new Int8Array(file.buffer, file.byteOffset + wordsEnd + 1, size * dimensions);
  return {
    size,
    find: (word) => indexes.get(word),
    directionAt: (index) => Float32Array.from(values.subarray(index * dimensions, (index + 1) * dimensions), (value) => value / scale),
    likeness(index, direction) {
      let sum = 0;
      for (let i = 0, at = index * dimensions; i < dimensions; i++, at++) sum += values[at]! * direction[i]!;
      return sum / scale;
    },
  };
}

/** The normalised weighted sum of directions; undefined for an empty list. */
export function weightedDirection(shares: readonly (readonly [direction: Direction, share: number])[]): Direction | undefined {
  const first = shares[0]?.[0];
  if (!first) return undefined;
  const sum = new Float32Array(first.length);
  for (const [direction, share] of shares) for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + share * direction[i]!;
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square) || 1;
  return sum.map((value) => value / length);
}
