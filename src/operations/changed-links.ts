import type { App } from "../app.ts";
import { unpackLinks } from "../crawl/index.ts";
import type { Hash64, Link } from "../records.ts";
import { isMovingLink, NoiseMemory } from "../recrawl/index.ts";
import type { Version } from "../store/index.ts";
import type { LinkScorer } from "./link-scores.ts";
import type { PageDiff } from "./page-diff.ts";

/** A link target that appeared on, or disappeared from, a site as a whole. */
export interface LinkNews {
  readonly url: string;
  readonly text: string;
  /** A page that links to it or did. */
  readonly page: string;
  readonly score: number;
}

interface Sight {
  readonly link: Link;
  readonly page: string;
  readonly isNews: boolean;
}

/** Finds the links that are new or gone on a site as a whole, not only on one page. */
export class LinkTally {
  readonly #app: App;
  readonly #siteIds: readonly number[];
  readonly #before = new Map<string, Sight>();
  readonly #now = new Map<string, Sight>();
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
        const isNews = shown?.has(link.url) ?? true;
        if (isNews || !into.has(nameOf(link.hash))) into.set(nameOf(link.hash), { link, page: page.url, isNews });
      }
    }
  }

  async news(scorer: LinkScorer, minScore: number): Promise<{ new: LinkNews[]; gone: LinkNews[] }> {
    const came = new Map([...this.#now].filter(([name, { isNews }]) => isNews && !this.#before.has(name)));
    const went = new Map([...this.#before].filter(([name, { isNews }]) => isNews && !this.#now.has(name)));
    if (came.size + went.size > 0) await this.#dropHeldElsewhere(came, went);
    return { new: await this.#scored(came, scorer, minScore), gone: await this.#scored(went, scorer, minScore) };
  }

  /** Removes targets that an unchanged page links to: they existed before and still exist. */
  async #dropHeldElsewhere(...candidates: Map<string, Sight>[]): Promise<void> {
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

  async #scored(sights: Map<string, Sight>, scorer: LinkScorer, minScore: number): Promise<LinkNews[]> {
    const news: LinkNews[] = [];
    const memories = await Promise.all(this.#siteIds.map(async (siteId) => new NoiseMemory(await this.#app.store.noise(siteId, "*"))));
    for (const { link, page } of sights.values()) {
      if (memories.some((memory) => isMovingLink(link, memory))) continue;
      const scores = await Promise.all(this.#siteIds.map((siteId) => scorer(siteId, [link.hash])));
      const score = Math.max(0, ...scores);
      if (score >= minScore) news.push({ url: link.url, text: link.text, page, score });
    }
    return news.sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
  }
}

const nameOf = ({ hi, lo }: Hash64) => `${hi}.${lo}`;
