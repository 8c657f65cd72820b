import { describe, expect, test } from "vitest";
import type { Hash64 } from "../../core/records.ts";
import { seedsBy } from "../../core/seed.ts";
import { noCounts } from "../sqlite/runs.ts";
import type { Store } from "../store.ts";
import { all, aNewUrl, aPage, aRun, aVersion, aVisit, type Bench, hashOf, queuedFor } from "./records.ts";

export function runsContract(name: string, { open, simulateCrash, advanceTime }: Bench): void {
  describe(`${name}: runs`, () => {
    test("a second one of a site that is being crawled is refused, by number and process", async () => {
      const a = await aRun(open());
      const attempt = aRun(open());
      await expect(attempt).rejects.toThrow(new RegExp(`run ${a.run.id} .*process ${process.pid}\\b`));
      await expect(attempt).rejects.toMatchObject({
        name: "StorageError",
        hint: expect.stringContaining(`nuthatch runs stop ${a.run.id}`),
      });
      await expect(open().resumeRun(a.run.id, 1)).rejects.toThrow("still at work");
      expect((await aRun(open(), "http://b.test/")).run.id).toBeGreaterThan(a.run.id);
      expect(a.store.isAlive(a.run)).toBe(true);
      await a.end();
      expect((await aRun(open())).run.status).toBe("running");
    });

    test("one of many sites has each with its seed, as it was typed", async () => {
      const store = open();
      const places = ["c", "a", "b", "a"].map((name) => ({ url: `http://${name}.test/`, key: name }));
      const sites = await store.sitesAt(places);
      expect(sites.map(({ url }) => url)).toEqual(places.map(({ url }) => url));
      expect(sites[3]).toEqual(sites[1]);
      expect((await store.sitesAt([...places, { url: "http://d.test/", key: "d" }])).slice(0, 4)).toEqual(sites);
      const seeds = ["http://c.test/?typed", "http://a.test/", "http://b.test/"];
      const namedSeeds = [...seedsBy("api", seeds.slice(0, 1)), ...seedsBy("person", seeds.slice(1))];
      const { id } = await store.startRun({ sites: sites.slice(0, 3), seeds: namedSeeds, options: {}, at: 1 });
      const run = (await open().run(id))!;
      expect([run.seeds, run.namedSeeds, run.sites]).toEqual([seeds, namedSeeds, sites.slice(0, 3)]);
      await expect(store.startRun({ sites: [sites[2]!], seeds: [], options: {}, at: 1 })).rejects.toThrow(
        `run ${id} of http://b.test/ is still at work`,
      );
    });

    test("a run that is taken up keeps who named its seeds, but for those that are named again", async () => {
      const { store, run, end } = await aRun(open());
      await end();
      const resumed = await store.resumeRun(run.id, 1, {});
      expect(resumed.namedSeeds).toEqual(run.namedSeeds);
      await store.endRun(run.id, { status: "stopped", stopReason: "stopped", at: 1, counters: noCounts(), state: {} });
      const seeds = seedsBy("api", [run.seeds[0]!, "http://other.test/"]);
      expect((await store.resumeRun(run.id, 1, { seeds })).namedSeeds).toEqual(seeds.slice(0, 1));
    });

    test("a name is where it was met first, whoever meets it next", async () => {
      const [a, b] = [open(), open()];
      expect([await a.firstResolvedAs("a.test", "public"), await b.firstResolvedAs("b.test", "private")]).toEqual(["public", "private"]);
      expect([await b.firstResolvedAs("a.test", "private"), await a.firstResolvedAs("b.test", "public")]).toEqual(["public", "private"]);
    });

    test("what counts as a seed on the way is known to all who work at it, and goes with it", async () => {
      const a = await aRun(open());
      const other = open();
      await a.settle({ homes: ["http://www.a.test/", "http://www.b.test/"] });
      await a.settle({ homes: ["http://www.a.test/"] });
      expect((await other.extraSeeds(a.run.id)).toSorted()).toEqual(["http://www.a.test/", "http://www.b.test/"]);
      await a.end();
      await (await a.store.maintenance.plan({ what: "run", runId: a.run.id })).execute();
      expect(await other.extraSeeds(a.run.id)).toEqual([]);
    });

    test("keywords of many sites are those of any of them, with the weight that the first has", async () => {
      const store = open();
      const sites = await store.sitesAt(["a", "b", "c"].map((key) => ({ url: `http://${key}.test/`, key })));
      const [a, b, c] = sites.map(({ id }) => id) as [number, number, number];
      await store.links.setKeywords(a, [{ word: "budget", weight: 0.2 }]);
      await store.links.setKeywords(c, [
        { word: "budget", weight: 0.9 },
        { word: "vote", weight: 0.5 },
      ]);
      const listed = async (...ids: readonly number[]) =>
        Object.fromEntries((await store.links.keywordsOfAny(ids)).map(({ word, weight }) => [word, weight]));
      expect([await listed(a, b, c), await listed(c, a), await listed(b)]).toEqual([
        { budget: 0.2, vote: 0.5 },
        { budget: 0.9, vote: 0.5 },
        {},
      ]);
    });

    test("keywords and options that one is given are there when others first see it; one that is refused changes nothing", async () => {
      const store = open();
      const site = await store.site("http://a.test/", "http://a.test/");
      const keywords = async () => (await store.links.keywords(site.id)).map(({ word }) => word);
      const begin = (...words: readonly string[]) =>
        open().startRun({ sites: [site], seeds: [], options: {}, at: 1, keywords: words.map((word) => ({ word, weight: 1 })) });
      const { id, counters } = await begin("budget", "agenda");
      expect(await keywords()).toEqual(["agenda", "budget"]);
      await expect(begin("vote")).rejects.toThrow("still at work");
      await expect(open().resumeRun(id, 1, { keywords: [{ word: "vote", weight: 1 }], options: { maxPages: 1 } })).rejects.toThrow(
        "still at work",
      );
      expect(await keywords()).toEqual(["agenda", "budget"]);
      expect((await store.run(id))!.options).toEqual({});
      await store.endRun(id, { status: "stopped", stopReason: "stopped", at: 1, counters, state: {} });
      await open().resumeRun(id, 1, { keywords: [{ word: "vote", weight: 1 }], options: { maxPages: 1 } });
      expect(await keywords()).toEqual(["vote"]);
      expect((await store.run(id))!.options).toEqual({ maxPages: 1 });
    });

    test("durations that an earlier version kept as milliseconds are read with their unit", async () => {
      const store = open();
      const options = { timeout: 10_000, maxWait: 300_000, maxTime: "none", maxPages: 5 };
      const run = await store.startRun({ sites: [await store.site("http://a.test/", "http://a.test/")], seeds: [], options, at: 1 });
      expect((await store.run(run.id))!.options).toEqual({ timeout: "10s", maxWait: "5m", maxTime: "none", maxPages: 5 });
    });

    test("what was out when one was killed is queued again at the very end; at the tenth time it is given up and counted as failed", async () => {
      const a = await aRun(open());
      const [unlucky] = await a.hear(
        aNewUrl("http://a.test/unlucky", { priority: 9 }),
        aNewUrl("http://a.test/other", { level: 7, priority: -5 }),
      );
      const queue = async () => (await queuedFor(a.backlog, "a.test")).map(({ url }) => url.split("/").at(-1));
      expect(await queue()).toEqual(["unlucky", "other"]);
      for (let time = 1; time <= 10; time++) {
        advanceTime(10_000);
        await a.backlog.claim([{ host: "a.test", visit: unlucky!.id, delay: 1, cause: "rate" }]);
        simulateCrash();
        const { status, counters } = await open().resumeRun(a.run.id, time);
        expect([status, counters.failed]).toEqual(["running", time < 10 ? 0 : 1]);
        expect(await queue()).toEqual(time < 10 ? ["other", "unlucky"] : ["other"]);
      }
      expect(await a.ledger("http://a.test/unlucky")).toMatchObject([{ verdict: "failed", reason: "crash" }]);
    });

    test("what was out when one was stopped cleanly is not held against it", async () => {
      const a = await aRun(open());
      const [candidate] = await a.hear(aNewUrl("http://a.test/1", { priority: 9 }));
      for (let time = 0; time < 4; time++) {
        advanceTime(10_000);
        await a.backlog.claim([{ host: "a.test", visit: candidate!.id, delay: 1, cause: "rate" }]);
        await a.end("stopped");
        await a.store.resumeRun(a.run.id, time);
      }
      expect(await queuedFor(a.backlog, "a.test")).toMatchObject([{ priority: 9 }]);
    });

    test("a host that stayed closed defers its queue; a resume takes it up again", async () => {
      const { store, run, hear: addUrls, end, ledger } = await aRun(open());
      await addUrls(aNewUrl("http://a.test/1"), aNewUrl("http://a.test/2"), aNewUrl("http://b.test/1"));
      expect(await store.defer(run.id, "a.test", "host.blocked", "closed")).toBe(2);
      expect(await ledger("http://a.test/1", "http://b.test/1")).toMatchObject([{ verdict: "deferred" }, { verdict: "queued" }]);
      await end("stopped");
      await store.resumeRun(run.id, 1);
      expect(await ledger("http://a.test/1")).toMatchObject([{ verdict: "queued", reason: "ok" }]);
    });

    test("pages nobody mentioned are found when all is done, and are unknown when it is not", async () => {
      const store = open();
      const first = await aRun(store);
      for (const path of ["kept", "lost"]) await first.keep(`http://a.test/${path}`, aVersion(path));
      await first.end();
      const second = await aRun(store);
      const sites = [second.site.id];
      await second.keep("http://a.test/kept", undefined, { change: "same" });
      const unmentioned = async () => (await all(store.undiscoveredPages(second.run.id, sites))).map(({ url }) => url);
      expect(await unmentioned()).toEqual(["http://a.test/lost"]);
      const count = await store.markUnreached(second.run.id, sites, Date.now());
      expect(count).toBe(1);
      expect(await store.markUnreached(second.run.id, sites, Date.now())).toBe(0);
      expect(await all(store.changes(second.run.id))).toContainEqual(
        expect.objectContaining({ url: "http://a.test/lost", change: "unknown", detail: "not reached" }),
      );
      await second.end("stopped");
      await store.resumeRun(second.run.id, Date.now());
      expect(await all(store.changes(second.run.id))).toEqual([]);
      const [lost] = await all(store.undiscoveredPages(second.run.id, sites));
      const unknown = [{ pageId: lost!.pageId, rule: "no longer in scope" }];
      expect(await store.markUnknown(second.run.id, unknown, Date.now())).toBe(1);
      expect(await store.markUnknown(second.run.id, unknown, Date.now())).toBe(0);
      expect(await all(store.changes(second.run.id))).toMatchObject([{ change: "unknown", detail: "no longer in scope" }]);
      await second.hear(aNewUrl("http://a.test/lost"));
      expect(await unmentioned()).not.toContain("http://a.test/lost");
    });

    test("pages that a rule keeps out are told with the rule", async () => {
      const store = open();
      const first = await aRun(store);
      await first.keep("http://a.test/closed", aVersion("closed"));
      await first.end();
      const second = await aRun(store);
      await second.hear(aNewUrl("http://a.test/closed", { verdict: "skipped", reason: "robots.disallow", rule: "Disallow: /closed" }));
      expect(await all(store.undiscoveredPages(second.run.id, [second.site.id]))).toMatchObject([{ refusedBy: "Disallow: /closed" }]);
    });

    test("many unheard pages can be heard while they are read, though another process writes too", async () => {
      const store = open();
      const first = await aRun(store);
      const candidates = await first.hear(...Array.from({ length: 1200 }, (_, index) => aNewUrl(`http://a.test/${index}`)));
      await first.settle({ visits: candidates.map((candidate) => aVisit(candidate, { page: aPage(aVersion("x")) })) });
      await first.end();
      const second = await aRun(store);
      const other = await aRun(open(), "http://b.test/");
      let count = 0;
      for await (const { url } of store.undiscoveredPages(second.run.id, [second.site.id])) {
        count += 1;
        if (count % 300 !== 1) continue;
        await other.hear(aNewUrl(`http://b.test/${count}`));
        await second.hear(aNewUrl(url));
      }
      expect(count).toBe(1200);
    });

    test("what a run has in memory is kept until it ends, and written only where there is something to write", async () => {
      const store = open();
      const first = await aRun(store);
      expect(await store.memory(first.run.id)).toBeUndefined();
      await first.settle({ memory: { learned: ["a", "b"] } });
      await first.settle({});
      expect(await open().memory(first.run.id)).toEqual({ learned: ["a", "b"] });
      await first.end();
      expect(await store.memory(first.run.id)).toBeUndefined();
    });

    test("URLs that failed for good in an ended run are known", async () => {
      const store = open();
      const first = await aRun(store);
      const [bad, good] = await first.hear(aNewUrl("http://a.test/bad"), aNewUrl("http://a.test/good"));
      await first.settle({ visits: [aVisit(bad!, { verdict: "failed", reason: "http.4xx" }), aVisit(good!)] });
      const failed = async (...siteIds: number[]) => {
        const hashes: Hash64[] = [];
        await store.forEachFailed(siteIds, (hash) => hashes.push(hash));
        return hashes;
      };
      expect(await failed(first.site.id)).toEqual([]);
      await first.end();
      expect(await failed(first.site.id)).toEqual([bad!.hash]);
      const other = await aRun(store, "http://b.test/");
      const [gone] = await other.hear(aNewUrl("http://b.test/gone"));
      await other.settle({ visits: [aVisit(gone!, { verdict: "failed", reason: "http.4xx" })] });
      await other.end();
      expect(await failed(first.site.id)).toEqual([bad!.hash]);
      expect(await failed(other.site.id, first.site.id)).toEqual(expect.arrayContaining([bad!.hash, gone!.hash]));
    });

    test("everything is there after opening again", async () => {
      const first = await aRun(open());
      const robots = { origin: "http://a.test", fetchedAt: 5, kind: "rules", why: "", text: "User-agent: *\nDisallow: /é\0\xff" } as const;
      await first.store.saveRobots({ ...robots, text: "old" });
      await first.store.saveRobots(robots);
      await first.keep("http://a.test/1", aVersion("one"));
      await first.hear(aNewUrl("http://a.test/2", { depth: 3 }));
      const { hashSeed } = first.store;
      simulateCrash();
      const again = open();
      expect(again.hashSeed).toEqual(hashSeed);
      expect(await again.sites()).toEqual([first.site]);
      expect(await again.robots("http://a.test")).toEqual(robots);
      expect(await again.robots("http://b.test")).toBeUndefined();
      expect(await again.runs({ siteId: first.site.id })).toMatchObject([{ id: first.run.id, seeds: ["http://a.test/"] }]);
      expect(await again.runs({ siteId: first.site.id + 1 })).toEqual([]);
      expect(again.isAlive((await again.run(first.run.id))!)).toBe(false);
      const run = await again.resumeRun(first.run.id, 1);
      const seen: unknown[] = [];
      await again.forEachKnownUrl(run.id, (hash, depth, mentions) => seen.push([hash, depth, mentions]));
      expect(seen).toHaveLength(2);
      expect(seen).toContainEqual([hashOf("http://a.test/2"), 3, 1]);
      expect(await queuedFor(again.backlog(run.id), "a.test")).toMatchObject([{ url: "http://a.test/2" }]);
      expect(await all(again.pages({}))).toMatchObject([{ url: "http://a.test/1" }]);
    });

    test("every decision can be asked for, by verdict, by reason and by URL", async () => {
      const { store, run, hear: addUrls } = await aRun(open());
      const skip = (url: string, reason: "scope.host" | "depth") => aNewUrl(url, { verdict: "skipped", reason, rule: "because" });
      const [parent] = await addUrls(aNewUrl("http://a.test/"));
      await addUrls({ ...skip("http://b.test/", "scope.host"), parentId: parent!.id }, skip("http://a.test/deep", "depth"));
      const urls = async (filter: Parameters<Store["decisions"]>[0]) => (await all(store.decisions(filter))).map(({ url }) => url);
      expect(await urls({ runId: run.id, verdict: ["skipped"] })).toEqual(["http://b.test/", "http://a.test/deep"]);
      expect(await urls({ reason: "scope" })).toEqual(["http://b.test/"]);
      expect(await urls({ hash: hashOf("http://a.test/deep") })).toEqual(["http://a.test/deep"]);
      expect(await urls({ limit: 1 })).toEqual(["http://a.test/"]);
      expect((await all(store.decisions({ reason: "scope.host" })))[0]).toMatchObject({ parentUrl: "http://a.test/", rule: "because" });
      expect(await store.decision(parent!.id)).toMatchObject({ url: "http://a.test/", verdict: "queued" });
    });
  });
}
