import { readAsset } from "./assets.ts";

const FILE = "word-vectors.bin";
const NEW_LINE = 10;

/** A direction in the space of meanings, of length 1. */
export type Direction = Float32Array;

/** English words as directions: words that are used alike point alike. */
export interface Vectors {
  /** How many there are. */
  readonly size: number;
  /** The place of a word, most frequent first; undefined for a word that is not there. */
  find(word: string): number | undefined;
  directionAt(place: number): Direction;
  /** How alike the two are: 1 for the same, about 0 for nothing to do with each other. */
  likeness(place: number, direction: Direction): number;
}

let vectors: Vectors | undefined;

/** Reads the file the first time it is asked. */
export const openVectors = (): Vectors => (vectors ??= readVectors(readAsset(FILE)));

function readVectors(file: Buffer): Vectors {
  const head = file.indexOf(NEW_LINE);
  const list = file.indexOf(NEW_LINE, head + 1);
  const [size, dimensions, scale] = file.toString("latin1", 0, head).split(" ").slice(-3).map(Number) as [number, number, number];
  const places = new Map(
    file
      .toString("latin1", head + 1, list)
      .split(" ")
      .map((word, place) => [word, place]),
  );
  const values = new Int8Array(file.buffer, file.byteOffset + list + 1, size * dimensions);
  return {
    size,
    find: (word) => places.get(word),
    directionAt: (place) => Float32Array.from(values.subarray(place * dimensions, (place + 1) * dimensions), (value) => value / scale),
    likeness(place, direction) {
      let sum = 0;
      for (let i = 0, at = place * dimensions; i < dimensions; i++, at++) sum += values[at]! * direction[i]!;
      return sum / scale;
    },
  };
}

/** Where several point to on the whole. */
export function towards(shares: readonly (readonly [direction: Direction, share: number])[]): Direction | undefined {
  const first = shares[0]?.[0];
  if (!first) return undefined;
  const sum = new Float32Array(first.length);
  for (const [direction, share] of shares) for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + share * direction[i]!;
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square) || 1;
  return sum.map((value) => value / length);
}
