import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hash64 } from "../../core/records.ts";
import { Seen } from "./seen.ts";

const hash = (lo: number, hi = 0): Hash64 => ({ hi, lo });
const textOf = ({ hi, lo }: Hash64) => `${hi}.${lo}`;

// Few distinct halves, so that hashes share slots and halves.
const half = fc.oneof(fc.nat(7), fc.constant(0xffff_ffff), fc.constant(0x8000_0000), fc.nat());
const mention = fc.record({ hash: fc.record({ hi: half, lo: half }), depth: fc.nat(300), times: fc.integer({ min: 1, max: 90 }) });

test("it agrees with a Map, whatever is mentioned", () => {
  fc.assert(
    fc.property(fc.array(mention, { maxLength: 300 }), (mentions) => {
      const seen = new Seen(1000, 4);
      const known = new Map<string, { hash: Hash64; depth: number; mentions: number }>();
      for (const { hash, depth, times } of mentions) {
        const before = known.get(textOf(hash));
        const expected = !before ? "new" : depth < before.depth ? "nearer" : "known";
        expect(seen.mention(hash, depth, times)).toBe(expected);
        const sum = Math.min(255, (before?.mentions ?? 0) + times);
        known.set(textOf(hash), { hash, depth: Math.min(depth, before?.depth ?? depth), mentions: sum });
      }
      expect(seen.size).toBe(known.size);
      for (const { hash, depth, mentions } of known.values()) {
        expect([seen.depthOf(hash), seen.mentionsOf(hash)]).toEqual([depth, mentions]);
      }
    }),
  );
});

test("it grows, and forgets nothing", () => {
  const seen = new Seen(1_000_000, 4);
  for (let index = 0; index < 100_000; index++) seen.mention(hash(index * 4096, index), index % 200);
  expect(seen.size).toBe(100_000);
  for (let index = 0; index < 100_000; index += 97) expect(seen.depthOf(hash(index * 4096, index))).toBe(index % 200);
  expect(seen.depthOf(hash(1))).toBeUndefined();
  expect(seen.mentionsOf(hash(1))).toBe(0);
});

test("past its capacity it is unsure of what it does not know, and sure of what it does", () => {
  const seen = new Seen(3, 4);
  expect([1, 2, 3, 4, 4].map((lo) => seen.mention(hash(lo), 5))).toEqual(["new", "new", "new", "unsure", "unsure"]);
  expect(seen.isFull).toBe(true);
  expect([seen.mention(hash(1), 5), seen.mention(hash(2), 4), seen.depthOf(hash(2)), seen.depthOf(hash(4))]).toEqual([
    "known",
    "nearer",
    4,
    undefined,
  ]);
});

test("a depth past any byte is still told apart", () => {
  const seen = new Seen();
  expect(seen.mention(hash(1), 400)).toBe("new");
  expect(seen.depthOf(hash(1))).toBe(400);
  expect(seen.mention(hash(1), 300)).toBe("nearer");
});

test("what was forgotten is new to whoever names it next, and then known again", () => {
  const seen = new Seen();
  for (let time = 0; time < 3; time++) seen.mention(hash(1), 2);
  seen.forget(hash(1));
  seen.forget(hash(2));
  expect(seen.isCounted(Uint32Array.of(0, 1), 0, 5)).toBe(false);
  expect([seen.mention(hash(1), 5), seen.depthOf(hash(1)), seen.mentionsOf(hash(1)), seen.mention(hash(1), 6)]).toEqual([
    "new",
    5,
    1,
    "known",
  ]);
  expect(seen.mention(hash(2), 1)).toBe("new");
});
