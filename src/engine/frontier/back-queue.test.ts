import fc from "fast-check";
import { expect, test } from "vitest";
import { aCandidate } from "../../../test/fake-backlog.ts";
import { LEVELS } from "../../core/records.ts";
import { BackQueue, type Queued, queuedOf } from "./back-queue.ts";
import { seededRandom } from "./selector.ts";

const item = (id: number, more: Partial<Queued> = {}): Queued => ({
  ...queuedOf(aCandidate(`http://a.test/${id}`, { id })),
  ...more,
});
const first = () => 0;

function takeAll(queue: BackQueue, now = 0, random = first): number[] {
  const ids: number[] = [];
  for (let next = queue.take(now, random); next; next = queue.take(now, random)) ids.push(next.id);
  return ids;
}

test("within a queue the higher priority goes first, then the one heard first", () => {
  const queue = new BackQueue();
  for (const [id, priority] of [
    [3, 1],
    [1, 1],
    [4, 9],
    [2, 0],
  ] as const)
    queue.add(item(id, { priority }), 100);
  expect(takeAll(queue)).toEqual([4, 1, 3, 2]);
});

test("a candidate is in it once, and can be taken out to be changed", () => {
  const queue = new BackQueue();
  queue.add(item(1), 100);
  queue.add(item(1, { priority: 5 }), 100);
  expect([queue.size, queue.has(1), queue.remove(2)]).toEqual([1, true, undefined]);
  expect(queue.remove(1)).toMatchObject({ id: 1, priority: 0 });
  expect([queue.size, queue.has(1), queue.bestLevel()]).toEqual([0, false, -1]);
});

test("past its capacity the worst of the worst queue falls out", () => {
  const queue = new BackQueue();
  for (const [id, level, priority] of [
    [1, 5, 0.3],
    [2, 0, 0.9],
    [3, 5, 0.2],
    [4, 2, 0.5],
  ] as const)
    queue.add(item(id, { level, priority }), 3);
  expect([2, 4, 1, 3].map((id) => queue.has(id))).toEqual([true, true, true, false]);
});

test("what belongs behind candidates on disk waits there too, until the front queue is whole again", () => {
  const queue = new BackQueue();
  const adds = [9, 8, 7, 5, 8.5].map((priority, id) => queue.add(item(id, { priority }), 3));
  expect(adds).toEqual([0, 0, 0, 1, 1]);
  expect([queue.size, queue.isCut, queue.lacking(0)]).toEqual([3, true, []]);
  expect(takeAll(queue)).toEqual([0, 4, 1]);
  expect(queue.lacking(0)).toEqual([0]);
  expect(queue.add(item(7, { priority: 9 }), 3)).toBe(1);
  queue.mend(0);
  expect(queue.isCut).toBe(true);
  queue.isRead();
  queue.mend(0);
  expect([queue.isCut, queue.add(item(8), 3)]).toEqual([false, 0]);
});

test("one that waits for its own moment is passed over until then", () => {
  const queue = new BackQueue();
  queue.add(item(1, { priority: 9, notBefore: 50 }), 100);
  queue.add(item(2, { notBefore: 80 }), 100);
  expect(queue.take(49, first)).toBeUndefined();
  expect(queue.earliest()).toBe(50);
  queue.add(item(3), 100);
  expect(queue.take(49, first)?.id).toBe(3);
  expect(takeAll(queue, 80)).toEqual([1, 2]);
});

test("an empty one has no earliest moment, and all of its none have failed", () => {
  const queue = new BackQueue();
  expect([queue.earliest(), queue.allFailed()]).toEqual([Number.POSITIVE_INFINITY, true]);
  queue.add(item(1, { okWhenFailed: 0 }), 100);
  expect(queue.allFailed()).toBe(true);
  queue.add(item(2), 100);
  expect(queue.allFailed()).toBe(false);
});

test("everything that goes in comes out exactly once, each queue in its order", () => {
  const one = fc.record({ level: fc.nat(LEVELS - 1), priority: fc.integer({ min: -3, max: 3 }) });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), fc.nat(), (items, seed) => {
      const queue = new BackQueue();
      const all = items.map((place, index) => item(index + 1, place));
      for (const each of all) queue.add(each, 1000);
      const out = takeAll(queue, 0, seededRandom(seed));
      expect([...out].sort((a, b) => a - b)).toEqual(all.map(({ id }) => id));
      for (let level = 0; level < LEVELS; level++) {
        const ofLevel = all.filter((each) => each.level === level);
        const sorted = [...ofLevel].sort((a, b) => b.priority - a.priority || a.id - b.id).map(({ id }) => id);
        expect(out.filter((id) => sorted.includes(id))).toEqual(sorted);
      }
    }),
  );
});
