import { expect, test } from "vitest";
import { Budget } from "./budget.ts";
import { Crew } from "./crew.ts";

test("a budget that grows lets those go on who wait for it, and one that shrinks refuses", async () => {
  const budget = new Budget(1);
  expect(await budget.take()).toBe(true);
  const waits = budget.take();
  budget.resize(3);
  expect(await waits).toBe(true);
  budget.spend();
  budget.spend();
  budget.resize(2);
  expect(await budget.take()).toBe(false);
});

test("a budget may become endless and be limited again", async () => {
  const budget = new Budget(10);
  budget.resize(Number.POSITIVE_INFINITY);
  expect(await budget.take()).toBe(true);
  budget.spend();
  budget.resize(1);
  expect(await budget.take()).toBe(false);
});

test("workers that join a crew are waited for, and the first failure is told", async () => {
  const order: number[] = [];
  const ends: (() => void)[] = [];
  const crew = new Crew(async () => {
    const number = order.push(order.length);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (number === 3) throw new Error("the third");
  });
  crew.grow(5);
  const done = crew.work(2);
  crew.grow(3);
  crew.grow(1);
  expect(order).toHaveLength(3);
  for (const end of ends) end();
  expect((await done)?.reason).toEqual(new Error("the third"));
});
