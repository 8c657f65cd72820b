import { expect, test } from "vitest";
import { createResolver, markdownOf, readTree } from "../../parse/index.ts";
import { cutPage } from "./blocks.ts";
import { prunedTree } from "./prune.ts";

test("a picture that leads to its file stays without the name and size beside it", () => {
  const picture = `<a href="/large.jpg"><img src="/small.jpg" alt="A nest" width="600"><div>large 40 KB</div></a>`;
  const teaser = `<a href="/other"><img src="/other.jpg" alt="Others" width="600"><div>Other birds</div></a>`;
  const root = readTree(
    `<html><body><main><p>It nests in holes.</p><div>${picture}</div><div>${teaser}</div><p>It sings.</p></main></body></html>`,
  );
  const { blocks } = cutPage(root);
  const isKept = (at: number) => blocks[at]!.text.startsWith("It ");
  const kept = prunedTree(root, blocks, { isKept, wholeElements: new Set() });
  const resolve = createResolver("http://birds.test/", "utf-8");
  expect(markdownOf(kept, { resolve, isPlain: false })).toBe(
    "It nests in holes.\n\n[![A nest](http://birds.test/small.jpg)](http://birds.test/large.jpg)\n\nIt sings.\n",
  );
});
