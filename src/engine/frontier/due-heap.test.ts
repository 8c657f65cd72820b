import fc from "fast-check";
import { expect, test } from "vitest";
import { DueHeap } from "./due-heap.ts";

interface Thing {
  readonly name: number;
  readyAt: number;
  heapIndex: number;
}

const aThing = (name: number, readyAt: number): Thing => ({ name, readyAt, heapIndex: -1 });

function drain(heap: DueHeap<Thing>): number[] {
  const out: number[] = [];
  for (let first = heap.peek(); first; first = heap.peek()) {
    out.push(first.readyAt);
    heap.remove(first);
  }
  return out;
}

const step = fc.record({ name: fc.nat(20), readyAt: fc.oneof(fc.nat(50), fc.constant(Number.POSITIVE_INFINITY)), isLeaving: fc.boolean() });

test("whatever is put in, moved and taken out, the heap agrees with sorting", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const things = Array.from({ length: 21 }, (_, name) => aThing(name, 0));
      const heap = new DueHeap<Thing>();
      const inside = new Map<number, number>();
      for (const { name, readyAt, isLeaving } of steps) {
        const thing = things[name]!;
        if (isLeaving) {
          heap.remove(thing);
          inside.delete(name);
        } else {
          thing.readyAt = readyAt;
          heap.put(thing);
          inside.set(name, readyAt);
        }
        expect(heap.size).toBe(inside.size);
        expect(heap.peek()?.readyAt).toBe(inside.size === 0 ? undefined : Math.min(...inside.values()));
      }
      expect(drain(heap)).toEqual([...inside.values()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    }),
  );
});

test("taking out what is not in, or putting in twice, changes nothing", () => {
  const heap = new DueHeap<Thing>();
  const [one, two] = [aThing(1, 5), aThing(2, 3)];
  heap.remove(one);
  heap.put(one);
  heap.put(one);
  heap.put(two);
  expect(drain(heap)).toEqual([3, 5]);
  expect([one.heapIndex, two.heapIndex]).toEqual([-1, -1]);
});
