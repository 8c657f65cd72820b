import { describe, expect, test } from "vitest";
import { hunksBetween } from "./alignment.ts";

const rebuilt = (before: readonly string[], now: readonly string[]) => {
  const out: string[] = [];
  let at = 0;
  for (const { from, to } of hunksBetween(before, now)) {
    out.push(...before.slice(at, from[0]), ...now.slice(to[0], to[1]));
    at = from[1];
  }
  return [...out, ...before.slice(at)];
};

describe("where two sequences differ", () => {
  test.each([
    ["nothing differs", "a b c", "a b c", 0],
    ["one is replaced", "a b c", "a x c", 1],
    ["one is added at the front", "a b c", "x a b c", 1],
    ["one is removed at the end", "a b c", "a b", 1],
    ["two places", "a b c d e", "a x c d y", 2],
    ["everything", "a b", "x y z", 1],
    ["something moved", "a b c d", "d a b c", 2],
    ["from nothing", "", "a", 1],
  ])("%s", (_, before, now, count) => {
    const [a, b] = [before.split(" ").filter(Boolean), now.split(" ").filter(Boolean)];
    expect(hunksBetween(a, b)).toHaveLength(count);
    expect(rebuilt(a, b)).toEqual(b);
  });

  test("any two sequences: the differences lead from one to the other, and what is kept is really in both", () => {
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 500; round += 1) {
      const make = () => Array.from({ length: random(14) }, () => "abcd"[random(4)]!);
      const [a, b] = [make(), make()];
      expect(rebuilt(a, b)).toEqual(b);
      let kept = 0;
      let at = 0;
      for (const { from, to } of hunksBetween(a, b)) {
        expect(a.slice(at, from[0])).toEqual(b.slice(to[0] - (from[0] - at), to[0]));
        kept += from[0] - at;
        at = from[1];
      }
      expect(kept + a.length - at).toBe(longestCommon(a, b));
    }
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let x = 1; x <= a.length; x += 1)
    for (let y = 1; y <= b.length; y += 1)
      table[x]![y] = a[x - 1] === b[y - 1] ? table[x - 1]![y - 1]! + 1 : Math.max(table[x - 1]![y]!, table[x]![y - 1]!);
  return table[a.length]![b.length]!;
}
