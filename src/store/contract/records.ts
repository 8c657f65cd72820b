/** Records and helpers for the tests of the store contract. */

import { createHash } from "node:crypto";
import { brotliCompressSync } from "node:zlib";
import type { Hash64, Remembered } from "../../core/records.ts";
import { seedsBy } from "../../core/seed.ts";
import type { Backlog, StoredCandidate, Want } from "../backlog.ts";
import { type LinkToStore, noCounts } from "../index.ts";
import type { Run, Site } from "../run.ts";
import type { NewUrl, PageUpdate, SettledVisit, Settlement, VersionToStore } from "../settlement.ts";
import type { Store } from "../store.ts";

/** What a contract test works with. */
export interface Bench {
  /** Another connection to the test's own database. */
  open(): Store;
  /** Makes every run look as if its process had been killed. */
  simulateCrash(): void;
  advanceTime(milliseconds: number): void;
}

export const START = Date.UTC(2026, 0, 1);
export const READER = "reader-1";
export const anything = () => Number.POSITIVE_INFINITY;
export const nothing = () => false;

/** All rows queued for a host, or those that `want` selects. */
export async function queuedFor(backlog: Backlog, host: string, selection: Partial<Want> = {}): Promise<readonly StoredCandidate[]> {
  const [loaded] = await backlog.load([{ host, share: anything, inMemory: nothing, ...selection }]);
  return loaded!;
}

export function hashOf(text: string): Hash64 {
  const digest = createHash("sha256").update(text).digest();
  return { hi: digest.readUInt32BE(0), lo: digest.readUInt32BE(4) };
}

export function aNewUrl(url: string, more: Partial<NewUrl> = {}): NewUrl {
  return {
    ...{ url, key: url, hash: hashOf(more.key ?? url), host: new URL(url).host, kind: "page", depth: 1, hops: 0, via: "link" },
    ...{ parent: undefined, siteId: 1, level: 0, priority: 0, verdict: "queued", reason: "ok", rule: "", parentId: undefined },
    ...more,
  };
}

export const aLink = (url: string, position = 0, text = "", matches: LinkToStore["matches"] = []): LinkToStore => {
  return { url, key: url, hash: hashOf(url), kind: "a", text, title: "", heading: "", block: "", rel: "", position, matches };
};

/** Hashes first, then one byte per link. */
function anIndex(links: readonly LinkToStore[]): Uint8Array {
  const hashes = Uint32Array.from(links.flatMap(({ hash }) => [hash.hi, hash.lo]));
  return Buffer.concat([Buffer.from(hashes.buffer), Buffer.alloc(links.length)]);
}

export function aVersion(text: string, links: readonly LinkToStore[] = [], more: Partial<VersionToStore> = {}): VersionToStore {
  const data = brotliCompressSync(Buffer.from(text));
  const print = (value: string) => createHash("sha256").update(value).digest("hex").slice(0, 16);
  return {
    fingerprint: { text: print(text), links: print(links.map(({ url }) => url).join(" ")), simhash: print(`simhash of ${text}`) },
    ...{ metadata: { title: { value: text, source: "title" } }, canonical: undefined, noindex: false, nofollow: false },
    ...{
      type: "html",
      charset: "utf-8",
      wordCount: 3,
      linkCount: links.length,
      packedLinks: Buffer.from(JSON.stringify(links)),
      linkIndex: anIndex(links),
      links,
    },
    body: { hash: print(`body of ${text}`), size: text.length, coding: "br", data },
    ...more,
  };
}

export function aPage(version: VersionToStore | undefined, more: Partial<PageUpdate> = {}): PageUpdate {
  return {
    ...{
      status: 200,
      change: "new",
      contentType: "text/html",
      bytes: 10,
      duration: 5,
      etag: '"1"',
      lastModified: undefined,
      fromCache: false,
    },
    ...{ movedTo: undefined, duplicateOf: undefined, nearDuplicateOf: undefined, version, reader: READER },
    ...more,
  };
}

export function aVisit(candidate: StoredCandidate, more: Partial<SettledVisit> = {}): SettledVisit {
  return {
    ...{ candidate, depth: candidate.depth, verdict: "fetched", reason: "ok", rule: "", status: 200, isRetry: false, attempts: 0 },
    ...{ target: undefined, page: undefined, remembered: undefined },
    ...more,
  };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A store with a site and a run, and helpers that do what a crawl does. */
export async function aRun(store: Store, url = "http://a.test/") {
  const site: Site = await store.site(url, url);
  const run: Run = await store.startRun({ sites: [site], seeds: seedsBy("person", [url]), options: {}, at: Date.now() });
  const settle = (parts: Partial<Settlement>) =>
    store.settle({
      runId: run.id,
      at: Date.now(),
      visits: [],
      heard: [],
      again: [],
      more: [],
      hosts: [],
      counters: noCounts(),
      state: {},
      ...parts,
    });
  const addUrls = async (...heard: readonly NewUrl[]): Promise<StoredCandidate[]> => {
    const { heardIds } = await settle({ heard: heard.map((one) => ({ ...one, siteId: site.id })) });
    return heard.map((one, index) => ({ ...one, siteId: site.id, id: heardIds[index]!, attempts: 0 }));
  };
  const visit = async (candidate: StoredCandidate, update: PageUpdate, remembered?: Remembered) => {
    const { pages } = await settle({ visits: [aVisit(candidate, { page: update, remembered })] });
    return pages[0]?.();
  };
  /** Adds a page to the ledger and settles a visit to it. */
  const storePage = async (pageUrl: string, version: VersionToStore | undefined, more: Partial<PageUpdate> = {}) => {
    const [candidate] = await addUrls(aNewUrl(pageUrl));
    const remembered = await store.findStored([site.id], hashOf(pageUrl), READER);
    return visit(candidate!, aPage(version, more), remembered);
  };
  const end = (status: "finished" | "stopped" = "finished") =>
    store.endRun(run.id, {
      status,
      stopReason: status === "finished" ? "finished" : "stopped",
      at: Date.now(),
      counters: noCounts(),
      state: {},
    });
  const ledger = async (...urls: readonly string[]) => store.ledgerRows(run.id, urls.map(hashOf));
  return { store, site, run, backlog: store.backlog(run.id), settle, hear: addUrls, visit, keep: storePage, end, ledger };
}
