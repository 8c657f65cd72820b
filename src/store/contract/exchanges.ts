import { describe, expect, test } from "vitest";
import type { Exchange } from "../exchanges.ts";
import type { Store } from "../store.ts";
import { all, aNewUrl, aPage, aRun, aVersion, aVisit, type Bench, START } from "./records.ts";

const anExchange = (url: string, text: string | undefined, more: Partial<Exchange> = {}): Exchange => ({
  ...{ siteId: 1, url, at: Date.now(), status: 200, address: "127.0.0.1", truncated: undefined },
  ...{ request: "GET / HTTP/1.1\r\n", response: "HTTP/1.1 200 OK\r\nX-Name: caf\xe9\r\n" },
  body: text === undefined ? undefined : aVersion(text).body,
  ...more,
});

const namesOf = async (store: Store, range = {}) => (await all(store.exchanges.all(range))).map(({ url, runId }) => `${runId} ${url}`);
const textOf = async (store: Store, hash: string | undefined) => hash && Buffer.from((await store.body(hash)) ?? []).toString();

export function exchangesContract(name: string, { open, advanceTime }: Bench): void {
  describe(`${name}: what went over the wire`, () => {
    test("is settled with everything else, and comes back as it was", async () => {
      const store = open();
      const { settle, run } = await aRun(store);
      const given = anExchange("http://a.test/", "one", { status: 503, truncated: "length" });
      await settle({ exchanges: [given, anExchange("http://a.test/2", undefined, { address: undefined })] });
      const [first, second] = await all(open().exchanges.all({}));
      const { body, ...rest } = given;
      expect(first).toEqual({ ...rest, id: 1, runId: run.id, bodyHash: body!.hash });
      expect(await textOf(store, first!.bodyHash)).toBe("one");
      expect(second).toMatchObject({ bodyHash: undefined, address: undefined });
    });

    test("is told by site and run, and the first that brought a body is found", async () => {
      const store = open();
      const [one, two] = [await aRun(store), await aRun(store, "http://b.test/")];
      await one.settle({ exchanges: [anExchange("http://a.test/", "same"), anExchange("http://a.test/2", "same", { siteId: 2 })] });
      await two.settle({ exchanges: [anExchange("http://a.test/", undefined, { status: 304 }), anExchange("http://a.test/", "same")] });
      expect(await namesOf(store, { siteId: 2 })).toEqual(["1 http://a.test/2"]);
      expect(await namesOf(store, { runId: 2 })).toEqual(["2 http://a.test/", "2 http://a.test/"]);
      const of = { url: "http://a.test/", bodyHash: aVersion("same").body.hash };
      expect(await store.exchanges.findOriginal(of, {})).toMatchObject({ id: 1 });
      expect(await store.exchanges.findOriginal(of, {}, 1)).toBeUndefined();
      expect(await store.exchanges.findOriginal(of, { runId: 2 })).toMatchObject({ id: 4 });
      expect(await store.exchanges.findOriginal({ ...of, url: "http://a.test/3" }, {})).toBeUndefined();
    });

    test("a body that is only named is named where it is here, and not where it is not", async () => {
      const store = open();
      const { settle, keep } = await aRun(store);
      await keep("http://a.test/", aVersion("here"));
      const named = (text: string) => ({ ...aVersion(text).body, data: undefined });
      const told = (text: string) => anExchange("http://a.test/", undefined, { status: 304, body: named(text) });
      await settle({ exchanges: [told("here"), told("elsewhere")] });
      const hashes = (await all(store.exchanges.all({}))).map(({ bodyHash }) => bodyHash);
      expect(hashes).toEqual([aVersion("here").body.hash, undefined]);
      expect((await store.maintenance.problems()).filter((text) => text.includes("body"))).toEqual([]);
    });

    test("of pages whose body came with an answer that was kept, nothing is told besides, but where another run kept it", async () => {
      const store = open();
      const first = await aRun(store);
      for (const path of ["1", "2"]) await first.keep(`http://a.test/${path}`, aVersion(path));
      await first.settle({ exchanges: [anExchange("http://a.test/1", "1"), anExchange("http://a.test/2", "2", { status: 404 })] });
      await first.end();
      const told = async (range = {}) => (await all(store.exchanges.pageResponses(range))).map(({ url }) => url);
      expect(await told()).toEqual(["http://a.test/2"]);
      const second = await aRun(store);
      await second.keep("http://a.test/1", undefined, { change: "same" });
      expect(await told({ runId: second.run.id })).toEqual(["http://a.test/1"]);
      await second.end();
    });

    test("validators of a page are told only of the answer that brought its body", async () => {
      const store = open();
      const { keep } = await aRun(store);
      await keep("http://a.test/", aVersion("one"), { lastModified: "yesterday" });
      expect(await all(store.exchanges.pageResponses({}))).toMatchObject([
        { url: "http://a.test/", status: 200, contentType: "text/html", etag: '"1"', lastModified: "yesterday" },
      ]);
      advanceTime(1000);
      await keep("http://a.test/", undefined, { change: "same", etag: '"2"' });
      expect(await all(store.exchanges.pageResponses({}))).toMatchObject([{ at: START, etag: undefined, lastModified: undefined }]);
    });
  });

  describe(`${name}: what went over the wire, and removing`, () => {
    /** Two runs: the first fetched a body, the second only got a 304 for it. */
    async function twoRuns(store: Store) {
      const first = await aRun(store);
      const [candidate] = await first.hear(aNewUrl("http://a.test/"));
      const visit = aVisit(candidate!, { page: aPage(aVersion("one")) });
      await first.settle({
        visits: [visit],
        exchanges: [anExchange("http://a.test/", "one"), anExchange("http://a.test/no", "error", { status: 404 })],
      });
      await first.end();
      const second = await aRun(store);
      await second.settle({
        exchanges: [anExchange("http://a.test/", undefined, { status: 304, body: { ...aVersion("one").body, data: undefined } })],
      });
      await second.end();
      return { first, second };
    }

    test("goes with its run; a body that another answer vouches for stays", async () => {
      const store = open();
      const { first, second } = await twoRuns(store);
      const plan = await store.maintenance.plan({ what: "run", runId: first.run.id });
      expect(plan.removes).toMatchObject({ exchanges: 2, bodies: 1 });
      expect(await plan.execute()).toMatchObject({ exchanges: 2, bodies: 1 });
      expect(await namesOf(store)).toEqual(["2 http://a.test/"]);
      expect(await textOf(store, aVersion("one").body.hash)).toBe("one");
      expect(await (await store.maintenance.plan({ what: "run", runId: second.run.id })).execute()).toMatchObject({
        exchanges: 1,
        bodies: 1,
      });
      expect((await store.maintenance.problems()).filter((text) => text.includes("body"))).toEqual([]);
    });

    test("goes with the ledger of its run when that is old", async () => {
      const store = open();
      await twoRuns(store);
      const plan = await store.maintenance.plan({ what: "old", siteId: undefined, keep: 1, gone: false, before: Date.now() + 1 });
      expect(await plan.execute()).toMatchObject({ ledgers: 1, exchanges: 2, bodies: 1 });
      expect(await namesOf(store)).toEqual(["2 http://a.test/"]);
    });

    test("goes with its site, and leaves those of others", async () => {
      const store = open();
      await twoRuns(store);
      const other = await aRun(store, "http://b.test/");
      await other.settle({ exchanges: [anExchange("http://b.test/", "two", { siteId: other.site.id })] });
      await other.end();
      expect(await (await store.maintenance.plan({ what: "site", siteId: 1 })).execute()).toMatchObject({ exchanges: 3, bodies: 2 });
      expect(await namesOf(store)).toEqual([`${other.run.id} http://b.test/`]);
      expect((await store.maintenance.problems()).filter((text) => text.includes("body"))).toEqual([]);
    });

    test("holds the bodies of versions that have had their day", async () => {
      const store = open();
      const { hear: addUrls, settle, end, site } = await aRun(store);
      const [candidate] = await addUrls(aNewUrl("http://a.test/"));
      for (const text of ["one", "two"]) {
        const remembered = await store.findStored([site.id], candidate!.hash, "");
        const visit = aVisit(candidate!, { page: aPage(aVersion(text), { change: "changed" }), remembered });
        await settle({ visits: [visit], keepVersions: 1, ...(text === "one" && { exchanges: [anExchange("http://a.test/", text)] }) });
      }
      await end();
      expect(await textOf(store, aVersion("one").body.hash)).toBe("one");
      expect((await store.maintenance.problems()).filter((text) => text.includes("body"))).toEqual([]);
    });
  });
}
