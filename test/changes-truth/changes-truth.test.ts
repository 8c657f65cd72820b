import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { blog } from "./sites/blog.ts";
import { shop } from "./sites/shop.ts";

/** The whole of it takes minutes: `npm run test:changes`. */
test.each([
  ["a shop", shop, "127.0.83.11"],
  ["a blog", blog, "127.0.83.12"],
] as const)("all that was edited in %s is told, and nothing else", async (_, make, address) => {
  const { missed, false: wrong } = await judge(make(4), { address, seed: 4, runs: 3 });
  expect({ missed, wrong }).toEqual({ missed: [], wrong: [] });
});
