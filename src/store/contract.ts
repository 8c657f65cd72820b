/** What every store must do, whatever database is behind it. Called from the test of each. */
import { createHash } from "node:crypto";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { StoredCandidate } from "../frontier/index.ts";
import type { Hash64, Link, Remembered } from "../records.ts";
import { noCounts } from "./index.ts";
import type { Heard, HeardAgain, PageNews, Run, SettledVisit, Settlement, Site, Store, VersionToKeep } from "./store.ts";

/** One new, empty database. */
export interface Database {
  /** Another connection to it each time. */
  open(): Store;
  /** Makes every run look as if its process had been killed. */
  bury(): void;
  dispose(): Promise<void>;
}

const START = Date.UTC(2026, 0, 1);
const READER = "reader-1";
const anything = () => Number.POSITIVE_INFINITY;
const nothing = () => false;

export function hashOf(text: string): Hash64 {
  const digest = createHash("sha256").update(text).digest();
  return { hi: digest.readUInt32BE(0), lo: digest.readUInt32BE(4) };
}

export function aHeard(url: string, more: Partial<Heard> = {}): Heard {
  return {
    ...{ url, key: url, hash: hashOf(more.key ?? url), host: new URL(url).host, kind: "page", depth: 1, hops: 0, via: "link" },
    ...{ parent: undefined, siteId: 1, level: 0, priority: 0, verdict: "queued", reason: "ok", rule: "", parentId: undefined },
    ...more,
  };
}

const aLink = (url: string, position = 0, text = ""): Link => {
  return { url, key: url, hash: hashOf(url), kind: "a", text, title: "", heading: "", block: "", rel: "", position };
};

function aVersion(text: string, links: readonly Link[] = [], more: Partial<VersionToKeep> = {}): VersionToKeep {
  const data = brotliCompressSync(Buffer.from(text));
  const print = (value: string) => createHash("sha256").update(value).digest("hex").slice(0, 16);
  return {
    fingerprint: { text: print(text), links: print(links.map(({ url }) => url).join(" ")), simhash: print(`simhash of ${text}`) },
    ...{ metadata: { title: { value: text, source: "title" } }, canonical: undefined, noindex: false, nofollow: false },
    ...{ type: "html", charset: "utf-8", wordCount: 3, linkCount: links.length, packedLinks: Buffer.from(JSON.stringify(links)), links },
    body: { hash: print(`body of ${text}`), size: text.length, coding: "br", data },
    ...more,
  };
}

function aPage(version: VersionToKeep | undefined, more: Partial<PageNews> = {}): PageNews {
  return {
    ...{ status: 200, change: "new", contentType: "text/html", bytes: 10, duration: 5, etag: '"1"', lastModified: undefined, fromCache: false },
    ...{ movedTo: undefined, duplicateOf: undefined, nearDuplicateOf: undefined, version, reader: READER },
    ...more,
  };
}

function aVisit(candidate: StoredCandidate, more: Partial<SettledVisit> = {}): SettledVisit {
  return {
    ...{ candidate, depth: candidate.depth, verdict: "fetched", reason: "ok", rule: "", status: 200, isRetry: false, attempts: 0 },
    ...{ target: undefined, page: undefined, remembered: undefined },
    ...more,
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A store with a site and a run, and short ways to do what the crawl does with it. */
async function aRun(store: Store, url = "http://a.test/") {
  const site: Site = await store.site(url, url);
  const run: Run = await store.startRun({ sites: [site], seeds: [url], options: {}, at: Date.now() });
  const settle = (parts: Partial<Settlement>) =>
    store.settle({ runId: run.id, at: Date.now(), visits: [], heard: [], again: [], hosts: [], counters: noCounts(), state: {}, ...parts });
  const hear = async (...heard: readonly Heard[]): Promise<StoredCandidate[]> => {
    const { heardIds } = await settle({ heard: heard.map((one) => ({ ...one, siteId: site.id })) });
    return heard.map((one, index) => ({ ...one, siteId: site.id, id: heardIds[index]!, attempts: 0 }));
  };
  const visit = async (candidate: StoredCandidate, news: PageNews, remembered?: Remembered) => {
    const { pages } = await settle({ visits: [aVisit(candidate, { page: news, remembered })] });
    return pages[0];
  };
  /** Hears of a page and visits it. */
  const keep = async (pageUrl: string, version: VersionToKeep | undefined, more: Partial<PageNews> = {}) => {
    const [candidate] = await hear(aHeard(pageUrl));
    const remembered = await store.remember([site.id], hashOf(pageUrl), READER);
    return visit(candidate!, aPage(version, more), remembered);
  };
  const end = (status: "finished" | "stopped" = "finished") =>
    store.endRun(run.id, { status, stopReason: status === "finished" ? "finished" : "interrupted", at: Date.now(), counters: noCounts(), state: {} });
  const ledger = async (...urls: readonly string[]) => store.ledgerRows(run.id, urls.map(hashOf));
  return { store, site, run, backlog: store.backlog(run.id), settle, hear, visit, keep, end, ledger };
}

export function storeContract(name: string, create: () => Database): void {
  let database: Database;
  const stores: Store[] = [];
  const open = (): Store => {
    const store = database.open();
    stores.push(store);
    return store;
  };
  const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    database = create();
  });
  afterEach(async () => {
    vi.useRealTimers();
    const verdicts = await Promise.all(stores.map((store) => store.check()));
    for (const store of stores.splice(0)) await store.close();
    await database.dispose();
    for (const verdict of verdicts) expect(verdict).toBe("ok");
  });

  describe(`${name}: the backlog`, () => {
    test("gives the best of each front queue first, and what is in memory or done not at all", async () => {
      const { backlog, hear, settle } = await aRun(open());
      const places = [[0, 1], [0, 5], [2, 9], [0, 3], [7, -1e9]] as const;
      const candidates = await hear(...places.map(([level, priority], index) => aHeard(`http://a.test/${index}`, { level, priority })));
      const load = async (share: (level: number) => number, inMemory: (id: number) => boolean = nothing) =>
        (await backlog.load("a.test", share, inMemory)).map(({ url }) => Number(url.at(-1)));
      expect(await load(anything)).toEqual([1, 3, 0, 2, 4]);
      expect(await load((level) => (level === 0 ? 2 : level === 7 ? 1 : 0))).toEqual([1, 3, 4]);
      expect(await load(() => 1, (id) => id === candidates[1]!.id)).toEqual([3, 2, 4]);
      await settle({ visits: [aVisit(candidates[1]!), aVisit(candidates[3]!, { verdict: "queued", isRetry: true, attempts: 1 })] });
      expect(await load(anything)).toEqual([3, 0, 2, 4]);
      expect((await backlog.load("a.test", anything, nothing))[0]).toMatchObject({ attempts: 1 });
      expect(await backlog.load("other.test", anything, nothing)).toEqual([]);
    });

    test("gives a candidate back as it was heard", async () => {
      const { backlog, hear } = await aRun(open());
      const [parent] = await hear(aHeard("http://a.test/parent"));
      const heard = aHeard("http://a.test/?b=1&utm_source=x", { key: "http://a.test/?b=1", kind: "sitemap", depth: 3, hops: 2, via: "redirect", priority: 0.25 });
      const [child] = await hear({ ...heard, hash: { hi: 0xffff_ffff, lo: 0x8000_0001 }, parent: parent!.url, parentId: parent!.id });
      const { verdict, reason, rule, parentId, ...candidate } = child as StoredCandidate & Heard;
      expect(await backlog.load("a.test", anything, (id) => id === parent!.id)).toEqual([candidate]);
    });

    test("knows its hosts, how much waits for each, and who may be asked first", async () => {
      const { backlog, hear, settle } = await aRun(open());
      await hear(...["http://a.test/1", "http://a.test/2", "http://b.test/", "http://c.test/"].map((url) => aHeard(url)));
      await settle({ hosts: [{ host: "a.test", wait: 9000, delay: 9000, cause: "retry-after", failures: 1, isIdle: true }] });
      expect((await backlog.hosts(10, (host) => host === "b.test")).at(-1)).toEqual({ host: "a.test", queued: 2 });
      expect(await backlog.hosts(1, nothing)).toHaveLength(1);
      expect(await backlog.hosts(10, (host) => host !== "c.test")).toEqual([{ host: "c.test", queued: 1 }]);
    });
  });

  describe(`${name}: a host's turn`, () => {
    const turn = (delay: number) => ({ host: "h.test", visit: 0, delay, cause: "rate" as const });
    const news = (wait: number) => ({ host: "h.test", wait, delay: wait, cause: "rate" as const, failures: 0, isIdle: true });
    const two = async () => [await aRun(open(), "http://a.test/"), await aRun(open(), "http://b.test/")] as const;

    test("is granted once within the delay, over two connections", async () => {
      const [a, b] = await two();
      expect(await a.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      const [denied] = await b.backlog.claim([turn(1000)]);
      expect(denied).toMatchObject({ granted: false });
      later(10);
      await a.settle({ hosts: [news(1000)] });
      later(990);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: false, wait: 10 }]);
      later(10);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      expect(await a.backlog.claim([turn(1000)])).toMatchObject([{ granted: false }]);
    });

    test("is not granted while another's request is out, though it is due", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000)]);
      later(20_000);
      expect(await b.backlog.claim([turn(1000)])).toMatchObject([{ granted: false }]);
      later(120_000);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
    });

    test("is put off for everybody by what the host asked for", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000)]);
      await a.settle({ hosts: [{ ...news(60_000), cause: "retry-after", failures: 1 }] });
      later(59_999);
      for (const { backlog } of [b, a]) expect(await backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      later(2500);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
    });

    test.each([
      ["a second", 1000],
      ["ten seconds", 10_000],
      ["no time at all", 0],
    ])("is shared fairly when two want it: the delay is %s", async (_, delay) => {
      const [a, b] = await two();
      const crawls = [a, b].map((run) => ({ run, turns: 0, askAt: Date.now(), out: false }));
      // The first always asks first, and its request takes a while.
      for (let tick = 0; tick < 1200; tick++) {
        for (const crawl of crawls) {
          if (Date.now() < crawl.askAt) continue;
          if (crawl.out) await crawl.run.settle({ hosts: [news(Math.max(0, delay - 50))] });
          const wait = crawl.out ? delay - 50 : 0;
          crawl.out = false;
          if (wait > 0) {
            crawl.askAt = Date.now() + wait;
            continue;
          }
          const [reply] = await crawl.run.backlog.claim([turn(delay)]);
          if (reply!.granted) crawl.turns += 1;
          crawl.out = reply!.granted;
          crawl.askAt = Date.now() + (reply!.granted ? 50 : (reply as { wait: number }).wait);
        }
        later(50);
      }
      const [first, second] = crawls.map(({ turns }) => turns) as [number, number];
      expect(Math.min(first, second)).toBeGreaterThan(1);
      expect(Math.max(first, second) / Math.min(first, second)).toBeLessThan(delay === 0 ? 8 : 1.5);
    });

    test("is waited for no longer than its delay when the clock is set back", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(5000)]);
      await a.settle({ hosts: [news(5000)] });
      later(-3_600_000);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: false, wait: 5000 }]);
      later(5000);
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
    });

    test("that is given back or released is free for others", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(1000)]);
      await a.backlog.giveBack("h.test");
      expect(await b.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
      await b.backlog.release("h.test");
      expect(await a.backlog.claim([turn(1000)])).toMatchObject([{ granted: false }]);
      later(1300);
      expect(await a.backlog.claim([turn(1000)])).toEqual([{ granted: true }]);
    });

    test("without a delay is not kept longer than its lease", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(0)]);
      later(121_000);
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
      expect(await a.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
    });

    test("is let go when its run ends", async () => {
      const [a, b] = await two();
      await a.backlog.claim([turn(0)]);
      expect(await b.backlog.claim([turn(0)])).toMatchObject([{ granted: false }]);
      await a.store.releaseHosts();
      expect(await b.backlog.claim([turn(0)])).toEqual([{ granted: true }]);
    });
  });

  describe(`${name}: settling`, () => {
    test("is all or nothing", async () => {
      const { store, run, settle, hear, ledger } = await aRun(open());
      const [candidate] = await hear(aHeard("http://a.test/1"));
      const bad = { ...aHeard("http://a.test/bad"), via: null as never };
      const attempt = settle({
        visits: [aVisit(candidate!, { page: aPage(aVersion("hello", [aLink("http://a.test/2")])) })],
        heard: [aHeard("http://a.test/2"), bad],
        hosts: [{ host: "a.test", wait: 9, delay: 9, cause: "rate", failures: 3, isIdle: true }],
        counters: { ...noCounts(), pages: 7 },
      });
      await expect(attempt).rejects.toThrow();
      expect(await ledger("http://a.test/1", "http://a.test/2")).toMatchObject([{ verdict: "queued" }, undefined]);
      expect(await all(store.pages({}))).toEqual([]);
      expect(await all(store.changes(run.id))).toEqual([]);
      expect(await store.inlinks(hashOf("http://a.test/2"), 9)).toEqual([]);
      expect(await store.run(run.id)).toMatchObject({ seq: 0, counters: { pages: 0 } });
      await hear(aHeard("http://a.test/2"));
    });

    test("writes a URL once per run, whoever hears of it", async () => {
      const a = await aRun(open());
      const [first] = await a.hear(aHeard("http://a.test/1"));
      const [again, other] = await a.hear(aHeard("http://a.test/1", { depth: 0 }), aHeard("http://a.test/2"));
      expect(first!.id).toBeGreaterThan(0);
      expect(again!.id).toBe(0);
      expect(other!.id).toBeGreaterThan(0);
      const settlement = { runId: a.run.id, at: 1, visits: [], again: [], hosts: [], counters: noCounts(), state: {} };
      expect((await open().settle({ ...settlement, heard: [aHeard("http://a.test/2")] })).heardIds).toEqual([0]);
      expect(await a.ledger("http://a.test/1")).toMatchObject([{ depth: 1 }]);
      const b = await aRun(open(), "http://b.test/");
      expect((await b.hear(aHeard("http://a.test/1")))[0]!.id).toBeGreaterThan(0);
    });

    test("brings a URL back that was known only from pages that said nofollow", async () => {
      const { store, run, hear, ledger, backlog } = await aRun(open());
      const nofollow = { verdict: "skipped", reason: "meta.nofollow", rule: "x says nofollow" } as const;
      const url = "http://a.test/1";
      const [refused] = await hear(aHeard(url, nofollow));
      const seen: Hash64[] = [];
      await store.seen(run.id, (hash) => seen.push(hash));
      expect(seen).toEqual([]);
      expect((await hear(aHeard(url, nofollow)))[0]!.id).toBe(0);
      const [wanted] = await hear(aHeard(url, { depth: 2, level: 3 }));
      expect(wanted!.id).toBe(refused!.id);
      expect(await ledger(url)).toMatchObject([{ verdict: "queued", reason: "ok", depth: 2, mentions: 2 }]);
      expect(await backlog.load("a.test", anything, nothing)).toMatchObject([{ url, level: 3 }]);
      expect((await hear(aHeard(url, nofollow)))[0]!.id).toBe(0);
      expect(await ledger(url)).toMatchObject([{ verdict: "queued" }]);
    });

    test("a nearer mention moves the row and its page; one too deep before is queued again", async () => {
      const { store, hear, visit, settle, ledger, backlog } = await aRun(open());
      const tooDeep = aHeard("http://a.test/deep", { depth: 9, verdict: "skipped", reason: "depth", rule: "deeper than 5" });
      const [seen, deep] = await hear(aHeard("http://a.test/seen", { depth: 4 }), tooDeep);
      const page = await visit(seen!, aPage(aVersion("seen")));
      const again: HeardAgain = { id: seen!.id, depth: 1, level: 2, priority: 0.7, mentions: 4, requeue: false };
      await settle({ again: [again, { ...again, id: deep!.id, depth: 3, requeue: true }] });
      expect(await ledger(seen!.url, deep!.url)).toMatchObject([
        { verdict: "fetched", depth: 1, mentions: 4, pageId: page!.id, isExpanded: true },
        { verdict: "queued", reason: "ok", rule: "", depth: 3 },
      ]);
      expect(await store.page({ id: page!.id })).toMatchObject({ depth: 1 });
      expect(await backlog.load("a.test", anything, nothing)).toMatchObject([{ url: deep!.url, level: 2, priority: 0.7 }]);
    });

    test("numbers what is settled, and a retry is not", async () => {
      const { store, run, hear, settle } = await aRun(open());
      const candidates = await hear(...[1, 2, 3].map((index) => aHeard(`http://a.test/${index}`)));
      const [one, two, three] = candidates.map((candidate) => aVisit(candidate)) as [SettledVisit, SettledVisit, SettledVisit];
      await settle({ visits: [one, { ...two, verdict: "queued", reason: "timeout", isRetry: true, attempts: 1 }, three], state: { traps: 1 } });
      const rows = await all(store.decisions({ runId: run.id }));
      expect(rows.map(({ seq, attempts, verdict }) => [seq, attempts, verdict])).toEqual([
        [1, 0, "fetched"],
        [null, 1, "queued"],
        [2, 0, "fetched"],
      ]);
      expect(await store.run(run.id)).toMatchObject({ seq: 2, state: { traps: 1 } });
    });
  });

  describe(`${name}: pages`, () => {
    const [home, next] = ["http://a.test/", "http://a.test/next"];

    test("a version is kept only when the page changed; its links follow it", async () => {
      const store = open();
      const first = await aRun(store);
      const page = await first.keep(home, aVersion("one", [aLink(next, 0, ""), aLink(next, 1, "Next"), aLink("http://a.test/old", 2)]));
      expect(page).toMatchObject({ url: home, change: "new", linkCount: 3, metadata: { title: { value: "one" } }, previousFetchedAt: null });
      await first.end();
      later(1000);
      const second = await aRun(store);
      const same = await second.keep(home, undefined, { change: "same", fromCache: true, etag: undefined, status: 200, bytes: 0 });
      expect(same).toMatchObject({ id: page!.id, fromCache: true, bytes: 10, previousFetchedAt: new Date(START).toISOString(), crawlId: second.run.id });
      expect(await store.versions(page!.id)).toHaveLength(1);
      expect(await store.inlinks(hashOf(next), 9)).toEqual([{ page: home, text: "Next" }]);
      await second.end();
      const third = await aRun(store);
      await third.keep(home, aVersion("two", [aLink(next, 0, "Further")]), { change: "changed" });
      expect((await store.versions(page!.id)).map(({ number, metadata }) => [number, metadata.title?.value])).toEqual([
        [2, "two"],
        [1, "one"],
      ]);
      expect(await store.inlinks(hashOf(next), 9)).toEqual([{ page: home, text: "Further" }]);
      expect(await store.inlinks(hashOf("http://a.test/old"), 9)).toEqual([]);
      expect(await all(store.linkDocuments({ siteId: third.site.id }))).toEqual([
        { page: home, packed: new Uint8Array((await store.packedLinks(page!.id))!) },
      ]);
      expect(JSON.parse(Buffer.from((await store.packedLinks(page!.id))!).toString())).toMatchObject([{ text: "Further" }]);
    });

    test("each run says how its pages changed", async () => {
      const store = open();
      const first = await aRun(store);
      for (const url of [home, next]) await first.keep(url, aVersion(`text of ${url}`));
      expect((await all(store.changes(first.run.id))).map(({ url, change }) => [url, change])).toEqual([
        [home, "new"],
        [next, "new"],
      ]);
      await first.end();
      const second = await aRun(store);
      await second.keep(home, undefined, { change: "same" });
      expect(await second.keep(next, undefined, { change: "gone", status: 404 })).toBeUndefined();
      expect(await all(store.changes(second.run.id))).toMatchObject([{ url: next, change: "gone", fromVersion: 2, toVersion: null, title: `text of ${next}` }]);
      expect(await store.remember([second.site.id], hashOf(next), READER)).toMatchObject({ isGone: true, isCurrent: false });
    });

    test("what is remembered: validators, fingerprint, and whether today's reader made it", async () => {
      const { store, site, keep } = await aRun(open());
      const version = aVersion("hello", [], { nofollow: true });
      await keep(home, version, { lastModified: "yesterday" });
      const remembered = await store.remember([site.id], hashOf(home), READER);
      expect(remembered).toMatchObject({ etag: '"1"', lastModified: "yesterday", fingerprint: version.fingerprint, isCurrent: true, nofollow: true });
      expect(await store.remember([site.id], hashOf(home), "reader-2")).toMatchObject({ isCurrent: false });
      expect(await store.remember([site.id + 1], hashOf(home), READER)).toBeUndefined();
      expect(await store.remember([site.id], hashOf(next), READER)).toBeUndefined();
    });

    test("twins: the same text and links, or nearly the same text; of one site, and not gone", async () => {
      const { store, run, site, keep } = await aRun(open());
      const version = aVersion("a tale of two pages", [], {});
      const fingerprint = { ...version.fingerprint, simhash: "0123456789abcdef" };
      const page = await keep(home, { ...version, fingerprint });
      const twins = (print: typeof fingerprint, siteId = site.id, url = next) => store.twins(run.id, siteId, hashOf(url), print);
      expect(await twins(fingerprint)).toEqual({ same: { pageId: page!.id, url: home, depthInRun: 1 }, near: undefined });
      expect(await twins({ ...fingerprint, links: "other" })).toEqual({ same: undefined, near: page!.id });
      expect(await twins({ ...fingerprint, text: "other", simhash: "0123456789abcde8" })).toEqual({ same: undefined, near: page!.id });
      for (const [print, siteId, url] of [
        [{ ...fingerprint, text: "other", simhash: "0123456789abcd00" }, site.id, next],
        [{ ...fingerprint, text: "other", simhash: "" }, site.id, next],
        [fingerprint, site.id + 1, next],
        [fingerprint, site.id, home],
      ] as const) {
        expect(await twins(print, siteId, url)).toEqual({ same: undefined, near: undefined });
      }
      await keep("http://a.test/copy", { ...version, fingerprint }, { duplicateOf: page!.id });
      expect((await all(store.pages({}))).map(({ duplicateOf }) => duplicateOf)).toEqual([null, home]);
    });

    test("are found by what is asked for, in the order asked for", async () => {
      const { store, run, site, hear, visit } = await aRun(open());
      for (const [path, depth] of [["c", 1], ["a", 2], ["b", 1]] as const) {
        const [candidate] = await hear(aHeard(`http://a.test/${path}`, { depth }));
        await visit(candidate!, aPage(aVersion(path), { change: path === "a" ? "changed" : "new" }));
      }
      const found = async (filter: Parameters<Store["pages"]>[0]) => (await all(store.pages(filter))).map(({ url }) => url.at(-1)).join("");
      expect([await found({}), await found({ sort: "url" }), await found({ sort: "-url" })]).toEqual(["cab", "abc", "cba"]);
      expect([await found({ sort: "depth" }), await found({ sort: "-depth" })]).toEqual(["cba", "acb"]);
      expect([await found({ change: ["changed"] }), await found({ afterSeq: 1 }), await found({ limit: 1 })]).toEqual(["a", "ab", "c"]);
      expect([await found({ url: "/b" }), await found({ siteId: site.id + 1 }), await found({ runId: run.id })]).toEqual(["b", "", "cab"]);
      expect(await found({ sort: "1; DROP TABLE page" })).toBe("cab");
    });

    test("bodies are kept once by their name, and unpacked again", async () => {
      const { store, keep } = await aRun(open());
      const version = aVersion("the very same body");
      await keep(home, version);
      await keep(next, version);
      const plain = { hash: "plain", size: 3, coding: "identity", data: Buffer.from("abc") } as const;
      await keep("http://a.test/plain", aVersion("plain", [], { body: plain }));
      await keep("http://a.test/none", aVersion("none", [], { body: { ...plain, hash: "not kept", data: undefined } }));
      const text = async (hash: string) => {
        const body = await store.body(hash);
        return body && Buffer.from(body).toString();
      };
      expect([await text(version.body.hash), await text("plain"), await text("plain")]).toEqual(["the very same body", "abc", "abc"]);
      expect([await text("not kept"), await text("never heard of")]).toEqual([undefined, undefined]);
    });
  });

  describe(`${name}: runs`, () => {
    test("a second one of a site that is being crawled is refused, by number and process", async () => {
      const a = await aRun(open());
      const attempt = aRun(open());
      await expect(attempt).rejects.toThrow(new RegExp(`run ${a.run.id} .*process ${process.pid}\\b`));
      await expect(attempt).rejects.toMatchObject({ name: "StorageError", hint: expect.stringContaining(String(process.pid)) });
      await expect(open().resumeRun(a.run.id, 1)).rejects.toThrow("still at work");
      expect((await aRun(open(), "http://b.test/")).run.id).toBeGreaterThan(a.run.id);
      expect(a.store.isAlive(a.run)).toBe(true);
      await a.end();
      expect((await aRun(open())).run.status).toBe("running");
    });

    test("what was out when one was killed is queued again at the very end; at the third time it is quarantined", async () => {
      const a = await aRun(open());
      const [unlucky] = await a.hear(aHeard("http://a.test/unlucky", { priority: 9 }), aHeard("http://a.test/other", { level: 7, priority: -5 }));
      const queue = async () => (await a.backlog.load("a.test", anything, nothing)).map(({ url }) => url.split("/").at(-1));
      expect(await queue()).toEqual(["unlucky", "other"]);
      for (const [time, expected] of [
        [1, ["other", "unlucky"]],
        [2, ["other", "unlucky"]],
        [3, ["other"]],
      ] as const) {
        later(10_000);
        await a.backlog.claim([{ host: "a.test", visit: unlucky!.id, delay: 1, cause: "rate" }]);
        database.bury();
        expect((await open().resumeRun(a.run.id, time)).status).toBe("running");
        expect(await queue()).toEqual(expected);
      }
      expect(await a.ledger("http://a.test/unlucky")).toMatchObject([{ verdict: "failed", reason: "crash" }]);
    });

    test("what was out when one was stopped cleanly is not held against it", async () => {
      const a = await aRun(open());
      const [candidate] = await a.hear(aHeard("http://a.test/1", { priority: 9 }));
      for (let time = 0; time < 4; time++) {
        later(10_000);
        await a.backlog.claim([{ host: "a.test", visit: candidate!.id, delay: 1, cause: "rate" }]);
        await a.end("stopped");
        await a.store.resumeRun(a.run.id, time);
      }
      expect(await a.backlog.load("a.test", anything, nothing)).toMatchObject([{ priority: 9 }]);
    });

    test("a host that stayed closed defers its queue; a resume takes it up again", async () => {
      const { store, run, hear, end, ledger } = await aRun(open());
      await hear(aHeard("http://a.test/1"), aHeard("http://a.test/2"), aHeard("http://b.test/1"));
      expect(await store.defer(run.id, "a.test", "host.blocked", "closed")).toBe(2);
      expect(await ledger("http://a.test/1", "http://b.test/1")).toMatchObject([{ verdict: "deferred" }, { verdict: "queued" }]);
      await end("stopped");
      await store.resumeRun(run.id, 1);
      expect(await ledger("http://a.test/1")).toMatchObject([{ verdict: "queued", reason: "ok" }]);
    });

    test("pages nobody mentioned are found when all is done, and are unknown when it is not", async () => {
      const store = open();
      const first = await aRun(store);
      for (const path of ["kept", "lost", "gone"]) await first.keep(`http://a.test/${path}`, aVersion(path), path === "gone" ? { change: "gone" } : {});
      await first.end();
      const second = await aRun(store);
      const sites = [second.site.id];
      await second.keep("http://a.test/kept", undefined, { change: "same" });
      const unheard = async () => (await all(store.unheard(second.run.id, sites))).map(({ url }) => url);
      // The page that was gone at once has no row of its own that says so until it is seen again.
      expect(await unheard()).toContain("http://a.test/lost");
      expect(await unheard()).not.toContain("http://a.test/kept");
      const count = await store.markUnreached(second.run.id, sites, Date.now());
      expect(count).toBe((await unheard()).length);
      expect(await store.markUnreached(second.run.id, sites, Date.now())).toBe(0);
      expect(await all(store.changes(second.run.id))).toContainEqual(expect.objectContaining({ url: "http://a.test/lost", change: "unknown", detail: "not reached" }));
      await second.end("stopped");
      await store.resumeRun(second.run.id, Date.now());
      expect(await all(store.changes(second.run.id))).toEqual([]);
      const [lost] = await all(store.unheard(second.run.id, sites));
      await store.markUnknown(second.run.id, [lost!.pageId], "no longer in scope", Date.now());
      expect(await all(store.changes(second.run.id))).toMatchObject([{ change: "unknown", detail: "no longer in scope" }]);
      await second.hear(aHeard("http://a.test/lost"));
      expect(await unheard()).not.toContain("http://a.test/lost");
    });

    test("many unheard pages can be heard while they are read, though another process writes too", async () => {
      const store = open();
      const first = await aRun(store);
      const candidates = await first.hear(...Array.from({ length: 1200 }, (_, index) => aHeard(`http://a.test/${index}`)));
      await first.settle({ visits: candidates.map((candidate) => aVisit(candidate, { page: aPage(aVersion("x")) })) });
      await first.end();
      const second = await aRun(store);
      const other = await aRun(open(), "http://b.test/");
      let count = 0;
      for await (const { url } of store.unheard(second.run.id, [second.site.id])) {
        count += 1;
        if (count % 300 !== 1) continue;
        await other.hear(aHeard(`http://b.test/${count}`));
        await second.hear(aHeard(url));
      }
      expect(count).toBe(1200);
    });

    test("URLs that failed for good in an ended run are known", async () => {
      const store = open();
      const first = await aRun(store);
      const [bad, good] = await first.hear(aHeard("http://a.test/bad"), aHeard("http://a.test/good"));
      await first.settle({ visits: [aVisit(bad!, { verdict: "failed", reason: "http.4xx" }), aVisit(good!)] });
      const failed = (path: string) => store.failedBefore([first.site.id], hashOf(`http://a.test/${path}`));
      expect(await failed("bad")).toBe(false);
      await first.end();
      expect([await failed("bad"), await failed("good"), await failed("unheard")]).toEqual([true, false, false]);
    });

    test("everything is there after opening again", async () => {
      const first = await aRun(open());
      const robots = { origin: "http://a.test", fetchedAt: 5, kind: "rules", why: "", text: "User-agent: *\nDisallow: /é\0\xff" } as const;
      await first.store.saveRobots({ ...robots, text: "old" });
      await first.store.saveRobots(robots);
      await first.keep("http://a.test/1", aVersion("one"));
      await first.hear(aHeard("http://a.test/2", { depth: 3 }));
      const { hashSeed } = first.store;
      database.bury();
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
      await again.seen(run.id, (hash, depth, mentions) => seen.push([hash, depth, mentions]));
      expect(seen).toHaveLength(2);
      expect(seen).toContainEqual([hashOf("http://a.test/2"), 3, 1]);
      expect(await again.backlog(run.id).load("a.test", anything, nothing)).toMatchObject([{ url: "http://a.test/2" }]);
      expect(await all(again.pages({}))).toMatchObject([{ url: "http://a.test/1" }]);
    });

    test("every decision can be asked for, by verdict, by reason and by URL", async () => {
      const { store, run, hear } = await aRun(open());
      const skip = (url: string, reason: "scope.host" | "depth") => aHeard(url, { verdict: "skipped", reason, rule: "because" });
      const [parent] = await hear(aHeard("http://a.test/"));
      await hear({ ...skip("http://b.test/", "scope.host"), parentId: parent!.id }, skip("http://a.test/deep", "depth"));
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
