import type { Pack } from "../../analysis/context/index.ts";
import type { Change, Page, Reason } from "../../core/records.ts";
import type { NamedBy, Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { CrawlEvent } from "../../engine/crawl/index.ts";
import type { Site } from "../../store/index.ts";
import type { GetProgress } from "../crawl/temporary-run.ts";
import { type FetchSetup, fetchPages, type PageResult } from "../fetch-page/single-pages.ts";
import { refusedUses } from "../pages/refused-uses.ts";
import { openRobots, type RankedLink, type RankedPage, rankLinks } from "./context-links.ts";
import { type FoundPage, verdictWords } from "./context-pages.ts";

export interface ContextRequest {
  readonly url: string;
  readonly namedBy: NamedBy;
  /** `maxDepth` and `scope` limit which links are followed; `keywords` raise their relevance. */
  readonly config: Config;
  /** Whether links are followed at all. */
  readonly follow: boolean;
  readonly maxLinks: number;
  /** Least relevance of a followed link, 0–1. */
  readonly minScore: number;
  /** Default size in tokens for later requests that give none. */
  readonly maxTokens?: number | undefined;
  readonly onNews?: ((news: ContextNews) => void) | undefined;
  /** Called at the start of each run, with access to its progress. */
  readonly onStart?: ((result: GetProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Progress events of making a context. */
export type ContextNews =
  | { readonly type: "links"; readonly chosen: readonly RankedLink[] }
  | { readonly type: "page"; readonly url: string; readonly change: Change; readonly relevance: number }
  | { readonly type: "failed"; readonly url: string; readonly reason: string; readonly rule: string }
  | { readonly type: "notice"; readonly text: string };

/** Why there is no context: its first page could not be fetched. */
export interface FailedContext {
  readonly url: string;
  readonly reason: Reason;
  readonly rule: string;
}

export type FailedLink = Pack["failed"][number];

/** Limits how many links are tried per wanted page, because closed links and links to known pages are replaced by the next best. */
const MAX_TRIES_PER_PAGE = 4;

/** Finds the pages of a context: its root, then the links that explain it, level by level. */
export class ContextGatherer {
  readonly #app: App;
  readonly #request: ContextRequest;
  readonly #setup: FetchSetup;
  readonly #root: Seed;
  readonly #found: FoundPage[] = [];
  readonly #failed: FailedLink[] = [];
  readonly #tried = new Set<string>();
  readonly #chosen = new Map<string, number>();
  readonly #robotsRuleFor: (url: string) => Promise<string | undefined>;
  #left: number;

  constructor(app: App, request: ContextRequest, site: Site, root: Seed) {
    this.#app = app;
    this.#request = request;
    this.#root = root;
    this.#left = request.maxLinks;
    this.#robotsRuleFor = openRobots(app, request.config);
    const { config, signal, onStart = () => undefined } = request;
    this.#setup = { kind: "context", site, config, root, emit: (event) => this.#reportEvent(event), onStart, signal };
  }

  async gather(): Promise<{ readonly found: readonly FoundPage[]; readonly failed: readonly FailedLink[] } | FailedContext> {
    const [root] = await fetchPages(this.#app, [this.#root.url], this.#setup);
    if (!root!.page) return { url: this.#root.url, reason: root!.reason, rule: root!.rule };
    this.#addPage({ page: root!.page, relevance: 1, anchor: "" });
    await this.#reportWarnings(root!.page);
    const { follow, config } = this.#request;
    let level: readonly RankedPage[] = this.#found;
    for (let depth = 1; follow && depth <= config.maxDepth && level.length > 0 && this.#left > 0; depth += 1)
      level = await this.#follow(level);
    const [first, ...linked] = this.#found;
    return { found: [first!, ...linked.sort((a, b) => b.relevance - a.relevance)], failed: this.#failed };
  }

  /** Follows the best links of these pages. A link that robots.txt closes or that leads to a known page is replaced by the next best. */
  async #follow(pages: readonly RankedPage[]): Promise<FoundPage[]> {
    const { config, minScore, onNews } = this.#request;
    const rootUrl = this.#found[0]!.page.url;
    const ranked = (await rankLinks(this.#app, pages, { config, rootUrl, minScore })).filter(({ key }) => !this.#tried.has(key));
    const taken: FoundPage[] = [];
    if (ranked.length === 0 && this.#found.length === 1) await this.#reportNoLinks();
    for (;;) {
      const chosen = await this.#choose(ranked);
      if (chosen.length === 0) return taken;
      for (const { url, relevance } of chosen) this.#chosen.set(url, relevance);
      onNews?.({ type: "links", chosen });
      const results = await fetchPages(
        this.#app,
        chosen.map(({ url }) => url),
        this.#setup,
      );
      for (const [at, result] of results.entries()) taken.push(...this.#handleResult(chosen[at]!, result));
    }
  }

  async #choose(ranked: RankedLink[]): Promise<RankedLink[]> {
    const chosen: RankedLink[] = [];
    while (chosen.length < this.#left && ranked.length > 0 && this.#tried.size < MAX_TRIES_PER_PAGE * this.#request.maxLinks) {
      const link = ranked.shift()!;
      this.#tried.add(link.key);
      const rule = await this.#robotsRuleFor(link.url);
      if (rule === undefined) chosen.push(link);
      else this.#fail(link, "robots.disallow", rule);
    }
    return chosen;
  }

  #handleResult(link: RankedLink, result: PageResult): FoundPage[] {
    const { page } = result;
    if (page && this.#found.some((known) => known.page.id === page.id)) return [];
    if (!page && result.reason.startsWith("robots.")) {
      this.#fail(link, result.reason, result.rule);
      return [];
    }
    this.#left -= 1;
    if (page) return [this.#addPage({ page, relevance: link.relevance, anchor: link.anchor })];
    this.#fail(link, result.reason, result.rule);
    return [];
  }

  /** A page reached by a redirect has the relevance of its link. */
  #reportEvent(event: CrawlEvent): void {
    if (event.type !== "page.fetched") return;
    const { url, parentUrl, change } = event.page;
    const relevance = this.#chosen.get(url) ?? this.#chosen.get(parentUrl ?? "") ?? 1;
    this.#request.onNews?.({ type: "page", url, change, relevance });
  }

  #addPage(found: FoundPage): FoundPage {
    this.#found.push(found);
    return found;
  }

  #fail({ url, relevance }: RankedLink, reason: string, rule: string): void {
    this.#failed.push({ url, relevance, reason, rule });
    this.#request.onNews?.({ type: "failed", url, reason, rule });
  }

  /** Notes for the caller about the root page: refused uses, or a verdict such as a login wall. */
  async #reportWarnings({ url, verdict }: Page): Promise<void> {
    const refusal = await refusedUses(this.#app, url, this.#request.config.userAgent);
    if (refusal !== undefined) this.#notify(refusal);
    if (verdict !== null && verdict !== "ok") this.#notify(`${url} ${verdictWords[verdict]}`);
  }

  async #reportNoLinks(): Promise<void> {
    const { url, id } = this.#found[0]!.page;
    const { config, minScore } = this.#request;
    const isClosed = config.respectRobots && (await this.#app.store.packedLinks(id))?.nofollow;
    this.#notify(
      isClosed
        ? `${url} says nofollow: its links are left alone`
        : `${url} has no link of relevance ${minScore} or more: --min-score takes less`,
    );
  }

  #notify(text: string): void {
    this.#request.onNews?.({ type: "notice", text });
  }
}
