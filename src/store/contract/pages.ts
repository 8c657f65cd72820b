import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Store } from "../store.ts";
import { aLink, all, aNewUrl, aPage, aRun, aVersion, type Bench, hashOf, READER, START } from "./records.ts";

export function pagesContract(name: string, { open, advanceTime }: Bench): void {
  describe(`${name}: pages`, () => {
    const [home, next] = ["http://a.test/", "http://a.test/next"];

    test("a version is kept only when the page changed; its links follow it", async () => {
      const store = open();
      const first = await aRun(store);
      const page = await first.keep(home, aVersion("one", [aLink(next, 0, ""), aLink(next, 1, "Next"), aLink("http://a.test/old", 2)]));
      expect(page).toMatchObject({
        url: home,
        change: "new",
        linkCount: 3,
        metadata: { title: { value: "one" } },
        previousFetchedAt: null,
      });
      await first.end();
      advanceTime(1000);
      const second = await aRun(store);
      const same = await second.keep(home, undefined, { change: "same", fromCache: true, etag: undefined, status: 200, bytes: 0 });
      expect(same).toMatchObject({
        id: page!.id,
        fromCache: true,
        bytes: 10,
        previousFetchedAt: new Date(START).toISOString(),
        crawlId: second.run.id,
      });
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
        { pageId: page!.id, siteId: third.site.id, page: home, packed: new Uint8Array((await store.packedLinks(page!.id))!.links()) },
      ]);
      expect(JSON.parse(Buffer.from((await store.packedLinks(page!.id))!.links()).toString())).toMatchObject([{ text: "Further" }]);
      await third.end();
      await (await aRun(store)).keep(home, aVersion("three"), { change: "changed" });
      expect(await store.inlinks(hashOf(next), 9)).toEqual([]);
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
      expect(await second.keep(next, undefined, { change: "gone", status: 404 })).toMatchObject({ url: next, change: "gone" });
      expect(await all(store.changes(second.run.id))).toMatchObject([
        { url: next, change: "gone", fromVersion: 2, toVersion: null, title: `text of ${next}` },
      ]);
      expect(await store.findStored([second.site.id], hashOf(next), READER)).toMatchObject({ isGone: true, isCurrent: false });
    });

    test("what is remembered: validators, fingerprint, and whether today's reader made it", async () => {
      const { store, site, keep } = await aRun(open());
      const version = aVersion("hello", [], { nofollow: true });
      await keep(home, version, { lastModified: "yesterday" });
      const remembered = await store.findStored([site.id], hashOf(home), READER);
      expect(remembered).toMatchObject({
        etag: '"1"',
        lastModified: "yesterday",
        fingerprint: version.fingerprint,
        isCurrent: true,
      });
      expect(await store.knownType(hashOf(home))).toBeUndefined();
      await keep(next, aVersion("typed", [], { metadata: { type: { value: "article", source: "og:type" } } }));
      expect(await store.knownType(hashOf(next))).toBe("article");
      expect(await store.findStored([site.id], hashOf(home), "reader-2")).toMatchObject({ isCurrent: false });
      expect(await store.findStored([site.id + 1], hashOf(home), READER)).toBeUndefined();
      expect(await store.findStored([site.id], hashOf("http://a.test/never"), READER)).toBeUndefined();
    });

    test("a twin has the same text and links, is of the same site, and is not gone", async () => {
      const { store, run, site, keep } = await aRun(open());
      const version = aVersion("a tale of two pages", [], {});
      const { fingerprint } = version;
      const page = await keep(home, version);
      const suspect = (print: typeof fingerprint, siteId: number, url: string) => ({ siteId, hash: hashOf(url), fingerprint: print });
      const suspects = [
        suspect({ ...fingerprint, links: "other" }, site.id, next),
        suspect({ ...fingerprint, text: "other" }, site.id, next),
        suspect(fingerprint, site.id, next),
        suspect(fingerprint, site.id + 1, next),
        suspect(fingerprint, site.id, home),
      ];
      const twin = { pageId: page!.id, url: home, depthInRun: 1 };
      expect(await store.findDuplicates(run.id, suspects)).toEqual([undefined, undefined, twin, undefined, undefined]);
      expect(await store.findDuplicates(run.id + 1, suspects.slice(2, 3))).toEqual([{ ...twin, depthInRun: undefined }]);
      expect(await store.findDuplicates(run.id, [])).toEqual([]);
      await keep("http://a.test/copy", version, { duplicateOf: page!.id });
      expect((await all(store.pages({}))).map(({ duplicateOf }) => duplicateOf)).toEqual([null, home]);
      const simhashes: string[] = [];
      await store.simhashes([site.id], 1, (_, simhash) => simhashes.push(simhash));
      expect(simhashes).toEqual([fingerprint.simhash]);
    });

    test("a twin that moved away is none, and one whose links nobody followed was met nowhere", async () => {
      const { store, run, site, keep } = await aRun(open());
      const suspect = ({ fingerprint }: ReturnType<typeof aVersion>) => ({ siteId: site.id, hash: hashOf(next), fingerprint });
      const quiet = aVersion("a tale that leads nowhere", [], { nofollow: true });
      const page = await keep(home, quiet);
      expect(await store.findDuplicates(run.id, [suspect(quiet)])).toEqual([{ pageId: page!.id, url: home, depthInRun: undefined }]);
      const moved = aVersion("a tale that moved");
      await keep("http://a.test/old", moved, { movedTo: next });
      expect(await store.findDuplicates(run.id, [suspect(moved)])).toEqual([undefined]);
    });

    test("are found by what is asked for, in the order asked for", async () => {
      const { store, run, site, hear: addUrls, visit, end } = await aRun(open());
      for (const [path, depth] of [
        ["c", 1],
        ["a", 2],
        ["b", 1],
      ] as const) {
        const [candidate] = await addUrls(aNewUrl(`http://a.test/${path}`, { depth }));
        await visit(candidate!, aPage(aVersion(path), { change: path === "a" ? "changed" : "new" }));
      }
      const found = async (filter: Parameters<Store["pages"]>[0]) => (await all(store.pages(filter))).map(({ url }) => url.at(-1)).join("");
      expect([await found({}), await found({ sort: "url" }), await found({ sort: "-url" })]).toEqual(["cab", "abc", "cba"]);
      expect([await found({ sort: "depth" }), await found({ sort: "-depth" })]).toEqual(["cba", "acb"]);
      expect([await found({ change: ["changed"] }), await found({ afterSeq: 1 }), await found({ limit: 1 })]).toEqual(["a", "ab", "c"]);
      expect([await found({ url: "/b" }), await found({ siteId: site.id + 1 }), await found({ runId: run.id })]).toEqual(["b", "", "cab"]);
      expect(await found({ sort: "1; DROP TABLE page" })).toBe("cab");
      await end();
      const second = await aRun(store);
      await second.keep("http://a.test/a", undefined, { change: "same" });
      expect([await found({ runId: run.id }), await found({ runId: second.run.id })]).toEqual(["cab", "a"]);
      expect(await found({ runId: run.id, afterSeq: 0 })).toBe("cb");
    });

    test("bodies are kept once by their name, and unpacked again", async () => {
      const { store, keep } = await aRun(open());
      const version = aVersion("the very same body");
      await keep(home, version);
      await keep(next, version);
      const plain = { hash: "plain", size: 3, coding: "identity", data: Buffer.from("abc") } as const;
      await keep("http://a.test/plain", aVersion("plain", [], { body: plain }));
      const gzipped = { hash: "9a91", size: 9, coding: "gzip", data: gzipSync("as it was") } as const;
      await keep("http://a.test/gzipped", aVersion("gzipped", [], { body: gzipped }));
      await keep("http://a.test/none", aVersion("none", [], { body: { ...plain, hash: "not kept", data: undefined } }));
      const text = async (hash: string) => {
        const body = await store.body(hash);
        return body && Buffer.from(body).toString();
      };
      expect([await text(version.body.hash), await text("plain"), await text("9a91")]).toEqual(["the very same body", "abc", "as it was"]);
      expect([await text("not kept"), await text("never heard of")]).toEqual([undefined, undefined]);
    });
  });
}
