import { describe, expect, test } from "vitest";
import { seedsBy } from "../../core/seed.ts";
import { aRun, aVersion, type Bench } from "./records.ts";

const aPack = (url: string, text: string, options = "{}") => ({ siteId: 1, url, options, pack: Buffer.from(text), madeAt: Date.now() });

export function contextsContract(name: string, { open, advanceTime }: Bench): void {
  describe(`${name}: contexts`, () => {
    test("a pack takes the place of the one before, and keeps its number; other options make another", async () => {
      const { store } = await aRun(open());
      const first = await store.contexts.save(aPack("http://a.test/", "one"));
      advanceTime(1000);
      const again = await store.contexts.save(aPack("http://a.test/", "two"));
      const other = await store.contexts.save(aPack("http://a.test/", "three", '{"follow":false}'));
      expect([again.id, again.uid, again.madeAt - first.madeAt]).toEqual([first.id, first.uid, 1000]);
      expect((await store.contexts.list()).map(({ id }) => id)).toEqual([other.id, first.id]);
      expect(Buffer.from((await store.contexts.get(first.id))!.pack).toString()).toBe("two");
      expect(Buffer.from((await store.contexts.find("http://a.test/", '{"follow":false}'))!.pack).toString()).toBe("three");
      expect([await store.contexts.remove(first.id), await store.contexts.remove(first.id)]).toEqual([true, false]);
      expect(await store.contexts.find("http://a.test/", "{}")).toBeUndefined();
    });

    test("a pack goes with its site", async () => {
      const { store, site, end } = await aRun(open());
      await store.contexts.save({ ...aPack("http://a.test/", "one"), siteId: site.id });
      await end();
      await (await store.maintenance.plan({ what: "site", siteId: site.id })).execute();
      expect(await store.contexts.list()).toEqual([]);
    });

    test("what an unfinished crawl left is not removed because somebody looked at a page since", async () => {
      const { store, site, keep, end, run } = await aRun(open());
      await keep("http://a.test/lost", aVersion("lost"));
      await keep("http://a.test/lost", undefined, { change: "gone" });
      await end("stopped");
      const look = await store.startRun({
        kind: "context",
        sites: [site],
        seeds: seedsBy("person", [site.url]),
        options: {},
        at: Date.now(),
      });
      const over = { status: "finished", stopReason: "finished", at: Date.now(), counters: look.counters, state: {} } as const;
      await store.endRun(look.id, over);
      advanceTime(1000);
      const old = { what: "old", siteId: undefined, keep: 1, before: Date.now(), gone: true } as const;
      expect((await store.maintenance.plan(old)).removes).toMatchObject({ pages: 0, ledgers: 1 });
      await store.endRun(run.id, over);
      expect((await store.maintenance.plan(old)).removes).toMatchObject({ pages: 1, ledgers: 1 });
    });

    test("looks at single pages are runs of their own kind: whoever asks for crawls does not meet them", async () => {
      const { store, site, run, end } = await aRun(open());
      await end();
      const look = await store.startRun({
        kind: "context",
        sites: [site],
        seeds: seedsBy("person", [site.url]),
        options: {},
        at: Date.now(),
      });
      expect([run.kind, look.kind]).toEqual(["crawl", "context"]);
      expect((await store.runs({ kind: "crawl" })).map(({ id }) => id)).toEqual([run.id]);
      expect((await store.runs({})).map(({ id }) => id)).toEqual([look.id, run.id]);
      expect((await store.maintenance.siteSummaries()).map(({ lastRunId }) => lastRunId)).toEqual([run.id]);
    });
  });
}
