import { describe, expect, test } from "vitest";
import type { RenderedBy } from "../rendering.ts";
import { aNewUrl, aPage, aRun, aVersion, aVisit, type Bench, hashOf, READER } from "./records.ts";

const one = "http://a.test/1";

const aPicture = (text: string): RenderedBy => ({
  engine: "chromium",
  picture: {
    body: { hash: `picture of ${text}`, size: text.length, coding: "identity", data: Buffer.from(text) },
    type: "image/jpeg",
    width: 800,
    height: 600,
  },
});

export function renderingContract(name: string, { open }: Bench): void {
  describe(`${name}: what browsers have shown`, () => {
    test("a version is known to be a browser's, whichever others there are", async () => {
      const { store, site, keep } = await aRun(open());
      expect(await keep(one, aVersion("plain"))).toMatchObject({ rendered: false });
      expect(await store.findStored([site.id], hashOf(one), READER)).not.toHaveProperty("isRendered");
      const page = await keep(one, aVersion("shown"), { change: "changed", rendered: { engine: "firefox" } });
      expect(page).toMatchObject({ rendered: true });
      expect(await store.findStored([site.id], hashOf(one), READER)).toMatchObject({ isRendered: true });
      const versions = await store.versions(page!.id);
      expect(versions.map(({ renderedBy, hasScreenshot }) => [renderedBy, hasScreenshot])).toEqual([
        ["firefox", false],
        [null, false],
      ]);
      expect(await store.rendering.picture(page!.id)).toBeUndefined();
    });

    test("a picture stays with its version; one that is the same gets one if it has none", async () => {
      const { store, keep } = await aRun(open());
      const page = await keep(one, aVersion("a"), { rendered: { engine: "chromium" } });
      await keep(one, undefined, { change: "same", rendered: aPicture("first") });
      await keep(one, undefined, { change: "same", rendered: aPicture("second") });
      await keep(one, aVersion("b"), { change: "changed", rendered: aPicture("third") });
      expect(await store.rendering.picture(page!.id)).toEqual({
        version: 2,
        engine: "chromium",
        bodyHash: "picture of third",
        type: "image/jpeg",
        width: 800,
        height: 600,
      });
      expect(await store.rendering.picture(page!.id, 1)).toMatchObject({ bodyHash: "picture of first" });
      expect(Buffer.from((await store.bodyUncached("picture of first"))!).toString()).toBe("first");
      expect(await store.bodyUncached("picture of second")).toBeUndefined();
    });

    test("pictures go with their versions, and stay where another version looks the same", async () => {
      const { store, keep, end } = await aRun(open());
      await keep(one, aVersion("a"), { rendered: aPicture("old") });
      await keep(one, aVersion("b"), { change: "changed", rendered: aPicture("now") });
      const other = await keep("http://a.test/2", aVersion("c"), { rendered: aPicture("old") });
      await end();
      const old = { what: "old", siteId: undefined, before: 0, gone: false, keep: 1 } as const;
      expect(await (await store.maintenance.plan(old)).execute()).toMatchObject({ versions: 1, bodies: 1 });
      expect([await store.bodyUncached("picture of old"), await store.bodyUncached("picture of now")].map(Boolean)).toEqual([true, true]);
      expect(await (await store.maintenance.plan({ what: "page", pageId: other!.id })).execute()).toMatchObject({ bodies: 2 });
      expect(await store.bodyUncached("picture of old")).toBeUndefined();
      expect(await (await store.maintenance.plan({ what: "site", siteId: 1 })).execute()).toMatchObject({ pages: 1 });
      expect(await store.bodyUncached("picture of now")).toBeUndefined();
      expect(await store.maintenance.problems()).toEqual([]);
    });

    test("with a limit of versions, the picture of the oldest goes when the run ends", async () => {
      const { store, site, settle, keep, hear: addUrls, end } = await aRun(open());
      await keep(one, aVersion("a"), { rendered: aPicture("old") });
      const remembered = await store.findStored([site.id], hashOf(one), READER);
      const [candidate] = await addUrls(aNewUrl(one));
      const page = aPage(aVersion("b"), { change: "changed", rendered: aPicture("now") });
      await settle({ keepVersions: 1, visits: [aVisit(candidate!, { page, remembered })] });
      await end();
      expect([await store.bodyUncached("picture of old"), await store.bodyUncached("picture of now")].map(Boolean)).toEqual([false, true]);
    });

    test("what was learned of hosts and templates is kept", async () => {
      const { store, site } = await aRun(open());
      expect([await store.rendering.hostEngine("a.test"), await store.rendering.gain(site.id, "a.test/{n}")]).toEqual([
        undefined,
        undefined,
      ]);
      await store.rendering.saveHostEngine("a.test", { engine: "chromium", isWalled: false });
      await store.rendering.saveHostEngine("a.test", { engine: "firefox", isWalled: true });
      await store.rendering.saveGain(site.id, "a.test/{n}", { shown: 3, gained: 1 });
      const other = open();
      expect(await other.rendering.hostEngine("a.test")).toEqual({ engine: "firefox", isWalled: true });
      expect(await other.rendering.gain(site.id, "a.test/{n}")).toEqual({ shown: 3, gained: 1 });
    });
  });
}
