import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Budget } from "./budget.ts";
import { Gather } from "./gather.ts";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;

describe("slots", () => {
  test("pass from holder to the one who waited longest", async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    expect(slots.take("a", never)).toBeUndefined();
    const first = slots.take("a", never)!.then(() => order.push("first"));
    const second = slots.take("a", never)!.then(() => order.push("second"));
    expect(slots.take("b", never)).toBeUndefined();
    slots.give("a");
    await first;
    slots.give("a");
    await second;
    expect(order).toEqual(["first", "second"]);
    slots.give("a");
    expect(slots.take("a", never)).toBeUndefined();
  });

  test("are not given to one who stopped waiting", async () => {
    const slots = new Slots(1);
    const controller = new AbortController();
    slots.take("a", never);
    const stopped = slots.take("a", controller.signal);
    const patient = slots.take("a", never);
    controller.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    slots.give("a");
    await patient;
  });

  test("are as many as said", () => {
    const slots = new Slots(3);
    expect(Array.from({ length: 4 }, () => slots.take("a", never) === undefined)).toEqual([true, true, true, false]);
  });
});

describe("the memory for large bodies", () => {
  test("is given in the order it was asked for", () => {
    const budget = new Budget(100);
    const order: string[] = [];
    expect(budget.take(60, () => {})).toBe(true);
    expect(budget.take(60, () => order.push("large"))).toBe(false);
    expect(budget.take(10, () => order.push("small"))).toBe(false);
    budget.give(60);
    expect(order).toEqual(["large", "small"]);
  });

  test("is given whole to one who is alone and wants more", () => {
    const budget = new Budget(100);
    expect(budget.take(500, () => {})).toBe(true);
    expect(budget.take(1, () => {})).toBe(false);
  });

  test("does not go to one who left", () => {
    const budget = new Budget(100);
    const left = () => expect.unreachable();
    budget.take(100, () => {});
    budget.take(100, left);
    budget.cancel(left);
    budget.give(100);
    expect(budget.take(100, () => {})).toBe(true);
  });
});

describe("gathering", () => {
  test("gives back what came in, in a buffer of its own, up to the cap", () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 60_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(chunks, fc.nat(200_000), fc.nat(200_000), (parts, cap, hint) => {
        const whole = Buffer.concat(parts);
        const gather = new Gather(cap, hint);
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
    expect(new Gather(1e9, 1e9).take().length).toBe(0);
  });
});
