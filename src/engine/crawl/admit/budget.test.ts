import { expect, test } from "vitest";
import type { Sharing } from "../../frontier/index.ts";
import { WorkerPool } from "../worker-pool.ts";
import { Budget, SharedBudget } from "./budget.ts";

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
  const crew = new WorkerPool(async () => {
    const number = order.push(order.length);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (number === 3) throw new Error("the third");
  });
  crew.grow(5);
  const done = crew.run(2);
  crew.grow(3);
  crew.grow(1);
  expect(order).toHaveLength(3);
  for (const end of ends) end();
  expect((await done)?.reason).toEqual(new Error("the third"));
});

/** A shared page limit: each process reports its pages in flight, and the rest is granted while it lasts. */
function aPot(): {
  readonly of: (name: string) => Pick<Sharing, "takePages" | "lives">;
  fetched: number;
  /** The pages of a process that is presumed to have ended are available again. */
  bury: (name: string) => void;
} {
  const reserved = new Map<string, number>();
  const buried: string[] = [];
  const pot = {
    fetched: 0,
    bury: (name: string) => {
      reserved.delete(name);
      buried.push(name);
    },
    of: (name: string) => ({
      lives: () => buried.filter((one) => one === name).length,
      takePages: async (wanted: number, most: number, out: number) => {
        reserved.delete(name);
        const others = [...reserved.values()].reduce((sum, some) => sum + some, 0);
        const granted = Math.max(0, Math.min(wanted, most - pot.fetched - others - out));
        reserved.set(name, out + granted);
        return granted === 0 && others > 0 ? undefined : granted;
      },
    }),
  };
  return pot;
}

test("what several may fetch together is never more than that, and none of it is left over", async () => {
  const pot = aPot();
  const budgets = ["a", "b", "c"].map((name) => new SharedBudget(pot.of(name), 50));
  const work = async (budget: SharedBudget, everyThirdIsNone: boolean) => {
    for (let visits = 0; ; visits++) {
      const may = await budget.take();
      if (may === "spent") return;
      if (may === "later") await budget.giveBack();
      await new Promise((resolve) => setImmediate(resolve));
      if (may === "later") continue;
      const isPage = !everyThirdIsNone || visits % 3 !== 0;
      if (isPage) pot.fetched += 1;
      budget.settle();
    }
  };
  await Promise.all(budgets.flatMap((budget, index) => [work(budget, index === 1), work(budget, false), work(budget, false)]));
  expect(pot.fetched).toBe(50);
});

test("who is taken for dead keeps nothing of what it took: others may have it by now", async () => {
  const pot = aPot();
  const [a, b] = ["a", "b"].map((name) => new SharedBudget(pot.of(name), 10)) as [SharedBudget, SharedBudget];
  for (let page = 0; page < 2; page++) expect(await a.take()).toBe("yes");
  pot.bury("a");
  for (let page = 0; page < 10; page++) {
    expect(await b.take()).toBe("yes");
    pot.fetched += 1;
    b.settle();
  }
  expect(await a.take()).toBe("later");
  for (let page = 0; page < 2; page++) a.settle();
  await b.giveBack();
  expect(await a.take()).toBe("spent");
});

test("one without a limit asks nobody", async () => {
  const nobody = { takePages: () => Promise.reject(new Error("asked")), lives: () => 0 };
  expect(await new SharedBudget(nobody, Number.POSITIVE_INFINITY).take()).toBe("yes");
});

test("who has no page to fetch waits for one timer with all others, and is woken by as many pages as there are", async () => {
  const pot = aPot();
  const timers: (() => void)[] = [];
  let asked = 0;
  const takePages = (...given: [number, number, number]) => {
    asked += 1;
    return pot.of("a").takePages(...given);
  };
  const counted = { lives: () => 0, takePages };
  const waits = new SharedBudget(counted, 10, (_, call) => {
    timers.push(call);
    return () => timers.splice(timers.indexOf(call), 1);
  });
  const others = new SharedBudget(pot.of("b"), 10);
  for (let page = 0; page < 10; page++) expect(await others.take()).toBe("yes");
  expect(waits.waitForPages()).toBeUndefined();
  expect(await waits.take()).toBe("later");
  let woken = 0;
  for (let worker = 0; worker < 50; worker++) void waits.waitForPages()!.then(() => (woken += 1));
  const look = async () => {
    expect(timers).toHaveLength(1);
    timers.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  asked = 0;
  for (let times = 0; times < 5; times++) await look();
  // One worker continues each time, so that it meets and reports an error.
  expect({ asked, woken }).toEqual({ asked: 5, woken: 5 });
  for (let page = 0; page < 7; page++) pot.fetched += 1;
  for (let page = 0; page < 10; page++) others.settle();
  await others.giveBack();
  await look();
  expect(woken).toBe(5 + 3);
  waits.wakeAll();
  await new Promise((resolve) => setImmediate(resolve));
  expect({ woken, timers }).toEqual({ woken: 50, timers: [] });
});
