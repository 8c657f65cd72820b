import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { Pack } from "../context/index.ts";
import type { CrawlEvent } from "../crawl/index.ts";
import type { Change, Page, Reason } from "../records.ts";
import type { NamedBy, Seed } from "../seed.ts";
import type { Site } from "../store/index.ts";
import { type NamingPage, openRobots, type RankedLink, rankLinks } from "./context-links.ts";
import { type FoundPage, verdictWords } from "./context-pages.ts";
import { type LookSetup, lookAt, type PageLook } from "./page-looks.ts";
import type { Look } from "./passing-run.ts";
import { refusedUses } from "./refused-uses.ts";

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
  readonly onStart?: ((look: Look) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Progress events of making a context. */
export type ContextNews =
  | { readonly type: "links"; readonly chosen: readonly RankedLink[] }
  | { readonly type: "page"; readonly url: string; readonly change: Change; readonly relevance: number }
  | { readonly type: "failed"; readonly url: string; readonly reason: string; readonly rule: string }
  | { readonly type: "notice"; readonly text: string };

/** Why there is no context: its first page could not be fetched. */
export interface LostContext {
  readonly url: string;
  readonly reason: Reason;
  readonly rule: string;
}

export type FailedLink = Pack["failed"][number];

/** Limits how many links are tried per wanted page, because closed links and links to known pages are replaced by the next best. */
const MOST_TRIES = 4;

/** Finds the pages of a context: its root, then the links that explain it, level by level. */
export class Gathering {
  readonly #app: App;
  readonly #request: ContextRequest;
  readonly #setup: LookSetup;
  readonly #root: Seed;
  readonly #found: FoundPage[] = [];
  readonly #failed: FailedLink[] = [];
  readonly #tried = new Set<string>();
  readonly #chosen = new Map<string, number>();
  readonly #closedBy: (url: string) => Promise<string | undefined>;
  #left: number;

  constructor(app: App, request: ContextRequest, site: Site, root: Seed) {
    this.#app = app;
    this.#request = request;
    this.#root = root;
    this.#left = request.maxLinks;
    this.#closedBy = openRobots(app, request.config);
    const { config, signal, onStart = () => undefined } = request;
    this.#setup = { kind: "context", site, config, root, emit: (event) => this.#tell(event), onStart, signal };
  }

  async gather(): Promise<{ readonly found: readonly FoundPage[]; readonly failed: readonly FailedLink[] } | LostContext> {
    const [root] = await lookAt(this.#app, [this.#root.url], this.#setup);
    if (!root!.page) return { url: this.#root.url, reason: root!.reason, rule: root!.rule };
    this.#take({ page: root!.page, relevance: 1, anchor: "" });
    await this.#tellOddities(root!.page);
    const { follow, config } = this.#request;
    let level: readonly NamingPage[] = this.#found;
    for (let depth = 1; follow && depth <= config.maxDepth && level.length > 0 && this.#left > 0; depth += 1)
      level = await this.#follow(level);
    const [first, ...linked] = this.#found;
    return { found: [first!, ...linked.sort((a, b) => b.relevance - a.relevance)], failed: this.#failed };
  }

  /** Follows the best links of these pages. A link that robots.txt closes or that leads to a known page is replaced by the next best. */
  async #follow(pages: readonly NamingPage[]): Promise<FoundPage[]> {
    const { config, minScore, onNews } = this.#request;
    const rootUrl = this.#found[0]!.page.url;
    const ranked = (await rankLinks(this.#app, pages, { config, rootUrl, minScore })).filter(({ key }) => !this.#tried.has(key));
    const taken: FoundPage[] = [];
    if (ranked.length === 0 && this.#found.length === 1) await this.#tellWhyAlone();
    for (;;) {
      const chosen = await this.#choose(ranked);
      if (chosen.length === 0) return taken;
      for (const { url, relevance } of chosen) this.#chosen.set(url, relevance);
      onNews?.({ type: "links", chosen });
      const looks = await lookAt(
        this.#app,
        chosen.map(({ url }) => url),
        this.#setup,
      );
      for (const [at, look] of looks.entries()) taken.push(...this.#settle(chosen[at]!, look));
    }
  }

  async #choose(ranked: RankedLink[]): Promise<RankedLink[]> {
    const chosen: RankedLink[] = [];
    while (chosen.length < this.#left && ranked.length > 0 && this.#tried.size < MOST_TRIES * this.#request.maxLinks) {
      const link = ranked.shift()!;
      this.#tried.add(link.key);
      const rule = await this.#closedBy(link.url);
      if (rule === undefined) chosen.push(link);
      else this.#fail(link, "robots.disallow", rule);
    }
    return chosen;
  }

  #settle(link: RankedLink, look: PageLook): FoundPage[] {
    const { page } = look;
    if (page && this.#found.some((known) => known.page.id === page.id)) return [];
    if (!page && look.reason.startsWith("robots.")) {
      this.#fail(link, look.reason, look.rule);
      return [];
    }
    this.#left -= 1;
    if (page) return [this.#take({ page, relevance: link.relevance, anchor: link.anchor })];
    this.#fail(link, look.reason, look.rule);
    return [];
  }

  /** A page reached by a redirect has the relevance of its link. */
  #tell(event: CrawlEvent): void {
    if (event.type !== "page.fetched") return;
    const { url, parentUrl, change } = event.page;
    const relevance = this.#chosen.get(url) ?? this.#chosen.get(parentUrl ?? "") ?? 1;
    this.#request.onNews?.({ type: "page", url, change, relevance });
  }

  #take(found: FoundPage): FoundPage {
    this.#found.push(found);
    return found;
  }

  #fail({ url, relevance }: RankedLink, reason: string, rule: string): void {
    this.#failed.push({ url, relevance, reason, rule });
    this.#request.onNews?.({ type: "failed", url, reason, rule });
  }

  /** Notes for the caller about the root page: refused uses, or a verdict such as a login wall. */
  async #tellOddities({ url, verdict }: Page): Promise<void> {
    const refusal = await refusedUses(this.#app, url, this.#request.config.userAgent);
    if (refusal !== undefined) this.#note(refusal);
    if (verdict !== null && verdict !== "ok") this.#note(`${url} ${verdictWords[verdict]}`);
  }

  async #tellWhyAlone(): Promise<void> {
    const { url, id } = this.#found[0]!.page;
    const { config, minScore } = this.#request;
    const isClosed = config.respectRobots && (await this.#app.store.packedLinks(id))?.nofollow;
    this.#note(
      isClosed
        ? `${url} says nofollow: its links are left alone`
        : `${url} has no link of relevance ${minScore} or more: --min-score takes less`,
    );
  }

  #note(text: string): void {
    this.#request.onNews?.({ type: "notice", text });
  }
}
