import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/cli.ts";
import { KeysetList } from "../keyset.ts";
import { openSqlite } from "../open.ts";
import { SETTLED } from "../queue.ts";

const store = openSqlite(":memory:");
const { lists } = store;

describe("every list runs along an index, from wherever somebody is in it", () => {
  const hash = { hi: 1, lo: 1 };
  test.each([
    ["sites", lists.sites, {}, [5]],
    ["runs of a site", lists.runs, { siteId: 1 }, [5]],
    ["pages", lists.pages, {}, [5]],
    ["pages of a site", lists.pages, { siteId: 1 }, [5]],
    ["pages of a site that a run saw", lists.pages, { siteId: 1, runId: 1 }, [5]],
    ["pages of a site, with everything to sieve", lists.pages, { siteId: 1, lang: "en", topic: "x", change: ["new"], isMuted: false }, [5]],
    ["links", lists.links, {}, undefined],
    ["links of a site", lists.links, { siteId: 1, minScore: 0.5 }, undefined],
    ["links to documents", lists.links, { siteId: 1, types: ["pdf"], words: ["a", "b"], isAny: true }, undefined],
    ["sources of a link", lists.sources, { siteId: 1, linkId: 1 }, [5]],
    ["decisions", lists.decisions, { runId: 1, verdict: ["skipped"] }, [5]],
    ["a decision", lists.decisions, { runId: 1, hashes: [hash] }, [5]],
    ["failures", lists.failures, { runId: 1 }, ["5"]],
    ["changes", lists.changes, { after: 1, until: 4, siteId: 1 }, [2, 5]],
  ] as const)("%s", (_, list, filter, after) => {
    if (!(list instanceof KeysetList)) throw new Error("this list is read another way");
    for (const sort of list.sorts.flatMap((name) => [name, `-${name}`]))
      for (const place of [undefined, sort.endsWith("seen") ? ("runId" in filter ? [5, 5] : [1, 5, 5]) : after]) {
        const steps = list.explain(filter, sort, place);
        expect(steps.join("\n")).not.toMatch(/TEMP B-TREE FOR ORDER BY/);
        if (place) expect(steps[0], sort).toMatch(/^SEARCH .*[<>]|hash=\?/);
      }
  });

  test("pages by their words, along the index of those", () => {
    const query = { wanted: [{ text: "budget", words: "budget", isBeginning: false }], unwanted: [] };
    const list = lists.pages as KeysetList<object, unknown>;
    for (const [sort, sign] of [
      ["id", ">"],
      ["-id", "<"],
    ] as const) {
      const steps = list.explain({ siteId: 1, lang: "en", query }, sort, [5]);
      expect(steps[0]).toMatch(new RegExp(`^SCAN f VIRTUAL TABLE INDEX \\d+:M\\d${sign}`));
      expect(steps.join("\n")).not.toMatch(/TEMP B-TREE/);
    }
  });
});

test("what was settled is looked up by its place, not among all pages for every part of it", () => {
  using folder = tempFolder();
  const file = folder.file("plans.db");
  openSqlite(file).close();
  const db = new DatabaseSync(file);
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${SETTLED}`).all("[]") as { detail: string }[];
  db.close();
  expect(steps.map(({ detail }) => detail).join("\n")).not.toMatch(/MATERIALIZE|SCAN (?!json_each)/);
});

describe("links of which there are few are found without looking at all", () => {
  test.each([
    ["of a page", { pageId: 1 }, /^SEARCH ls USING PRIMARY KEY \(page_id=\?\)/],
    ["pinned", { siteId: 1, isPinned: true }, /^SEARCH b USING PRIMARY KEY \(site_id=\?\)|^SCAN b/],
    ["found by a run", { firstRunId: 1 }, /^SEARCH s USING INDEX link_score_found \(first_run_id=\?\)/],
    ["new", { siteId: 1, isNew: true }, /^SEARCH s USING INDEX link_score_found \(first_run_id=\? AND site_id=\?\)/],
    [
      "of a rare word",
      { siteId: 1, words: ["rare"], isMuted: false },
      /^SEARCH f USING .*INDEX link_keyword_word \(site_id=\? AND word_id=\?\)/,
    ],
  ] as const)("%s", (_, filter, step) => {
    const list = lists.links as KeysetList<object, object>;
    expect(list.explain(filter, "-score").find((one) => /^(SEARCH|SCAN)/.test(one))).toMatch(step);
  });
});
