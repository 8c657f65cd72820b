import { describe, expect, test } from "vitest";
import type { Run } from "../run.ts";
import { all, aNewUrl, aRun, aVersion, aVisit, type Bench, hashOf, queuedFor } from "./records.ts";

export function careContract(name: string, { open, simulateCrash, advanceTime }: Bench): void {
  describe(`${name}: stopping from outside`, () => {
    test("a run is asked once it is at work, hears of it, and forgets when it is taken up again", async () => {
      const a = await aRun(open());
      const { maintenance: care } = open();
      expect(await a.store.maintenance.isStopRequested(a.run.id)).toBe(false);
      expect(await care.requestStop(a.run.id)).toBe(true);
      expect(await a.store.maintenance.isStopRequested(a.run.id)).toBe(true);
      await a.end("stopped");
      expect(await care.requestStop(a.run.id)).toBe(false);
      await a.store.resumeRun(a.run.id, Date.now());
      expect(await a.store.maintenance.isStopRequested(a.run.id)).toBe(false);
    });

    test("nobody hears when its process is dead", async () => {
      const a = await aRun(open());
      simulateCrash();
      expect(await open().maintenance.requestStop(a.run.id)).toBe(false);
    });
  });

  test(`${name}: what a run did is counted for each of its sites, as its ledger has it`, async () => {
    const store = open();
    const { run, site, settle } = await aRun(store);
    const other = await store.site("http://b.test/", "http://b.test/");
    const urls = ["/", "/same", "/gone", "/no", "/late", "/busy", "/away", "/left"].map((path) => `http://b.test${path}`);
    const left = { verdict: "skipped", reason: "type" } as const;
    const heard = urls.map((url) => aNewUrl(url, { siteId: other.id, ...(url.endsWith("/left") && left) }));
    const { heardIds } = await settle({ heard });
    const answers = [
      ["fetched", 200],
      ["not-modified", 304],
      ["failed", 404],
      ["failed", 403],
      ["failed", 408],
      ["failed", 503],
      ["fetched", 301],
    ] as const;
    const visits = answers.map(([verdict, status], at) => aVisit({ ...heard[at]!, id: heardIds[at]!, attempts: 0 }, { verdict, status }));
    await settle({ visits });
    expect(await store.maintenance.countsOn(other.id, run.id)).toEqual({ pages: 2, gone: 1, refused: 2, failed: 1, skipped: 1 });
    expect(await store.maintenance.countsOn(site.id, run.id)).toEqual({ pages: 0, gone: 0, refused: 0, failed: 0, skipped: 0 });
    expect(await store.maintenance.countsOn(site.id, run.id + 1)).toBeUndefined();
  });

  describe(`${name}: removing`, () => {
    const old = { what: "old", siteId: undefined, keep: 1, gone: true } as const;

    test("a ledger of many rows goes, while another process crawls", async () => {
      const store = open();
      const first = await aRun(store);
      await first.hear(...Array.from({ length: 12_000 }, (_, index) => aNewUrl(`http://a.test/${index}`)));
      await first.end();
      const other = await aRun(open(), "http://b.test/");
      const plan = await store.maintenance.plan({ what: "run", runId: first.run.id });
      expect(plan.removes).toMatchObject({ runs: 1, decisions: 12_000 });
      let isDone = false;
      const removal = plan.execute().finally(() => {
        isDone = true;
      });
      let settled = 0;
      while (!isDone) {
        await other.hear(aNewUrl(`http://b.test/${settled++}`));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(await removal).toMatchObject({ runs: 1, decisions: 12_000 });
      expect(settled, "it was not locked out").toBeGreaterThan(1);
      expect(await all(store.decisions({}))).toHaveLength(settled);
      expect(await store.run(first.run.id)).toBeUndefined();
    });

    test("what a run hears later is found again, though the numbers before it are free", async () => {
      const store = open();
      const first = await aRun(store);
      await first.hear(aNewUrl("http://a.test/1"), aNewUrl("http://a.test/2"));
      await first.end();
      const second = await aRun(store, "http://b.test/");
      await (await store.maintenance.plan({ what: "run", runId: first.run.id })).execute();
      await second.hear(aNewUrl("http://b.test/1"));
      simulateCrash();
      const seen: unknown[] = [];
      await store.forEachKnownUrl(second.run.id, (hash) => seen.push(hash));
      expect(seen).toEqual([hashOf("http://b.test/1")]);
      expect(await store.maintenance.problems()).toEqual([]);
    });

    test("the number of a page that others removed is not given again", async () => {
      const mine = await aRun(open(), "http://b.test/");
      await mine.keep("http://b.test/1", aVersion("one"));
      const store = open();
      const first = await aRun(store);
      const last = (await first.keep("http://a.test/1", aVersion("two")))!;
      await first.keep("http://a.test/1", undefined, { change: "gone", status: 404 });
      await first.end();
      expect(await (await store.maintenance.plan({ ...old, before: 0 })).execute()).toMatchObject({ pages: 1 });
      expect((await mine.keep("http://b.test/2", aVersion("three")))!.id).toBeGreaterThan(last.id);
    });

    test("a body that a page needs again meanwhile stays", async () => {
      const store = open();
      const first = await aRun(store);
      for (const text of ["one", "two"]) {
        advanceTime(1000);
        await first.keep("http://a.test/", aVersion(text), { change: "changed" });
      }
      await first.end();
      const plan = await store.maintenance.plan({ ...old, before: 0 });
      expect(plan.removes).toMatchObject({ versions: 1, bodies: 1 });
      const { hash } = aVersion("one").body;
      const second = await aRun(open(), "http://b.test/");
      await second.keep("http://b.test/", aVersion("one"));
      expect(await plan.execute()).toMatchObject({ versions: 1, bodies: 0 });
      expect(Buffer.from((await store.body(hash))!).toString()).toBe("one");
    });

    test("a page that was a copy of one that goes is a copy no more", async () => {
      const store = open();
      const first = await aRun(store);
      const page = (await first.keep("http://a.test/1", aVersion("one")))!;
      await first.keep("http://a.test/2", aVersion("one"), { duplicateOf: page.id, nearDuplicateOf: page.id });
      await first.keep("http://a.test/1", undefined, { change: "gone", status: 404 });
      await first.end();
      expect(await (await store.maintenance.plan({ ...old, before: 0 })).execute()).toMatchObject({ pages: 1 });
      expect(await all(store.pages({}))).toMatchObject([{ url: "http://a.test/2", duplicateOf: null, nearDuplicateOf: null }]);
      expect((await store.maintenance.problems()).filter((text) => text.includes("were counted"))).toEqual([]);
    });

    test("pages of a site that is crawled by now are left alone", async () => {
      const store = open();
      const first = await aRun(store);
      await first.keep("http://a.test/1", aVersion("one"));
      await first.keep("http://a.test/1", undefined, { change: "gone", status: 404 });
      await first.end();
      const plan = await store.maintenance.plan({ ...old, before: 0 });
      expect(plan.removes).toMatchObject({ pages: 1 });
      const second = await aRun(open());
      expect(await plan.execute()).toMatchObject({ pages: 0, versions: 0, bodies: 0 });
      await expect(store.maintenance.plan({ what: "site", siteId: first.site.id })).rejects.toThrow(/still at work/);
      await second.end();
    });

    test.each([
      ["the last complete one stays, and what came after it", ["finished", "finished", "stopped"], [1]],
      ["one that was stopped by hand stays", ["finished", "stopped", "finished"], [1]],
      ["one that met its limit goes when a later one has ended", ["limit", "limit"], [1]],
      ["one that met its limit stays behind the last complete one", ["finished", "limit", "limit"], [2]],
      ["the only one stays", ["finished"], []],
    ] as [string, ("finished" | "stopped" | "limit")[], number[]][])("ledgers of old runs: %s", async (_, ends, gone) => {
      const store = open();
      const runs: Run[] = [];
      for (const end of ends) {
        const { run, hear: addUrls } = await aRun(store);
        runs.push(run);
        await addUrls(aNewUrl("http://a.test/", { verdict: "skipped", reason: "depth" }));
        const { counters } = (await store.run(run.id))!;
        const status = end === "finished" ? "finished" : "stopped";
        const stopReason = end === "finished" ? "finished" : end === "limit" ? "limit.pages" : "stopped";
        await store.endRun(run.id, { status, stopReason, at: Date.now(), counters, state: {} });
      }
      advanceTime(1000);
      await (await store.maintenance.plan({ ...old, before: Date.now() })).execute();
      const pruned = await Promise.all(runs.map(async ({ id }) => ((await store.run(id))?.prunedAt === undefined ? [] : [id])));
      expect(pruned.flat()).toEqual(gone);
      for (const { id } of runs) expect(await all(store.decisions({ runId: id }))).toHaveLength(gone.includes(id) ? 0 : 1);
      for (const id of gone) await expect(store.resumeRun(id, Date.now())).rejects.toThrow(/ledger was removed/);
    });

    test("pages of several runs go with the last of them", async () => {
      const store = open();
      const runs: Run[] = [];
      for (const change of ["new", "same", "same"] as const) {
        const { run, keep, end } = await aRun(store);
        await keep("http://a.test/", change === "new" ? aVersion("one") : undefined, { change });
        await end();
        runs.push(run);
      }
      const removed: number[] = [];
      for (const { id } of [runs[0]!, runs[2]!, runs[1]!]) {
        removed.push((await (await store.maintenance.plan({ what: "run", runId: id })).execute()).pages);
      }
      expect(removed).toEqual([0, 0, 1]);
      expect(await all(store.pages({}))).toEqual([]);
      expect((await store.maintenance.problems()).filter((text) => text.includes("were counted"))).toEqual([]);
    });

    test("a site is known as long as there are pages of it", async () => {
      const store = open();
      const first = await aRun(store);
      await first.keep("http://a.test/", aVersion("one"));
      await first.end();
      const second = await aRun(store);
      expect(await store.hasOtherRuns(second.run)).toBe(true);
      simulateCrash();
      await (await store.maintenance.plan({ what: "run", runId: second.run.id })).execute();
      expect(await all(store.pages({}))).toHaveLength(1);
      const third = await aRun(store);
      expect(await store.hasOtherRuns(third.run)).toBe(true);
      const other = await aRun(store, "http://b.test/");
      expect(await store.hasOtherRuns(other.run)).toBe(false);
    });

    test("carried out a second time after it was killed, it finishes", async () => {
      const store = open();
      const first = await aRun(store);
      await first.keep("http://a.test/1", aVersion("one"));
      await first.hear(aNewUrl("http://a.test/2"));
      await first.end("stopped");
      const request = { what: "site", siteId: first.site.id } as const;
      // Planned and started by a process that did not finish.
      await store.maintenance.plan(request);
      await (await open().maintenance.plan({ what: "run", runId: first.run.id })).execute();
      expect(await (await open().maintenance.plan(request)).execute()).toMatchObject({ sites: 1, runs: 0, pages: 0 });
      expect([await store.sites(), await store.runs({}), await all(store.pages({}))]).toEqual([[], [], []]);
      expect(await queuedFor(store.backlog(first.run.id), "a.test")).toEqual([]);
    });
  });
}
