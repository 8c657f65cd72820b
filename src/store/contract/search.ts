import { describe, expect, test } from "vitest";
import { readQuery, words } from "../../analysis/search/index.ts";
import type { PageMetadata, PageVerdict } from "../../core/records.ts";
import type { SearchRequest } from "../search.ts";
import type { VersionToStore } from "../settlement.ts";
import type { Store } from "../store.ts";
import { aRun, aVersion, type Bench, START } from "./records.ts";

const at = (path: string) => `http://a.test/${path}`;

const aText = (title: string, text: string, more: Partial<VersionToStore> = {}) =>
  aVersion(`${title} ${text}`, [], { words: { title: words(title), text: words(text) }, ...more });

const judged = (verdict: PageVerdict) => ({
  values: {},
  verdict: { value: verdict, source: "text" },
  preview: "",
  evidence: new Uint8Array(),
  blocks: new Uint32Array(),
  extractor: 1,
});

const said = (metadata: PageMetadata) => ({ metadata });

async function found(store: Store, typed: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
  const { pages, total } = await store.search.find({ query: readQuery(typed)!, limit: 9, ...more });
  expect(total).toBe(pages.length);
  return pages.map(({ page }) => page.url.slice(at("").length));
}

export function searchContract(name: string, { open, advanceTime }: Bench): void {
  describe(`${name}: search`, () => {
    async function town(): Promise<Store> {
      const { store, keep, end } = await aRun(open());
      await keep(at("budget"), aText("The budget", "What the town will spend."));
      advanceTime(1000);
      await keep(
        at("bridge"),
        aText("The bridge", "There is no money for it in the budget of the town council, says Mrs O'Brien of the Café."),
      );
      advanceTime(1000);
      await keep(at("tokyo"), aText("東京都の予算", "教育と福祉に重点を置いています。"));
      await end();
      return store;
    }

    test.each([
      ["words in a title weigh more", "budget", ["budget", "bridge"]],
      ["all words are needed", "budget money", ["bridge"]],
      ["wherever they stand", "bridge money", ["bridge"]],
      ["case and accents do not matter", "CAFE", ["bridge"]],
      ["words of a phrase stand together", '"town council"', ["bridge"]],
      ["and in its order", '"council town"', []],
      ["what is unwanted is left out", "town -money", ["budget"]],
      ["unless it is a phrase that is not there", 'town -"no town"', ["budget", "bridge"]],
      ["a word may go on", "spen*", ["budget"]],
      ["or not", "spen", []],
      ["an apostrophe is as good as none", "o'brien", ["bridge"]],
      ["words of a script without spaces are found within its runs", "予算", ["tokyo"]],
      ["longer ones too", "京都の予算", ["tokyo"]],
      ["and single characters, the last one too", "算 に", ["tokyo"]],
      ["but not what does not follow", "京予", []],
      ["the language of the index is words like others", 'NEAR("the budget" 3) OR', []],
      ["and so is whatever else", '^town {x} + : ( ) \\ \' "" -', []],
    ])("%s", async (_, typed, urls) => {
      expect((await found(await town(), typed)).toSorted()).toEqual(urls.toSorted());
    });

    test("the best is first, or the newest, or the other way round", async () => {
      const store = await town();
      const orders = ["relevance", "-relevance", "date", "-date"].map((sort) => found(store, "budget", { sort }));
      const [good, newest] = [
        ["budget", "bridge"],
        ["bridge", "budget"],
      ];
      expect(await Promise.all(orders)).toEqual([good, newest, newest, good]);
      const { pages, total } = await store.search.find({ query: readQuery("budget")!, limit: 1 });
      expect([pages.map(({ page, firstSeenAt }) => [page.url, firstSeenAt]), total]).toEqual([[[at("budget"), START]], 2]);
    });

    test("a site, a time, a language and a topic narrow it down", async () => {
      const { store, keep, end } = await aRun(open());
      const topics = { value: [{ name: "Bridges", source: "x", confidence: 1, parents: ["buildings"] }], source: "x" };
      await keep(at("1"), aText("One", "town", said({ lang: { value: "pt-BR", source: "html:lang" } })));
      advanceTime(1000);
      await keep(at("2"), aText("Two", "town", said({ lang: { value: "en", source: "html:lang" }, topics })));
      await end();
      const cases: [Partial<SearchRequest>, string[]][] = [
        [{ siteId: 1 }, ["1", "2"]],
        [{ siteId: 2 }, []],
        [{ since: START + 1000 }, ["2"]],
        [{ until: START + 1000 }, ["1"]],
        [{ lang: "PT" }, ["1"]],
        [{ lang: "pt-br" }, ["1"]],
        [{ lang: "p" }, []],
        [{ lang: "*" }, []],
        [{ topic: "bridges" }, ["2"]],
        [{ topic: "Buildings" }, ["2"]],
        [{ topic: "roads" }, []],
      ];
      for (const [narrow, urls] of cases) expect(await found(store, "town", narrow), JSON.stringify(narrow)).toEqual(urls);
    });

    test("what is no page, asks not to be indexed, or is a copy is left out unless it is asked for", async () => {
      const { store, keep, end } = await aRun(open());
      const page = await keep(at("page"), aText("Page", "town"));
      await keep(at("wall"), aText("Wall", "town", { read: judged("login-wall") }));
      await keep(at("closed"), aText("Closed", "town", { noindex: true }));
      await keep(at("copy"), aText("Page", "town"), { duplicateOf: page!.id });
      await keep(at("once-a-copy"), aText("Another", "town"), { duplicateOf: page!.id });
      await end();
      expect((await found(store, "town")).toSorted()).toEqual(["once-a-copy", "page"]);
      expect((await found(store, "town", { isForAll: true })).toSorted()).toEqual(["closed", "copy", "once-a-copy", "page", "wall"]);
    });

    test("a page is found by what it says today, and not any more when it is gone or removed", async () => {
      const store = await town();
      const second = await aRun(store);
      await second.keep(at("budget"), aText("The accounts", "What the town has spent."), { change: "changed" });
      await second.keep(at("bridge"), undefined, { change: "gone", status: 404 });
      await second.end();
      expect([await found(store, "spend"), await found(store, "accounts"), await found(store, "bridge")]).toEqual([[], ["budget"], []]);
      await (await store.maintenance.plan({ what: "site", siteId: 1 })).execute();
      expect(await found(store, "accounts")).toEqual([]);
    });

    test("what is settled without words, or was killed before they were written, waits to be indexed", async () => {
      const { keep, end } = await aRun(open());
      const another = open();
      await keep(at("1"), aText("One", "town"));
      await keep(at("2"), aVersion("two"));
      const bodiless = aVersion("three");
      await keep(at("3"), { ...bodiless, body: { ...bodiless.body, data: undefined } });
      await keep(at("4.pdf"), aVersion("four", [], { type: "binary" }));
      const waiting = await another.search.pagesToIndex(undefined, { after: 0, limit: 9 });
      expect([
        waiting.map(({ url }) => url),
        await another.search.countPagesToIndex([1]),
        await another.search.countPagesToIndex([2]),
      ]).toEqual([[at("1"), at("2")], 2, 0]);
      const [one, two] = waiting.map(({ pageId, versionId }) => ({ pageId, versionId, words: { title: "", text: "indexed later" } }));
      await another.search.index([{ ...two!, versionId: 99 }]);
      expect(await found(another, "later")).toEqual([]);
      await another.search.index([two!, { ...one!, words: undefined }]);
      expect([await found(another, "later"), await found(another, "town"), await another.search.countPagesToIndex(undefined)]).toEqual([
        ["2"],
        [],
        0,
      ]);
      await end();
      expect([await found(another, "later"), await found(another, "town")]).toEqual([["2"], ["1"]]);
    });
  });
}
