import { hasChangingToken, NoiseMemory } from "../../analysis/recrawl/index.ts";
import type { Hash64, Link } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { unpackLinks } from "../../engine/crawl/index.ts";
import type { Version } from "../../store/index.ts";
import type { LinkScorer } from "../links/link-scores.ts";
import type { PageDiff } from "./page-diff.ts";

/** A link target that appeared on, or disappeared from, a site as a whole. */
export interface LinkNews {
  readonly url: string;
  readonly text: string;
  /** A page that links to it or did. */
  readonly page: string;
  readonly score: number;
}

interface LinkOccurrence {
  readonly link: Link;
  readonly page: string;
  readonly isChanged: boolean;
}

/** Finds the links that are new or gone on a site as a whole, not only on one page. */
export class LinkChanges {
  readonly #app: App;
  readonly #siteIds: readonly number[];
  readonly #before = new Map<string, LinkOccurrence>();
  readonly #now = new Map<string, LinkOccurrence>();
  readonly #pages = new Set<number>();

  constructor(app: App, siteIds: readonly number[]) {
    this.#app = app;
    this.#siteIds = siteIds;
  }

  /** Adds the links of both versions of a changed page. If there is a diff, only links that it shows can become news. */
  async add(
    page: { readonly pageId: number; readonly url: string },
    [before, now]: readonly (Version | undefined)[],
    diff: PageDiff | null,
  ): Promise<void> {
    this.#pages.add(page.pageId);
    const shown = diff && new Set([...diff.linksAdded, ...diff.linksRemoved].map(({ url }) => url));
    for (const [version, into] of [
      [before, this.#before],
      [now, this.#now],
    ] as const) {
      const packed = version && (await this.#app.store.history.links(version.id));
      for (const link of packed ? unpackLinks(packed, this.#app.store.hashSeed) : []) {
        const isChanged = shown?.has(link.url) ?? true;
        if (isChanged || !into.has(nameOf(link.hash))) into.set(nameOf(link.hash), { link, page: page.url, isChanged });
      }
    }
  }

  async changedLinks(scorer: LinkScorer, minScore: number): Promise<{ new: LinkNews[]; gone: LinkNews[] }> {
    const added = new Map([...this.#now].filter(([name, { isChanged }]) => isChanged && !this.#before.has(name)));
    const removed = new Map([...this.#before].filter(([name, { isChanged }]) => isChanged && !this.#now.has(name)));
    if (added.size + removed.size > 0) await this.#removeStillLinked(added, removed);
    return { new: await this.#scored(added, scorer, minScore), gone: await this.#scored(removed, scorer, minScore) };
  }

  /** Removes targets that an unchanged page links to: they existed before and still exist. */
  async #removeStillLinked(...candidates: Map<string, LinkOccurrence>[]): Promise<void> {
    for await (const { pageId, index } of this.#app.store.history.linkIndexes(this.#siteIds)) {
      if (this.#pages.has(pageId)) continue;
      const count = Math.floor(index.length / 9);
      const hashes = new Uint32Array(index.slice(0, 8 * count).buffer);
      for (let at = 0; at < count; at += 1) {
        const name = `${hashes[2 * at]}.${hashes[2 * at + 1]}`;
        for (const some of candidates) some.delete(name);
      }
    }
  }

  async #scored(occurrences: Map<string, LinkOccurrence>, scorer: LinkScorer, minScore: number): Promise<LinkNews[]> {
    const changedLinks: LinkNews[] = [];
    const memories = await Promise.all(this.#siteIds.map(async (siteId) => new NoiseMemory(await this.#app.store.noise(siteId, "*"))));
    for (const { link, page } of occurrences.values()) {
      if (memories.some((memory) => hasChangingToken(link, memory))) continue;
      const scores = await Promise.all(this.#siteIds.map((siteId) => scorer(siteId, [link.hash])));
      const score = Math.max(0, ...scores);
      if (score >= minScore) changedLinks.push({ url: link.url, text: link.text, page, score });
    }
    return changedLinks.sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
  }
}

const nameOf = ({ hi, lo }: Hash64) => `${hi}.${lo}`;
