import { describe, expect, test } from "vitest";
import type { Hash64 } from "../../core/records.ts";
import { noCounts } from "../index.ts";
import type { SettledVisit, UpdatedRow } from "../settlement.ts";
import { aLink, all, aNewUrl, aPage, aRun, aVersion, aVisit, type Bench, hashOf, queuedFor } from "./records.ts";

export function settlingContract(name: string, { open }: Bench): void {
  describe(`${name}: settling`, () => {
    test("is all or nothing", async () => {
      const { store, run, settle, hear: addUrls, ledger } = await aRun(open());
      const [candidate] = await addUrls(aNewUrl("http://a.test/1"));
      const bad = { ...aNewUrl("http://a.test/bad"), via: null as never };
      const attempt = settle({
        visits: [aVisit(candidate!, { page: aPage(aVersion("hello", [aLink("http://a.test/2")])) })],
        heard: [aNewUrl("http://a.test/2"), bad],
        hosts: [{ host: "a.test", wait: 9, delay: 9, cause: "rate", failures: 3, isIdle: true }],
        counters: { ...noCounts(), pages: 7 },
      });
      await expect(attempt).rejects.toThrow();
      expect(await ledger("http://a.test/1", "http://a.test/2")).toMatchObject([{ verdict: "queued" }, undefined]);
      expect(await all(store.pages({}))).toEqual([]);
      expect(await all(store.changes(run.id))).toEqual([]);
      expect(await store.inlinks(hashOf("http://a.test/2"), 9)).toEqual([]);
      expect(await store.run(run.id)).toMatchObject({ seq: 0, counters: { pages: 0 } });
      await addUrls(aNewUrl("http://a.test/2"));
    });

    test("writes a URL once per run, whoever hears of it", async () => {
      const a = await aRun(open());
      const [first] = await a.hear(aNewUrl("http://a.test/1"));
      const [again, other] = await a.hear(aNewUrl("http://a.test/1", { depth: 2 }), aNewUrl("http://a.test/2"));
      expect(first!.id).toBeGreaterThan(0);
      expect(again!.id).toBe(0);
      expect(other!.id).toBeGreaterThan(0);
      const settlement = { runId: a.run.id, at: 1, visits: [], again: [], more: [], hosts: [], counters: noCounts(), state: {} };
      expect((await open().settle({ ...settlement, heard: [aNewUrl("http://a.test/2")] })).heardIds).toEqual([0]);
      expect(await a.ledger("http://a.test/1")).toMatchObject([{ depth: 1 }]);
      const b = await aRun(open(), "http://b.test/");
      expect((await b.hear(aNewUrl("http://a.test/1")))[0]!.id).toBeGreaterThan(0);
    });

    test("brings a URL back that was known only from pages that said nofollow", async () => {
      const { store, run, hear: addUrls, ledger, backlog } = await aRun(open());
      const nofollow = { verdict: "skipped", reason: "meta.nofollow", rule: "x says nofollow" } as const;
      const url = "http://a.test/1";
      const [refused] = await addUrls(aNewUrl(url, nofollow));
      const seen: Hash64[] = [];
      await store.forEachKnownUrl(run.id, (hash) => seen.push(hash));
      expect(seen).toEqual([]);
      expect((await addUrls(aNewUrl(url, nofollow)))[0]!.id).toBe(0);
      const [wanted] = await addUrls(aNewUrl(url, { depth: 2, level: 3 }));
      expect(wanted!.id).toBe(refused!.id);
      expect(await ledger(url)).toMatchObject([{ verdict: "queued", reason: "ok", depth: 2, mentions: 2 }]);
      expect(await queuedFor(backlog, "a.test")).toMatchObject([{ url, level: 3 }]);
      expect((await addUrls(aNewUrl(url, nofollow)))[0]!.id).toBe(0);
      expect(await ledger(url)).toMatchObject([{ verdict: "queued" }]);
    });

    test("a nearer mention moves the row and its page; one too deep before is queued again", async () => {
      const { store, hear: addUrls, visit, settle, ledger, backlog } = await aRun(open());
      const tooDeep = aNewUrl("http://a.test/deep", { depth: 9, verdict: "skipped", reason: "depth", rule: "deeper than 5" });
      const [seen, deep] = await addUrls(aNewUrl("http://a.test/seen", { depth: 4 }), tooDeep);
      const page = await visit(seen!, aPage(aVersion("seen")));
      const again: UpdatedRow = { id: seen!.id, depth: 1, isNearer: true, level: 2, priority: 0.7, mentions: 4, requeue: false };
      await settle({ again: [again, { ...again, id: deep!.id, depth: 3, requeue: true }] });
      expect(await ledger(seen!.url, deep!.url)).toMatchObject([
        { verdict: "fetched", depth: 1, mentions: 4, pageId: page!.id },
        { verdict: "queued", reason: "ok", rule: "", depth: 3 },
      ]);
      expect(await store.page({ id: page!.id })).toMatchObject({ depth: 1 });
      expect(await queuedFor(backlog, "a.test")).toMatchObject([{ url: deep!.url, level: 2, priority: 0.7 }]);
    });

    test("one named more often moves up while it waits, and is only counted once it is done or was sunk", async () => {
      const { hear: addUrls, visit, settle, ledger, backlog } = await aRun(open());
      const [waits, done, sunk] = await addUrls(
        aNewUrl("http://a.test/waits"),
        aNewUrl("http://a.test/done"),
        aNewUrl("http://a.test/sunk", { level: 7, priority: -1e9 }),
      );
      await visit(done!, aPage(aVersion("done")));
      const more = [waits!, done!, sunk!].map(({ hash }) => ({ hash, mentions: 8, place: { level: 2, priority: 0.7 } }));
      expect((await settle({ more })).queuedIds).toEqual([waits!.id, undefined, sunk!.id]);
      expect(await ledger(waits!.url, done!.url, sunk!.url)).toMatchObject([{ mentions: 8 }, { mentions: 8 }, { mentions: 8 }]);
      expect(await queuedFor(backlog, "a.test")).toMatchObject([
        { url: waits!.url, level: 2 },
        { url: sunk!.url, level: 7 },
      ]);
    });

    test("numbers what is settled, and a retry is not", async () => {
      const { store, run, hear: addUrls, settle } = await aRun(open());
      const candidates = await addUrls(...[1, 2, 3].map((index) => aNewUrl(`http://a.test/${index}`)));
      const [one, two, three] = candidates.map((candidate) => aVisit(candidate)) as [SettledVisit, SettledVisit, SettledVisit];
      await settle({
        visits: [one, { ...two, verdict: "queued", reason: "timeout", isRetry: true, attempts: 1 }, three],
        state: { traps: 1 },
      });
      const rows = await all(store.decisions({ runId: run.id }));
      expect(rows.map(({ seq, attempts, verdict }) => [seq, attempts, verdict])).toEqual([
        [1, 0, "fetched"],
        [null, 1, "queued"],
        [2, 0, "fetched"],
      ]);
      expect(await store.run(run.id)).toMatchObject({ seq: 2, state: { traps: 1 } });
    });
  });
}
