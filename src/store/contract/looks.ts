import { describe, expect, test } from "vitest";
import { noCounts } from "../index.ts";
import { all, aNewUrl, aPage, aRun, aVersion, aVisit, type Bench, hashOf, READER } from "./records.ts";

const URL_1 = "http://a.test/1";

export function looksContract(name: string, { open }: Bench): void {
  describe(`${name}: looks`, () => {
    test("a first visit writes none; later ones are kept until the next, but for those that told nothing", async () => {
      const { store, hear: addUrls, settle, end } = await aRun(open());
      const [candidate] = await addUrls(aNewUrl(URL_1, { parent: "http://a.test/" }));
      await settle({ visits: [aVisit(candidate!, { page: aPage(aVersion("one")) })] });
      const [first] = await all(store.pageObservations([1]));
      expect(first).toMatchObject({
        url: URL_1,
        hash: hashOf(URL_1),
        depth: 1,
        siteId: 1,
        history: undefined,
        isFeed: false,
        keywordScores: [],
      });
      await end();

      const later = await aRun(store);
      const [due] = await later.hear(aNewUrl(URL_1, { via: "due" }));
      const look = async (more: Parameters<typeof aPage>[1]) => {
        const remembered = await store.findStored([1], hashOf(URL_1), READER);
        // Stays queued, because a finished visit can be settled only once.
        await later.settle({ visits: [aVisit(due!, { verdict: "queued", remembered, page: aPage(undefined, more) })] });
        return store.observationsOf([1], hashOf(URL_1));
      };
      const history = Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 255);
      expect((await look({ change: "same", history }))?.history).toEqual(history);
      expect((await look({ change: "unknown" }))?.history).toEqual(history);
      expect((await store.findStored([1], hashOf(URL_1), READER))?.history).toEqual(history);
      expect(await store.page({ hash: hashOf(URL_1) })).toMatchObject({ discoveredVia: "link" });
      await look({ change: "gone" });
      expect(await all(store.pageObservations([1]))).toEqual([]);
    });

    test("what was asked since the last run through everything is known, sitemaps for as long as one wants", async () => {
      const { store, run, hear: addUrls, settle, end } = await aRun(open());
      const asked = async (sitemapsSince = 0) => {
        const found: number[] = [];
        await store.forEachRequested([1], sitemapsSince, ({ hi }) => found.push(hi));
        return found.sort();
      };
      const his = (...urls: string[]) => urls.map((url) => hashOf(url).hi).sort();
      const [old, gone] = await addUrls(aNewUrl(URL_1), aNewUrl("http://a.test/gone"), aNewUrl("http://a.test/waits"));
      await settle({ visits: [aVisit(old!), aVisit(gone!, { verdict: "failed", reason: "http.4xx", status: 404 })] });
      expect(await asked()).toEqual(his(URL_1, "http://a.test/gone"));
      await end();

      const due = await store.startRun({ sites: run.sites, seeds: run.namedSeeds, options: { due: true }, at: Date.now() });
      const map = "http://a.test/map.xml";
      const base = { at: Date.now(), again: [], more: [], hosts: [], counters: noCounts(), state: {} };
      const { heardIds } = await store.settle({ ...base, runId: due.id, visits: [], heard: [aNewUrl(map, { kind: "sitemap" })] });
      const visit = aVisit({ ...aNewUrl(map, { kind: "sitemap" }), id: heardIds[0]!, attempts: 0 });
      await store.settle({ ...base, runId: due.id, visits: [visit], heard: [] });
      await store.endRun(due.id, { status: "finished", stopReason: "finished", at: Date.now(), counters: noCounts(), state: {} });
      expect(await asked()).toEqual(his(URL_1, "http://a.test/gone", map));
      expect(await asked(Date.now() + 1)).toEqual(his(URL_1, "http://a.test/gone"));
    });

    test("what hints were worth is added up, and what was long ago counts half", async () => {
      const { store, settle } = await aRun(open());
      const hint = { siteId: 1, source: "a.test/sitemap.xml", said: 150, wasRight: 100, expected: 10 };
      await settle({ hints: [hint] });
      await settle({ hints: [{ ...hint, said: 50 }] });
      expect(await store.hints([1])).toEqual([{ ...hint, said: 200, wasRight: 200, expected: 20 }]);
      await settle({ hints: [{ ...hint, said: 1, wasRight: 0, expected: 0.5 }] });
      expect(await store.hints([1])).toEqual([{ ...hint, said: 101, wasRight: 100, expected: 10.5 }]);
      expect(await store.hints([2])).toEqual([]);
    });
  });
}
