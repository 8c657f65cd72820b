import { describe, expect, test } from "vitest";
import type { LinkToStore, ScorerSpec, Store } from "../index.ts";
import { aLink, aNewUrl, aPage, aRun, aVersion, aVisit, type Bench, hashOf } from "./records.ts";

const judge: ScorerSpec = { scorer: "test.1", words: ["budget", "agenda"] };
const keywords = judge.words.map((word) => ({ word, weight: 1 }));
const [plan, map] = ["http://a.test/plan.pdf", "http://b.test/map"];

/** The stored matches of each link: url → "budget 0.8 agenda 0.4". */
async function known(store: Store, siteId: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { id, matches } of store.links.matched(siteId))
    found[(await store.links.facts(siteId, id)).url] = matches
      .map(({ word, match }) => `${word} ${match}`)
      .sort()
      .join(" ");
  return found;
}

/** The stored scores, and the expected ones: matches sorted, the first counts fully, the second half, the third a quarter. */
async function scores(store: Store, siteId: number): Promise<{ kept: Record<string, number>; counted: Record<string, number> }> {
  const weights = new Map((await store.links.keywords(siteId)).map(({ word, weight }) => [word, weight]));
  const counted: [id: number, score: number][] = [];
  for await (const { id, matches } of store.links.matched(siteId)) {
    const worths = matches.map(({ word, match }) => match * (weights.get(word) ?? 0.25)).sort((a, b) => b - a);
    counted.push([id, Math.round(1000 * worths.reduce((sum, worth, nth) => sum + worth / 2 ** nth, 0)) / 1000]);
  }
  const { rows } = await store.lists.links.part({ siteId }, { sort: "id", limit: 1000 });
  return { kept: Object.fromEntries(rows.map(({ id, score }) => [id, score])), counted: Object.fromEntries(counted) };
}

/** A link, and the true match of every word. */
interface TrueLink {
  readonly link: LinkToStore;
  readonly truth: Readonly<Record<string, number>>;
}

function randoms(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const aTrueLink = (url: string, position: number, random: (below: number) => number): TrueLink => ({
  link: aLink(url, position, `text ${random(2)}`),
  truth: { budget: random(5) / 4, agenda: random(3) / 2, vote: random(2) },
});

const judged = ({ link, truth }: TrueLink, words: readonly string[]): LinkToStore => ({
  ...link,
  matches: words.flatMap((word, place) => (truth[word]! > 0 ? [[place, truth[word]!] as const] : [])),
});

function expectedOf(links: readonly TrueLink[], words: readonly string[]): Record<string, string> {
  const best: Record<string, Record<string, number>> = {};
  for (const { link, truth } of links) {
    best[link.url] ??= {};
    for (const word of words) best[link.url]![word] = Math.max(truth[word]!, best[link.url]![word] ?? 0);
  }
  const told = (matches: Record<string, number>) =>
    Object.entries(matches)
      .filter(([, match]) => match > 0)
      .map(([word, match]) => `${word} ${match}`)
      .sort()
      .join(" ");
  return Object.fromEntries(
    Object.entries(best)
      .map(([url, matches]) => [url, told(matches)] as const)
      .filter(([, words]) => words !== ""),
  );
}

type Settle = Store["settle"];

/** Writes the link rows of stored pages in three transactions before the pages, as a crawl does for pages with many links. */
const inParts =
  (settle: Settle): Settle =>
  async (settlement) => {
    const { visits, ...more } = settlement;
    const linksWritten = new Set<number>();
    for (const { page, remembered } of visits) {
      if (!page?.version) continue;
      const { links, linkIndex } = page.version;
      for (const index of [0, 1, 2]) {
        const part = { index, of: 3 };
        const some = links.filter(({ hash }) => hash.lo % part.of === index);
        await settle({ ...more, visits: [], heard: [], links: { page: remembered, links: some, linkIndex, part } });
      }
      if (remembered) linksWritten.add(remembered.pageId);
    }
    return settle({ ...settlement, linksWritten });
  };

/** A run that scores links. */
async function aJudgingRun(store: Store) {
  const run = await aRun({ ...store, settle: (settlement) => store.settle({ ...settlement, judge }) });
  await store.links.setKeywords(run.site.id, keywords);
  let number = 0;
  const keep = (url: string, links: readonly LinkToStore[]) => {
    number += 1;
    return run.keep(url, aVersion(`${url} ${number} ${run.run.id}`, links), { change: number > 1 ? "changed" : "new" });
  };
  const gone = (url: string) => run.keep(url, undefined, { change: "gone", status: 404 });
  return { ...run, store, keep, gone, known: () => known(store, run.site.id) };
}

export function linksContract(name: string, { open }: Bench): void {
  describe(`${name}: links`, () => {
    test("a link's match is the greatest of the pages that have it, and follows them", async () => {
      const { keep, gone, known: now } = await aJudgingRun(open());
      await keep("http://a.test/1", [aLink(plan, 0, "Plan", [[0, 0.5]]), aLink(map, 1, "Map", [[1, 1]])]);
      await keep("http://a.test/2", [aLink(plan, 0, "Budget plan", [[0, 1]])]);
      expect(await now()).toEqual({ [plan]: "budget 1", [map]: "agenda 1" });
      await keep("http://a.test/2", [aLink(plan, 0, "Plan and agenda", [[1, 0.7]])]);
      expect(await now()).toEqual({ [plan]: "agenda 0.7 budget 0.5", [map]: "agenda 1" });
      await keep("http://a.test/1", [aLink(map, 1, "Map", [[1, 1]])]);
      expect(await now()).toEqual({ [plan]: "agenda 0.7", [map]: "agenda 1" });
      await gone("http://a.test/2");
      expect(await now()).toEqual({ [map]: "agenda 1" });
      await keep("http://a.test/2", [aLink(plan, 0, "Budget", [[0, 0.9]])]);
      expect(await now()).toEqual({ [plan]: "budget 0.9", [map]: "agenda 1" });
    });

    test.each([
      ["in one transaction", (settle: Settle) => settle],
      ["the links of a page part by part", inParts],
    ])("many pages, many edits, many lists of words: the same as counted by hand, %s", async (_, by) => {
      const store = open();
      const all = ["budget", "agenda", "vote"];
      let words = all.slice(0, 2);
      const settle = by(store.settle);
      const run = await aRun({ ...store, settle: (settlement) => settle({ ...settlement, judge: { scorer: "test.1", words } }) });
      const siteId = run.site.id;
      const random = randoms(7);
      const pages = new Map<string, { id: number; links: TrueLink[] }>();
      const list = async () => {
        await store.links.setKeywords(
          siteId,
          words.map((word) => ({ word, weight: random(10) / 10 })),
        );
        const judgedBy = ({ pageId }: { pageId: number }, { words: asked }: ScorerSpec) => {
          const { links } = [...pages.values()].find(({ id }) => id === pageId)!;
          return { pageId, links: links.map((link) => judged(link, asked)).filter(({ matches }) => matches.length > 0) };
        };
        for (
          let toDo = await store.links.pendingScoring(siteId, "test.1");
          toDo;
          toDo = await store.links.pendingScoring(siteId, "test.1")
        ) {
          const batch = await store.links.pagesToScore(siteId, toDo.after, 2);
          await store.links.saveScores(
            siteId,
            toDo,
            batch.map((page) => judgedBy(page, toDo!)),
          );
        }
      };
      await list();
      for (let step = 0; step < 200; step += 1) {
        const url = `http://a.test/page-${random(8)}`;
        if (random(15) === 0) {
          words = all.filter(() => random(3) > 0);
          await list();
        } else if (random(6) === 0 && pages.has(url)) {
          pages.delete(url);
          await run.keep(url, undefined, { change: "gone", status: 404 });
        } else {
          const links = Array.from({ length: random(5) }, (_, position) => aTrueLink(`http://a.test/link-${random(4)}`, position, random));
          const rows = links.map((link) => judged(link, words));
          const version = { ...aVersion(`${step}`, rows), links: rows.filter(({ matches }) => matches.length > 0) };
          pages.set(url, { id: (await run.keep(url, version, { change: "changed" }))!.id, links });
        }
        if (step % 20 === 19)
          expect(await known(store, siteId)).toEqual(
            expectedOf(
              [...pages.values()].flatMap(({ links }) => links),
              words,
            ),
          );
        if (step % 20 === 19) expect((await store.maintenance.problems()).filter((text) => text.includes("were counted"))).toEqual([]);
        const { kept, counted } = await scores(store, siteId);
        expect(Object.keys(kept)).toEqual(Object.keys(counted));
        for (const [id, score] of Object.entries(counted)) expect(kept[id]).toBeCloseTo(score, 2);
      }
    });

    test("tells which links no run had found on the site before, and since when others stand there", async () => {
      const store = open();
      const first = await aJudgingRun(store);
      const [one, two] = ["http://a.test/1", "http://a.test/2"];
      const [candidate] = await first.hear(aNewUrl(one));
      const page = aVersion("one", [aLink(plan, 0, "Budget", [[0, 1]]), aLink(map, 1, "no word applies")]);
      const { newLinks: found } = await store.settle({
        ...{ runId: first.run.id, at: 1, heard: [], again: [], more: [], hosts: [], counters: first.run.counters, state: {}, judge },
        visits: [aVisit(candidate!, { page: aPage(page) })],
      });
      expect(found).toEqual([{ siteId: first.site.id, url: plan, matches: [[0, 1]] }]);
      await first.end();
      const second = await aJudgingRun(store);
      await second.keep(two, [aLink(plan, 0, "The budget", [[0, 1]]), aLink("http://a.test/new", 1, "Agenda", [[1, 1]])]);
      await second.keep(one, [aLink(plan, 0, "Budget", [[0, 1]]), aLink(map, 1, "Agenda, at last", [[1, 1]])]);
      const runs: Record<string, number> = {};
      for await (const { id, firstRunId } of store.links.matched(second.site.id))
        runs[(await store.links.facts(second.site.id, id)).url] = firstRunId;
      expect(runs).toEqual({ [plan]: first.run.id, "http://a.test/new": second.run.id, [map]: first.run.id });
    });

    test("a word that is taken off the list is forgotten; weights are the list's alone", async () => {
      const { store, site, keep, known: now } = await aJudgingRun(open());
      await keep("http://a.test/1", [
        aLink(plan, 0, "Budget agenda", [
          [0, 1],
          [1, 1],
        ]),
      ]);
      await store.links.setKeywords(site.id, [{ word: "budget", weight: 0.3 }]);
      expect(await store.links.keywords(site.id)).toEqual([{ word: "budget", weight: 0.3 }]);
      expect(await now()).toEqual({ [plan]: "budget 1" });
    });

    test("stored pages are held against new words batch by batch, and that goes on where it was left", async () => {
      const { store, site, keep, known: now } = await aJudgingRun(open());
      expect(await store.links.pendingScoring(site.id, "test.1")).toBeUndefined();
      for (const number of [1, 2, 3]) await keep(`http://a.test/${number}`, [aLink(plan, 0, "Budget", [[0, 0.5]])]);
      await store.links.setKeywords(site.id, [...keywords, { word: "vote", weight: 1 }]);
      const toDo = await store.links.pendingScoring(site.id, "test.1");
      expect(toDo).toEqual({ scorer: "test.1", words: ["vote"], after: 0, pages: 3 });
      const [first, ...others] = await store.links.pagesToScore(site.id, 0, 9);
      const links = [aLink(plan, 0, "Budget", [[0, 0.8]])];
      await store.links.saveScores(site.id, toDo!, [{ pageId: first!.pageId, links }]);
      const rest = await store.links.pendingScoring(site.id, "test.1");
      expect(rest).toEqual({ ...toDo, after: first!.pageId, pages: 2 });
      await store.links.saveScores(site.id, toDo!, [{ pageId: first!.pageId, links: [aLink(plan, 0, "Budget", [[0, 1]])] }]);
      await store.links.saveScores(site.id, rest!, [
        { pageId: others[0]!.pageId, links },
        { pageId: others[1]!.pageId, links: [] },
      ]);
      expect(await store.links.pendingScoring(site.id, "test.1")).toBeUndefined();
      expect(await now()).toEqual({ [plan]: "budget 0.5 vote 0.8" });
      expect(await store.links.pendingScoring(site.id, "test.2")).toMatchObject({ words: ["budget", "agenda", "vote"], pages: 3 });
      expect(await now()).toEqual({});
    });

    test("what a model says goes before what was matched, until the link's words change", async () => {
      const { store, site, run, keep, known: now } = await aJudgingRun(open());
      await keep("http://a.test/1", [aLink(plan, 0, "Budget", [[0, 0.5]]), aLink(map, 1, "Map")]);
      const range = { after: 0, limit: 9 };
      const unscored = await store.links.unscored(site.id, { run: run.id, since: run.id }, "model", range);
      expect(unscored.map(({ url, text }) => [url, text])).toEqual([
        [plan, "Budget"],
        [map, "Map"],
      ]);
      const [one, two] = unscored.map(({ linkId }) => linkId) as [number, number];
      const said = { match: 0.9, comment: "names the sum" };
      await store.links.saveMatches(site.id, "model", [
        { linkId: one, word: "budget", ...said },
        { linkId: two, word: "streets", ...said },
      ]);
      expect(await store.links.unscored(site.id, { run: run.id, since: run.id }, "model", range)).toEqual([]);
      expect(await now()).toEqual({ [plan]: "budget 0.9", [map]: "streets 0.9" });
      expect(await store.links.facts(site.id, one)).toMatchObject({ text: "Budget", pages: 1, comments: ["names the sum"] });
      await keep("http://a.test/1", [aLink(plan, 0, "Budgets", [[0, 0.4]]), aLink(map, 1, "Map")]);
      expect(await now()).toEqual({ [plan]: "budget 0.4", [map]: "streets 0.9" });
      await store.links.saveMatches(site.id, "model", [{ linkId: one, word: "budget", match: 0, comment: undefined }]);
      expect(await now()).toEqual({ [map]: "streets 0.9" });
    });

    test("a model's no is kept where somebody said yes, and links of all pages can be asked about", async () => {
      const { store, site, run, keep, end, known: now } = await aJudgingRun(open());
      await keep("http://a.test/1", [aLink(plan, 0, "Budget", [[0, 0.5]]), aLink(map, 1, "Map")]);
      await end();
      const range = { after: 0, limit: 9 };
      const ids = (await store.links.unscored(site.id, undefined, "model", range)).map(({ linkId }) => linkId);
      expect(ids).toHaveLength(2);
      const later = run.id + 1;
      expect(await store.links.unscored(site.id, { run: later, since: later }, "model", range)).toEqual([]);
      expect(await store.links.unscored(site.id, { run: later, since: run.id }, "model", range)).toHaveLength(2);
      expect(await store.links.unscored(site.id, undefined, "model", { after: ids[0]!, limit: 9 })).toHaveLength(1);
      await store.links.saveMatches(
        site.id,
        "model",
        ids.map((linkId) => ({ linkId, word: "budget", match: 0, comment: undefined })),
      );
      expect(await now()).toEqual({});
    });

    test("answers of a model are found by what it was asked", async () => {
      const store = open();
      await store.saveModelAnswers(
        [
          { key: "a", text: "one" },
          { key: "b", text: "" },
        ],
        5,
      );
      await store.saveModelAnswers([{ key: "a", text: "another" }], 6);
      expect(await open().modelAnswers(["b", "c", "a"])).toEqual(
        new Map([
          ["b", ""],
          ["a", "another"],
        ]),
      );
    });

    test("are written with their page, or not at all", async () => {
      const { store, settle, hear: addUrls, known: now } = await aJudgingRun(open());
      const [candidate] = await addUrls(aNewUrl("http://a.test/1"));
      const page = aPage(aVersion("hello", [aLink(plan, 0, "Budget", [[0, 1]])]));
      const visits = [aVisit(candidate!, { page })];
      await expect(settle({ visits, heard: [{ ...aNewUrl("http://a.test/bad"), via: null as never }] })).rejects.toThrow();
      expect([await now(), await store.inlinks(hashOf(plan), 9)]).toEqual([{}, []]);
      await settle({ visits });
      expect(await now()).toEqual({ [plan]: "budget 1" });
    });

    test("a page's own matches are had by the hashes of its links", async () => {
      const { store, keep } = await aJudgingRun(open());
      const page = await keep("http://a.test/1", [aLink(plan, 0, "Budget", [[0, 0.5]]), aLink(map, 1, "Map")]);
      expect(await store.links.matchesOf(page!.id)).toEqual([{ hash: hashOf(plan), matches: [{ word: "budget", match: 0.5 }] }]);
    });

    test("what is removed counts no more", async () => {
      const { store, site, keep, gone, end, known: now } = await aJudgingRun(open());
      await keep("http://a.test/1", [aLink(plan, 0, "Budget", [[0, 0.5]])]);
      await keep("http://a.test/2", [aLink(plan, 0, "Budget", [[0, 1]]), aLink(map, 1, "Agenda", [[1, 1]])]);
      await gone("http://a.test/2");
      await end();
      await (await store.maintenance.plan({ what: "old", siteId: site.id, keep: 1, before: 0, gone: true })).execute();
      expect(await now()).toEqual({ [plan]: "budget 0.5" });
      await keep("http://a.test/1", []);
      const old = await store.maintenance.plan({ what: "old", siteId: site.id, keep: 9, before: Date.now() + 1, gone: false });
      expect([old.removes.links, (await old.execute()).links]).toEqual([1, 1]);
      expect(await now()).toEqual({});
      await (await store.maintenance.plan({ what: "site", siteId: site.id })).execute();
      expect([await now(), await store.links.keywords(site.id)]).toEqual([{}, []]);
    });
  });
}
