import { expect, test } from "vitest";
import { fixed, guessing, lambdaCrawl, nuthatch, proportional, truth } from "../bench/revisit-policies.ts";
import { makeWorld, simulate } from "../bench/revisit-world.ts";

test.each([1, 2, 3])(
  "in world %i the plan of what is due comes near to that of somebody who knows all rates, and above the plain ones",
  async (seed) => {
    const [pages, days] = [150, 30];
    const budget = 3 * pages;
    const world = makeWorld(pages, days, seed);
    const plans = {
      ours: nuthatch(pages, budget),
      known: lambdaCrawl(truth(world), budget),
      fixed: fixed(world, budget),
      proportional: proportional(truth(world), budget),
      guessed: guessing(proportional, pages, budget),
    };
    const scores = new Map<string, { freshness: number; starved: number }>();
    for (const [name, plan] of Object.entries(plans)) scores.set(name, await simulate(world, plan, days, budget));
    const fresh = (name: keyof typeof plans) => scores.get(name)!.freshness;
    expect(fresh("ours")).toBeGreaterThan(0.9 * fresh("known"));
    expect(fresh("ours")).toBeGreaterThan(Math.max(fresh("fixed"), fresh("proportional"), fresh("guessed")));
    expect(scores.get("ours")!.starved).toBe(0);
  },
);
