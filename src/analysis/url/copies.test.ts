import { describe, expect, test } from "vitest";
import { TrapGuard } from "./index.ts";

const LEAVES = 12;
/** Texts are numbers here; close numbers are similar texts. */
const distance = (a: string, b: string) => Math.min(64, Math.abs(Number(a) - Number(b)));
const page = (copy: string, leaf: number) => `http://a.test/${copy}/leaf${leaf}`;

/**
 * Visits copies of a small site, each named by a page of the previous one or by the front page; returns the copy in which the next is
 * refused.
 */
function visit(copies: readonly string[], text: (leaf: number, copy: number) => number, isChain: boolean): number | undefined {
  const guard = new TrapGuard({ distance });
  for (const [index, copy] of copies.entries()) {
    const parent = isChain && index > 0 ? page(copies[index - 1]!, 0) : "http://a.test/";
    if (!guard.admitFrom(parent)) return index;
    for (let leaf = 0; leaf < LEAVES; leaf++) guard.meet(page(copy, leaf), `${text(leaf, index)}`, leaf === 0 ? parent : page(copy, 0));
  }
  return undefined;
}

const copies = Array.from({ length: 9 }, (_, copy) => `copy-${copy}`);
const withCounter = (leaf: number, copy: number) => 1000 * leaf + copy;

describe("copies that differ in a counter", () => {
  test("are left once copies of copies of copies were heard of", () => {
    expect(visit(copies, withCounter, true)).toBe(4);
  });

  test.each([
    ["copies that somebody listed", withCounter, false],
    ["pages that have other things to say", (leaf: number, copy: number) => 1000 * leaf + 50 * copy, true],
    ["pages that all look alike", (_: number, copy: number) => copy, true],
  ])("are not left: %s", (_, text, isChain) => {
    expect(visit(copies, text, isChain)).toBeUndefined();
  });

  test("are remembered through a snapshot that is plain data", () => {
    const guard = new TrapGuard({ distance });
    for (const [index, copy] of copies.entries()) {
      const parent = index > 0 ? page(copies[index - 1]!, 0) : "http://a.test/";
      for (let leaf = 0; leaf < LEAVES; leaf++)
        guard.meet(page(copy, leaf), `${withCounter(leaf, index)}`, leaf === 0 ? parent : page(copy, 0));
    }
    const resumed = new TrapGuard({ distance });
    resumed.restore(JSON.parse(JSON.stringify(guard.snapshot())));
    expect([resumed.admitFrom(page("copy-7", 3)), resumed.admitFrom(page("copy-0", 3))]).toEqual([false, true]);
  });
});
