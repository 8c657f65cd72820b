import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteCollector } from "./byte-collector.ts";
import { KeyedLimiter } from "./keyed-limiter.ts";
import { MemoryBudget } from "./memory-budget.ts";

const never = new AbortController().signal;

describe("slots", () => {
  test("pass from holder to the one who waited longest", async () => {
    const slots = new KeyedLimiter(1);
    const order: string[] = [];
    expect(slots.acquire("a", never)).toBeUndefined();
    const first = slots.acquire("a", never)!.then(() => order.push("first"));
    const second = slots.acquire("a", never)!.then(() => order.push("second"));
    expect(slots.acquire("b", never)).toBeUndefined();
    slots.release("a");
    await first;
    slots.release("a");
    await second;
    expect(order).toEqual(["first", "second"]);
    slots.release("a");
    expect(slots.acquire("a", never)).toBeUndefined();
  });

  test("are not given to one who stopped waiting", async () => {
    const slots = new KeyedLimiter(1);
    const controller = new AbortController();
    slots.acquire("a", never);
    const stopped = slots.acquire("a", controller.signal);
    const patient = slots.acquire("a", never);
    controller.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    slots.release("a");
    await patient;
  });

  test("are as many as said", () => {
    const slots = new KeyedLimiter(3);
    expect(Array.from({ length: 4 }, () => slots.acquire("a", never) === undefined)).toEqual([true, true, true, false]);
  });
});

describe("the memory for large bodies", () => {
  test("is given in the order it was asked for", () => {
    const budget = new MemoryBudget(100);
    const order: string[] = [];
    expect(budget.reserve(60, () => {})).toBe(true);
    expect(budget.reserve(60, () => order.push("large"))).toBe(false);
    expect(budget.reserve(10, () => order.push("small"))).toBe(false);
    budget.release(60);
    expect(order).toEqual(["large", "small"]);
  });

  test("is given whole to one who is alone and wants more", () => {
    const budget = new MemoryBudget(100);
    expect(budget.reserve(500, () => {})).toBe(true);
    expect(budget.reserve(1, () => {})).toBe(false);
  });

  test("does not go to one who left", () => {
    const budget = new MemoryBudget(100);
    const left = () => expect.unreachable();
    budget.reserve(100, () => {});
    budget.reserve(100, left);
    budget.cancel(left);
    budget.release(100);
    expect(budget.reserve(100, () => {})).toBe(true);
  });
});

describe("gathering", () => {
  test("gives back what came in, in a buffer of its own, up to the cap", () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 60_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(chunks, fc.nat(200_000), fc.nat(200_000), (parts, cap, hint) => {
        const whole = Buffer.concat(parts);
        const gather = new ByteCollector(cap, hint);
        const fits = parts.map((part) => gather.add(part)).every(Boolean);
        const bytes = gather.take();
        expect(fits).toBe(whole.length <= cap);
        expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
        expect(whole.subarray(0, cap).equals(bytes)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test("believes no promise of size", () => {
    expect(new ByteCollector(1e9, 1e9).take().length).toBe(0);
  });
});
