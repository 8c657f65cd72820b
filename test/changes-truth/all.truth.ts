/** What the crawler tells of changes, held against what was done to five sites: `npm run test:changes`. */
import { afterAll, expect, test } from "vitest";
import { judge, type Verdict } from "./judge.ts";
import { sites } from "./sites.ts";

const seeds = [1, 2, 3];
const verdicts: Verdict[] = [];

test.each(sites.flatMap((make, at) => seeds.map((seed) => [make(seed).name, seed, make, at] as const)))(
  "%s, seed %i",
  async (name, seed, make, at) => {
    const verdict = await judge(make(seed), { address: `127.0.83.${1 + at}`, seed });
    verdicts.push(verdict);
    const { edits, missed, quiet, looksAgain } = verdict;
    console.log(
      `${name} ${seed}: missed ${missed.length} of ${edits}, false ${verdict.false.length} of ${quiet}, ${looksAgain} second looks`,
    );
    for (const line of [...missed, ...verdict.false]) console.log(`  ${line.slice(0, 600)}`);
    expect(missed).toEqual([]);
    expect(verdict.false.length / quiet).toBeLessThanOrEqual(0.03);
  },
);

afterAll(() => {
  const [wrong, quiet, edits] = [(each: Verdict) => each.false.length, (each: Verdict) => each.quiet, (each: Verdict) => each.edits].map(
    (of) => verdicts.reduce((sum, each) => sum + of(each), 0),
  ) as [number, number, number];
  console.log(`in all: ${edits} edits, false ${wrong} of ${quiet} (${((100 * wrong) / quiet).toFixed(2)} %)`);
  expect(wrong / quiet).toBeLessThanOrEqual(0.01);
});

test("there are as many edits and kinds of noise as are promised", () => {
  const made = sites.map((make) => make(1));
  const edits = made.flatMap((site) => [2, 3, 4, 5, 6].flatMap((run) => site.edit(run)));
  expect(edits.length).toBeGreaterThanOrEqual(60);
  expect(new Set(made.flatMap(({ noises }) => noises)).size).toBeGreaterThanOrEqual(30);
});
