import { describe, expect, test } from "vitest";
import type { PageMetadata, PageVerdict, ReadMetadata } from "../../core/records.ts";
import { all, aRun, aVersion, type Bench, hashOf } from "./records.ts";

const [one, two] = ["http://a.test/1", "http://a.test/2"];

const aRead = (values: PageMetadata, verdict: PageVerdict = "ok", extractor = 1): ReadMetadata => ({
  values,
  verdict: { value: verdict, source: "text" },
  preview: "It begins like this",
  evidence: Uint8Array.of(1, 2, 3),
  blocks: Uint32Array.of(7, 0xffffffff),
  extractor,
});

/** A version with an extractor's metadata. */
const seen = (text: string, read = aRead({ title: { value: text, source: "h1", confidence: 0.9 } })) =>
  aVersion(text, [], { metadata: read.values, read });

export function metadataContract(name: string, { open, advanceTime }: Bench): void {
  describe(`${name}: metadata`, () => {
    const which = { before: 1, hasBody: true };
    const waiting = async (store: ReturnType<typeof open>, more = {}) =>
      (await store.metadata.pagesToFill({ ...which, ...more }, { after: 0, limit: 9 })).map(({ url }) => url);

    test("what an extractor found is kept with the page, with what lost apart from it", async () => {
      const { store, keep } = await aRun(open());
      const page = await keep(one, seen("one"));
      expect(page).toMatchObject({ metadata: { title: { value: "one", source: "h1", confidence: 0.9 } }, verdict: "ok" });
      const { preview, evidence, extractor, scrapedAt } = (await store.metadata.evidence(page!.id))!;
      expect([preview, Array.from(evidence), extractor, scrapedAt]).toEqual(["It begins like this", [1, 2, 3], 1, Date.now()]);
      const [{ url, blocks }] = (await all(store.metadata.blocks(1, 9))) as [{ url: string; blocks: Uint32Array }];
      expect([url, Array.from(blocks)]).toEqual([one, [7, 0xffffffff]]);
      expect(await store.metadata.evidence(99)).toBeUndefined();
    });

    test("pages without, with an older extractor's, or marked are to be filled in; of what has no body only those that may", async () => {
      const { store, keep } = await aRun(open());
      const first = await keep(one, seen("one"));
      const bodiless = aVersion("two");
      await keep(two, { ...bodiless, body: { ...bodiless.body, data: undefined } });
      await keep("http://a.test/3.txt", aVersion("three", [], { type: "text" }));
      expect([await waiting(store), await waiting(store, { hasBody: false })]).toEqual([[], [two]]);
      expect([await waiting(store, { before: 2 }), await store.metadata.countPagesToFill({ ...which, before: 2 })]).toEqual([[one], 1]);
      expect(await waiting(store, { before: undefined, hasBody: false, pageIds: [first!.id] })).toEqual([one]);
      expect([await store.metadata.reset({ siteId: 2 }), await waiting(store)]).toEqual([0, []]);
      expect([await store.metadata.reset({ siteId: 1 }), await waiting(store)]).toEqual([1, [one]]);
      expect(await store.metadata.pagesToFill({ ...which, siteIds: [1] }, { after: 0, limit: 9 })).toMatchObject([
        { isReset: true, extractor: 1 },
      ]);
      expect(await waiting(store, { siteIds: [2] })).toEqual([]);
    });

    test("filling in replaces the values of the version it was made for, and of no other", async () => {
      const { store, keep, end } = await aRun(open());
      const page = await keep(one, aVersion("one"));
      const { pageId, versionId } = (await store.metadata.pagesToFill(which, { after: 0, limit: 9 }))[0]!;
      const image = { value: "http://a.test/i.png", source: "og:image", confidence: 0.8 };
      const metadata = { title: { value: "one", source: "title" }, image };
      await store.metadata.fill([{ pageId, versionId, metadata, read: aRead({ image }) }], Date.now());
      expect([(await store.page({ id: page!.id }))?.metadata, await waiting(store)]).toEqual([metadata, []]);
      await end();
      advanceTime(1000);
      await (await aRun(store)).keep(one, aVersion("other"), { change: "changed" });
      expect(await store.page({ id: page!.id })).toMatchObject({ metadata: { title: { value: "other" } }, verdict: null });
      expect([await store.metadata.evidence(pageId), await waiting(store)]).toEqual([undefined, [one]]);
      await store.metadata.fill([{ pageId, versionId, metadata, read: aRead({ image }) }], Date.now());
      expect((await store.page({ id: page!.id }))?.metadata).toEqual({ title: { value: "other", source: "title" } });
    });

    test("a page that is the same, or is read again without an extractor, keeps what is known of it", async () => {
      const { store, keep, end } = await aRun(open());
      const page = await keep(one, seen("one"));
      await end();
      const again = await aRun(store);
      expect(await again.keep(one, undefined, { change: "same", fromCache: true })).toMatchObject({
        verdict: "ok",
        metadata: page!.metadata,
      });
      await again.end();
      const reread = await (await aRun(store)).keep(one, aVersion("one as today's reader sees it"), { change: "same", isReread: true });
      expect(reread).toMatchObject({ verdict: "ok", metadata: page!.metadata });
    });

    test("what is no page is counted by what it is; what lacks a field is found", async () => {
      const { store, run, keep } = await aRun(open());
      await keep(one, seen("one"));
      await keep(two, seen("Log in", aRead({ lang: { value: "en", source: "html:lang", confidence: 1 } }, "login-wall")));
      const urls = async (filter: Parameters<typeof store.pages>[0]) => (await all(store.pages(filter))).map(({ url }) => url);
      expect(await store.metadata.verdicts({ runId: run.id })).toEqual({ "login-wall": 1 });
      expect(await store.metadata.verdicts({ siteId: 2 })).toEqual({});
      expect([await urls({ missing: ["title"] }), await urls({ missing: ["lang"] }), await urls({ missing: ["image"] })]).toEqual([
        [two],
        [one],
        [one, two],
      ]);
      expect((await all(store.changes(run.id))).map(({ verdict }) => verdict)).toEqual(["ok", "login-wall"]);
      expect((await all(store.history.changes([1], { after: 0, until: run.id }))).map(({ verdict }) => verdict)).toEqual([
        "ok",
        "login-wall",
      ]);
      // Muted pages are not reported.
      await store.userData.setPage(1, { isMuted: true }, 5);
      expect((await all(store.history.changes([1], { after: 0, until: run.id }))).map(({ url }) => url)).toEqual([two]);
      expect((await all(store.history.latest({}))).map(({ url }) => url)).toEqual([two]);
    });

    test("what repeats on a site is kept for it", async () => {
      const { store } = await aRun(open());
      expect(await store.metadata.boilerplate(1)).toBeUndefined();
      for (const hashes of [[1], [5, 0xfffffffe]]) await store.metadata.saveBoilerplate(1, Uint32Array.from(hashes), Date.now());
      expect(Array.from((await store.metadata.boilerplate(1))!)).toEqual([5, 0xfffffffe]);
    });

    test("how far sources are trusted is kept for a site, and told with its address", async () => {
      const { store } = await aRun(open());
      expect(await store.metadata.sourceMemories([1])).toEqual([]);
      for (const trust of [1, -3]) await store.metadata.saveSourceMemory(1, new Map([["image:og:image", trust]]), Date.now());
      const url = (await store.sites())[0]!.url;
      expect(await store.metadata.sourceMemories([1, 2])).toEqual([{ siteUrl: url, sources: new Map([["image:og:image", -3]]) }]);
    });

    test("it goes with its page", async () => {
      const { store, keep, end } = await aRun(open());
      const page = await keep(one, seen("one"));
      await end();
      await (await store.maintenance.plan({ what: "site", siteId: 1 })).execute();
      expect([await store.page({ hash: hashOf(one) }), await store.metadata.evidence(page!.id)]).toEqual([undefined, undefined]);
      expect(await store.maintenance.problems()).toEqual([]);
    });
  });
}
