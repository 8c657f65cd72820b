import { describe, expect, test } from "vitest";
import { CursorError, type List, type Store } from "../index.ts";
import { aLink, aNewUrl, aRun, aVersion, aVisit, type Bench, hashOf } from "./records.ts";

/** Every row of a list, read in parts of this size. */
async function read<Filter, T>(list: List<Filter, T>, filter: Filter, sort: string, limit: number): Promise<T[]> {
  const found: T[] = [];
  for (let part = await list.part(filter, { sort, limit }); ; part = await list.part(filter, { sort, limit, after: part.next })) {
    found.push(...part.rows);
    if (!part.next) return found;
  }
}

const words = ["budget", "agenda"];
const judge = { scorer: "test.1", words };

/** Pages whose links each have a score of their own, and one page that failed. */
async function aSite(store: Store, pages: number) {
  const run = await aRun({ ...store, settle: (settlement) => store.settle({ ...settlement, judge }) });
  const siteId = run.site.id;
  await store.links.setKeywords(
    siteId,
    words.map((word, index) => ({ word, weight: 1 - index / 2 })),
  );
  for (let at = 0; at < pages; at += 1) {
    const match = (at + 1) / (pages + 1);
    const links = [
      aLink("http://a.test/all.pdf", 0, "All", [[1, 0.1]]),
      aLink(`http://a.test/link-${at}`, 1, "One", [[0, Math.round(100 * match) / 100]]),
    ];
    await run.keep(`http://a.test/folder-${at % 2}/page-${at}`, aVersion(`page ${at}`, links), {
      status: at % 3 === 0 ? 404 : 200,
      change: at % 2 ? "new" : "changed",
    });
  }
  const [failed] = await run.hear(
    aNewUrl("http://a.test/no"),
    aNewUrl("http://a.test/not", { verdict: "skipped", reason: "robots.disallow", rule: "Disallow: /not" }),
  );
  await run.settle({ visits: [aVisit(failed!, { verdict: "failed", reason: "http.5xx", status: 500 })] });
  return { ...run, siteId };
}

export function listsContract(name: string, { open }: Bench): void {
  describe(`${name} keeps lists`, () => {
    test.each([1, 2, 3, 100])("that are the same read %i rows at a time, either way round", async (limit) => {
      const store = open();
      const { siteId, run } = await aSite(store, 7);
      const { lists } = store;
      const each = [
        [lists.sites, {}],
        [lists.runs, { siteId }],
        [lists.runs, { status: ["running"] }],
        [lists.pages, {}],
        [lists.pages, { siteId }],
        [lists.pages, { runId: run.id, change: ["new"] }],
        [lists.links, {}],
        [lists.links, { siteId, words: ["budget"], isMuted: false }],
        [lists.decisions, { runId: run.id }],
        [lists.failures, { runId: run.id }],
        [lists.changes, { after: 0, until: run.id }],
        [lists.inlinks, { siteId, hash: hashOf("http://a.test/all.pdf") }],
      ] as unknown as readonly (readonly [List<object, object>, object])[];
      for (const [list, filter] of each)
        for (const sort of list.sorts) {
          const { rows } = await list.part(filter, { sort, limit: 1000 });
          expect(rows.length).toBeGreaterThan(0);
          expect(await read(list, filter, sort, limit)).toEqual(rows);
          expect(await list.count(filter)).toBe(rows.length);
          if (list === (lists.inlinks as unknown)) continue;
          expect(await read(list, filter, `-${sort}`, limit)).toEqual([...rows].reverse());
        }
    });

    test("in which nobody's place shifts while rows come and go", async () => {
      const store = open();
      const { siteId, keep } = await aSite(store, 6);
      const first = await store.lists.pages.part({ siteId }, { sort: "id", limit: 2 });
      await keep("http://a.test/later", aVersion("later"));
      const [second] = first.rows;
      await (await store.maintenance.plan({ what: "old", siteId, keep: 1, before: 0, gone: true })).execute();
      const rest = await read(store.lists.pages, { siteId }, "id", 2).then((rows) => rows.map(({ url }) => url));
      const after = await store.lists.pages.part({ siteId }, { sort: "id", limit: 2, after: first.next });
      expect([...first.rows, ...after.rows].map(({ url }) => url)).toEqual(rest.slice(0, 4));
      expect(second!.url).toBe(rest[0]);
    });

    test("which take no place of another", async () => {
      const store = open();
      const { siteId } = await aSite(store, 3);
      const { next } = await store.lists.links.part({}, { sort: "-score", limit: 1 });
      await expect(store.lists.links.part({ siteId }, { sort: "-score", limit: 1, after: next })).rejects.toThrow(CursorError);
    });

    test("that can be sieved", async () => {
      const store = open();
      const { siteId, run } = await aSite(store, 6);
      const pages = async (filter: object) =>
        (await read(store.lists.pages, { siteId, ...filter }, "id", 10)).map(({ url }) => url.slice(-1)).join("");
      expect(await pages({})).toBe("012345");
      expect(await pages({ status: [404] })).toBe("03");
      expect(await pages({ status: [2, 404] })).toBe("012345");
      expect(await pages({ path: "/folder-1/" })).toBe("135");
      expect(await pages({ path: "/folder-1/", change: ["changed"] })).toBe("");
      expect(await pages({ contains: "page-4", host: "a.test" })).toBe("4");
      expect(await pages({ host: "b.test" })).toBe("");
      expect(await pages({ hashes: [hashOf("http://a.test/folder-1/page-5")] })).toBe("5");
      const links = async (filter: object) =>
        (await read(store.lists.links, { siteId, ...filter }, "-score", 10)).map(({ url, score }) => `${url.slice(14)} ${score}`);
      expect((await links({}))[0]).toBe("link-5 0.86");
      expect(await links({ minScore: 0.7 })).toEqual(["link-5 0.86", "link-4 0.71"]);
      expect(await links({ words: ["agenda"] })).toEqual(["all.pdf 0.05"]);
      expect(await links({ words: ["agenda", "budget"] })).toEqual([]);
      expect((await links({ words: ["agenda", "budget"], isAny: true })).length).toBe(7);
      expect(await links({ types: ["pdf"] })).toEqual(["all.pdf 0.05"]);
      const why = async (filter: object) =>
        (await read(store.lists.decisions, { runId: run.id, ...filter }, "id", 10)).map(({ url }) => url.slice(14));
      expect(await why({ reason: ["robots"] })).toEqual(["not"]);
      expect(await why({ reason: ["robot"] })).toEqual([]);
      expect(await why({ verdict: ["failed"] })).toEqual(["no"]);
      expect(await why({ hashes: [hashOf("http://a.test/not")] })).toEqual(["not"]);
      expect(await store.lists.decisionGroups({ runId: run.id }, ["verdict", "path"], 2)).toEqual([
        { group: { verdict: "fetched", path: "/folder-0/" }, count: 3, example: "http://a.test/folder-0/page-0" },
        { group: { verdict: "fetched", path: "/folder-1/" }, count: 3, example: "http://a.test/folder-1/page-1" },
      ]);
    });

    test("with what people say of pages and links", async () => {
      const store = open();
      const { siteId } = await aSite(store, 3);
      await store.userData.setPage(2, { note: "look", tags: ["town"], isMuted: true }, 5);
      await store.userData.setPage(2, { tags: ["city"] }, 6);
      const muted = await read(store.lists.pages, { isMuted: true, tag: "city" }, "id", 10);
      expect(muted.map(({ id, note, tags, isMuted }) => ({ id, note, tags, isMuted }))).toEqual([
        { id: 2, note: "look", tags: ["city"], isMuted: true },
      ]);
      const best = async () => (await store.lists.links.part({ siteId, isMuted: false }, { sort: "-score", limit: 1 })).rows[0]!;
      const { id } = await best();
      await store.userData.setLink({ siteId, linkId: id }, { isMuted: true, note: "old" }, 5);
      const next = await best();
      expect(next.id).not.toBe(id);
      await store.userData.setLink({ siteId, linkId: id }, { isMuted: false, scoreOverride: 0.01 }, 6);
      expect((await best()).id).toBe(next.id);
      expect(await store.lists.link(id)).toMatchObject({ score: 0.01, note: "old", scoreOverride: 0.01 });
      await store.links.setKeywords(siteId, [{ word: "budget", weight: 0.9 }]);
      expect((await store.lists.link(id))!.score).toBe(0.01);
      await store.userData.setLink({ siteId, linkId: id }, { scoreOverride: null }, 7);
      expect((await best()).id).toBe(id);
      await store.userData.removeLink(siteId, id);
      expect(await store.lists.link(id)).toBeUndefined();
    });

    test("and tells how pages lie in folders, one level at a time", async () => {
      const store = open();
      const { siteId } = await aSite(store, 5);
      const branches = async (prefix: string) =>
        (await store.lists.tree(siteId, prefix)).map(({ prefix: branch, pages, hasMore, pageId }) => [branch, pages, hasMore, pageId]);
      expect(await branches("")).toEqual([["http://a.test/", 5, true, null]]);
      expect(await branches("http://a.test/")).toEqual([
        ["http://a.test/folder-0/", 3, true, null],
        ["http://a.test/folder-1/", 2, true, null],
      ]);
      // A branch that is a page has its id.
      expect(await branches("http://a.test/folder-1/")).toEqual([
        ["http://a.test/folder-1/page-1", 1, false, 2],
        ["http://a.test/folder-1/page-3", 1, false, 4],
      ]);
    });
  });
}
