import { describe, expect, test } from "vitest";
import { type Change, crawl } from "../dist/src/index.js";
import { tempFolder } from "./cli.ts";
import { noisySite } from "./noisy-site.ts";
import { serveSite } from "./site/index.ts";

const fast = { rateLimit: "none", perHost: 8, maxConcurrent: 8 } as const;

async function look(seed: string, db: string, options = {}) {
  const changes = new Map<string, Change>();
  await using run = crawl(seed, { ...fast, db, ...options });
  for await (const { url, change } of run) changes.set(new URL(url).pathname, change);
  const result = await run.result;
  const those = (status: Change) => [...changes].flatMap(([path, change]) => (change === status ? [path] : [])).sort();
  return { result, those };
}

describe("six runs over a site with noise on every page", () => {
  test.each([
    ["noise at every request", 1, false],
    ["noise at every request, other dice", 2, false],
    ["other dice again", 3, false],
    ["noise that changes from run to run", 4, true],
    ["noise that changes from run to run 2", 5, true],
  ])("%s: no edit is missed, and from the third run on nothing else is called changed", async (_, seed, isPerRun) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const noisy = noisySite({ seed, isPerRun });
    const site = await serveSite(noisy.pages, { address: `127.0.65.${seed}` });
    await look(`${site.origin}/`, db);
    for (let run = 2; run <= 6; run += 1) {
      const edited = noisy.edit(run);
      const { result, those } = await look(`${site.origin}/`, db);
      const said = those("changed");
      const missed = edited.changed.filter((path) => !said.includes(path));
      const wrong = said.filter((path) => !edited.changed.includes(path));
      console.log(
        `run ${run}: ${edited.changed.length} edits, missed ${missed}, false ${wrong} of ${result.stats.pages}, looks ${result.stats.looksAgain}`,
      );
      expect(those("new")).toEqual(edited.added);
      expect(result.stats.changes.gone).toBe(edited.removed.length);
    }
    await site.close();
  });
});
