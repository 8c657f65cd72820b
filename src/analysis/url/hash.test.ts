import { expect, test } from "vitest";
import { hash64, PrefixHash } from "./index.ts";

const seed = { hi: 0x12345678, lo: 0x9abcdef0 };

test("a million URLs that differ in a few digits have a million hashes, spread over every bit", () => {
  const seen = new Set<bigint>();
  const bits = new Float64Array(64);
  for (let n = 0; n < 1_000_000; n++) {
    const { hi, lo } = hash64(`https://www.example.org/list/${n >> 7}/item-${n & 127}?page=${n % 10}`, seed);
    seen.add((BigInt(hi) << 32n) | BigInt(lo));
    for (let bit = 0; bit < 32; bit++) {
      bits[bit]! += (lo >>> bit) & 1;
      bits[32 + bit]! += (hi >>> bit) & 1;
    }
  }
  expect(seen.size).toBe(1_000_000);
  for (const ones of bits) expect(Math.abs(ones / 1_000_000 - 0.5)).toBeLessThan(0.005);
});

function popCount(x: number): number {
  let count = 0;
  for (let rest = x >>> 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}

test("one changed bit of the text changes half the bits of each lane, wherever it is", () => {
  const text = "https://www.example.org/a/b/c?d=e";
  for (let at = 0; at < text.length; at++) {
    let lo = 0;
    let hi = 0;
    for (let trial = 0; trial < 200; trial++) {
      const from = hash64(text, { hi: trial * 7919, lo: trial });
      const flipped = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      const to = hash64(flipped, { hi: trial * 7919, lo: trial });
      lo += popCount(from.lo ^ to.lo) / 200;
      hi += popCount(from.hi ^ to.hi) / 200;
    }
    expect(lo).toBeGreaterThan(14);
    expect(lo).toBeLessThan(18);
    expect(hi).toBeGreaterThan(14);
    expect(hi).toBeLessThan(18);
  }
});

test("the seed decides, lengths count, halves are unsigned", () => {
  expect(hash64("a", seed)).toEqual(hash64("a", { ...seed }));
  expect(hash64("a", seed)).not.toEqual(hash64("a", { hi: seed.hi, lo: seed.lo + 1 }));
  expect(hash64("a", seed)).not.toEqual(hash64("a", { hi: seed.hi + 1, lo: seed.lo }));
  expect(hash64("a", seed)).not.toEqual(hash64("a\0", seed));
  expect(hash64("", seed)).not.toEqual(hash64("\0", seed));
  for (const text of ["x", "y", "z", "漢字"]) {
    const { hi, lo } = hash64(text, seed);
    expect(hi >= 0 && lo >= 0 && Number.isInteger(hi) && Number.isInteger(lo)).toBe(true);
  }
});

test.each(["", "h", "https://a.test", "https://ab.test", "漢字漢"])("a hash from %j on is the hash of the whole", (prefix) => {
  const half = new PrefixHash(prefix, seed);
  const into = new Uint32Array(4);
  for (const rest of ["", "/", "/a", "/ab", "/abc?d=é", "\0"]) {
    const codes = Uint16Array.from(` ${rest}!`, (letter) => letter.charCodeAt(0));
    half.write(codes, 1, 1 + rest.length, into, 2);
    expect({ hi: into[2], lo: into[3] }).toEqual(hash64(prefix + rest, seed));
  }
});
