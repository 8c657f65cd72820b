import { parseRobots } from "../../../analysis/robots/index.ts";
import { hash64, hostOf, type KeyOptions, originOf, resolve, type ScopeVerdict, type SessionIds } from "../../../analysis/url/index.ts";
import type { Run, Store } from "../../../store/index.ts";
import type { DuePages } from "../due.ts";
import type { Hooks } from "../hooks.ts";
import type { Settler } from "../settle/settler.ts";
import type { Mention, MentionSource } from "./mention.ts";
import { MAX_SITEMAP_LINES } from "./sitemap-limits.ts";

export interface SourcesSetup {
  readonly store: Store;
  readonly run: Run;
  readonly settler: Settler;
  readonly key: KeyOptions;
  readonly sessions: SessionIds | undefined;
  readonly agent: string;
  readonly sitemap: string;
  readonly maxDepth: number;
  readonly scope: (url: string) => ScopeVerdict;
  readonly clock: { wall(): number };
  readonly hooks: Hooks | undefined;
  /** Only the seeds are visited; a known page keeps its depth. */
  readonly seedsOnly: boolean;
}

type SourcedMention = [Mention, MentionSource];

/** Admits URLs that no page names: the seeds, sitemaps from robots.txt, and pages known from earlier runs. */
export class Sources {
  readonly #setup: SourcesSetup;
  readonly #siteIds: readonly number[];

  constructor(setup: SourcesSetup) {
    this.#setup = setup;
    this.#siteIds = setup.run.sites.map(({ id }) => id);
  }

  /** In a run of due pages, seeds that are known pages are visited only when due. */
  async admitSeeds(isDue: boolean): Promise<void> {
    const { run, sitemap, settler, hooks, seedsOnly } = this.#setup;
    const added = (hooks?.seeds ?? []).flatMap((url) => this.#mention(url, { via: "seed", depth: 0, kind: "page" }));
    const seeds = run.seeds.flatMap((url, index) => this.#mention(url, { via: "seed", depth: 0, kind: "page" }, this.#siteIds[index]));
    const named = /^https?:/i.test(sitemap) ? this.#mention(sitemap, { via: "sitemap", depth: 0, kind: "sitemap" }) : [];
    const seedMentions = isDue
      ? await this.#unknown(seeds)
      : seedsOnly
        ? await Promise.all(seeds.map((seed) => this.#withStoredDepth(seed)))
        : seeds;
    await settler.addMentions(await this.#withoutKnown([...seedMentions, ...added, ...named]));
  }

  /** Without those that the run was given before it was resumed: hearing them again would count as one more mention. */
  async #withoutKnown(mentions: readonly SourcedMention[]): Promise<SourcedMention[]> {
    const { store, run } = this.#setup;
    const rows = await store.ledgerRows(
      run.id,
      mentions.map(([{ hash }]) => hash),
    );
    return mentions.filter((_, index) => rows[index]?.depth !== 0);
  }

  /** Queues the due pages, and the sitemaps, which may report changes of others. */
  async admitDuePages(due: DuePages): Promise<void> {
    const { settler, store, run, agent } = this.#setup;
    const pages: SourcedMention[] = [];
    for await (const { siteId, ...mention } of due.open()) {
      pages.push([mention, { id: undefined, url: undefined, siteId }]);
      if (pages.length >= 500) await settler.addMentions(pages.splice(0));
    }
    await settler.addMentions(pages);
    for (const origin of new Set(run.seeds.map(originOf))) {
      const robots = await store.robots(origin);
      if (robots) await this.admitSitemaps(origin, parseRobots(Buffer.from(robots.text, "latin1"), agent).sitemaps);
    }
  }

  /** Sitemap URLs enter at depth 1, so sitemaps are not read if only the seeds are wanted. */
  async admitSitemaps(origin: string, urls: readonly string[]): Promise<void> {
    const { sitemap, maxDepth, scope, settler, key } = this.#setup;
    const isWanted = (sitemap === "auto" || sitemap === "only") && maxDepth > 0;
    if (!isWanted || !scope(`${origin}/`).ok) return;
    const mentions = urls.flatMap((url, at) =>
      this.#mention(resolve(url, origin, key)?.url ?? "", {
        via: "sitemap",
        depth: 0,
        kind: "sitemap",
        isSurplus: at >= MAX_SITEMAP_LINES,
      }),
    );
    if (mentions.length > 0) await settler.addMentions(mentions);
  }

  /**
   * Queues a probe for each page that earlier runs knew and nothing named in this one: it is unlinked or gone. Pages now out of scope or
   * refused become `unknown`.
   */
  async probeUnmentioned(): Promise<{ probes: number; unknown: number }> {
    const { store, run, settler, maxDepth, scope, clock, hooks } = this.#setup;
    const counts = { probes: 0, unknown: 0 };
    const probes: SourcedMention[] = [];
    const unknown: { pageId: number; rule: string }[] = [];
    const flush = async () => {
      counts.probes += probes.length;
      await settler.addMentions(probes.splice(0));
      counts.unknown += await store.markUnknown(run.id, unknown.splice(0), clock.wall());
    };
    for await (const { pageId, url, depth, siteId, refusedBy } of store.undiscoveredPages(run.id, this.#siteIds)) {
      const isWanted = refusedBy === undefined && depth <= maxDepth && scope(url).ok && !hooks?.filter?.(url, undefined);
      const wanted = isWanted ? this.#mention(url, { via: "probe", depth, kind: "page" }, siteId) : [];
      if (wanted.length === 0) unknown.push({ pageId, rule: refusedBy || "no longer in scope" });
      probes.push(...wanted);
      if (probes.length + unknown.length >= 500) await flush();
    }
    await flush();
    return counts;
  }

  async #withStoredDepth([mention, source]: SourcedMention): Promise<SourcedMention> {
    const page = await this.#setup.store.observationsOf(this.#siteIds, mention.hash);
    return [page ? { ...mention, via: "due", depth: page.depth } : mention, source];
  }

  async #unknown(mentions: readonly SourcedMention[]): Promise<SourcedMention[]> {
    const pages = await Promise.all(mentions.map(([{ hash }]) => this.#setup.store.observationsOf(this.#siteIds, hash)));
    return mentions.filter((_, index) => pages[index] === undefined);
  }

  #mention(url: string, given: Pick<Mention, "via" | "depth" | "kind" | "isSurplus">, siteId = this.#siteIds[0]!): SourcedMention[] {
    const { key, sessions, store } = this.#setup;
    const resolved = resolve(url, undefined, sessions?.keyOptions(hostOf(url), key) ?? key);
    if (!resolved) return [];
    const hash = hash64(resolved.key, store.hashSeed);
    const mention = { ...given, url: resolved.url, key: resolved.key, hash, hops: 0, lastmod: undefined, isNofollow: false };
    return [[mention, { id: undefined, url: undefined, siteId }]];
  }
}
