import type { App } from "../app.ts";
import type { Config, Layer } from "../config/index.ts";
import { consolidate, type Pack, type PackPage } from "../context/index.ts";
import { type CrawlEvent, packText, unpackText } from "../crawl/index.ts";
import type { Change, Reason } from "../records.ts";
import { contentSignals, productTokenOf } from "../robots/index.ts";
import type { ContextMark, Site } from "../store/index.ts";
import { originOf } from "../url/index.ts";
import { closedBy, type NamingPage, type RankedLink, rankLinks } from "./context-links.ts";
import { type LookSetup, lookAt, type PageLook } from "./context-looks.ts";
import { type FoundPage, type Reading, type ReadPage, readPages } from "./context-pages.ts";
import { checkCrawl } from "./crawl.ts";
import type { Look } from "./passing-run.ts";

/** What a context begins with; whatever is said elsewhere beats it. */
export const contextLayer: Layer = { from: "nuthatch context", values: { preset: "context", scope: "domain" } };

export interface ContextRequest {
  readonly url: string;
  /** Of it `maxDepth` and `scope` say how far links are followed, and `keywords` what makes them more relevant. */
  readonly config: Config;
  /** Whether links are followed at all. */
  readonly follow: boolean;
  readonly maxLinks: number;
  /** Relevance that a link must reach, 0–1. */
  readonly minScore: number;
  readonly onNews?: ((news: ContextNews) => void) | undefined;
  /** Told of each run, with what can be seen of it. */
  readonly onStart?: ((look: Look) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What happens while a context is made. */
export type ContextNews =
  | { readonly type: "links"; readonly chosen: readonly RankedLink[] }
  | { readonly type: "page"; readonly url: string; readonly change: Change; readonly relevance: number }
  | { readonly type: "failed"; readonly url: string; readonly reason: string; readonly rule: string }
  | { readonly type: "notice"; readonly text: string };

/** What became of the pages of a context since it was made last. */
export interface ContextChanges {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  /** Those that belong to it no more. */
  readonly gone: readonly string[];
  readonly same: number;
}

export interface MadeContext {
  readonly id: number;
  readonly uid: string;
  readonly url: string;
  readonly madeAt: string;
  readonly pack: Pack;
  /** Null for the first. */
  readonly changes: ContextChanges | null;
}

/** Why there is none: its first page could not be had. */
export interface LostContext {
  readonly url: string;
  readonly reason: Reason;
  readonly rule: string;
}

type Failed = Pack["failed"][number];

interface Kept extends Reading {
  readonly failed: readonly Failed[];
}

/** Makes the context of an address, or makes it anew: of pages that are known only what changed is fetched and read again. */
export async function makeContext(app: App, request: ContextRequest): Promise<MadeContext | LostContext> {
  const [seed] = checkCrawl([request.url], request.config);
  const site = await app.store.site(seed!.url, seed!.key);
  const options = optionsOf(request);
  const stored = await app.store.contexts.of(seed!.url, options);
  const before = stored && (JSON.parse(unpackText(stored.pack)) as Kept);
  const gathered = await new Gathering(app, request, site, seed!.url).gather();
  if ("reason" in gathered) return gathered;
  const { reader, pages } = await readPages(app, gathered.found, { config: request.config, before });
  const [root] = pages;
  if (!root || !("read" in root)) return { url: seed!.url, reason: "type", rule: root && "rule" in root ? root.rule : "there is no text" };
  const unread = pages.flatMap((page) => ("read" in page ? [] : [failedPage(page.found, page)]));
  for (const { url, reason, rule } of unread) request.onNews?.({ type: "failed", url, reason, rule });
  const kept: Kept = {
    reader,
    pages: pages.flatMap((page) => ("read" in page ? [page.read] : [])),
    failed: [...gathered.failed, ...unread],
  };
  const madeAt = app.world.clock.wall();
  const mark = await app.store.contexts.save({ siteId: site.id, url: seed!.url, options, pack: packText(JSON.stringify(kept)), madeAt });
  return { ...madeOf(mark, kept), changes: before ? changesOf(before, kept) : null };
}

/** What chooses the pages: whoever asks with others makes another context. */
function optionsOf({ config, follow, maxLinks, minScore }: ContextRequest): string {
  const { maxDepth, scope, include, exclude, keywords } = config;
  return JSON.stringify(follow ? { maxLinks, minScore, maxDepth, scope, include, exclude, keywords } : { follow });
}

const failedPage = ({ page, relevance }: FoundPage, { reason, rule }: { reason: string; rule: string }): Failed => ({
  url: page.url,
  relevance,
  reason,
  rule,
});

function madeOf({ id, uid, url, madeAt }: ContextMark, { pages, failed }: Kept): Omit<MadeContext, "changes"> {
  const [root, ...linked] = pages.map(({ page }) => page) as [PackPage, ...PackPage[]];
  return { id, uid, url, madeAt: new Date(madeAt).toISOString(), pack: consolidate(root, linked, failed) };
}

function changesOf(before: Kept, now: Kept): ContextChanges {
  const versions = new Map(before.pages.map(({ page, versionId }) => [page.url, versionId]));
  const urls = (pages: readonly ReadPage[]) => pages.map(({ page }) => page.url);
  const stays = new Set(urls(now.pages));
  const known = now.pages.filter(({ page }) => versions.has(page.url));
  const changed = known.filter(({ page, versionId }) => versions.get(page.url) !== versionId);
  return {
    new: urls(now.pages.filter(({ page }) => !versions.has(page.url))),
    changed: urls(changed),
    gone: [...versions.keys()].filter((url) => !stays.has(url)),
    same: known.length - changed.length,
  };
}

/** Finds the pages of a context: its root, then the links that explain it, level by level. */
class Gathering {
  readonly #app: App;
  readonly #request: ContextRequest;
  readonly #setup: LookSetup;
  readonly #root: string;
  readonly #found: FoundPage[] = [];
  readonly #failed: Failed[] = [];
  readonly #tried = new Set<string>();
  readonly #chosen = new Map<string, number>();
  #left: number;

  constructor(app: App, request: ContextRequest, site: Site, root: string) {
    this.#app = app;
    this.#request = request;
    this.#root = root;
    this.#left = request.maxLinks;
    const { config, signal, onStart = () => undefined } = request;
    this.#setup = { site, config, typed: root, emit: (event) => this.#tell(event), onStart, signal };
  }

  async gather(): Promise<{ readonly found: readonly FoundPage[]; readonly failed: readonly Failed[] } | LostContext> {
    const [root] = await lookAt(this.#app, [this.#root], this.#setup);
    if (!root!.page) return { url: this.#root, reason: root!.reason, rule: root!.rule };
    this.#take({ page: root!.page, relevance: 1, anchor: "" });
    await this.#tellSignals(root!.page.url);
    const { follow, config } = this.#request;
    let level: readonly NamingPage[] = this.#found;
    for (let depth = 1; follow && depth <= config.maxDepth && level.length > 0 && this.#left > 0; depth += 1)
      level = await this.#follow(level);
    const [first, ...linked] = this.#found;
    return { found: [first!, ...linked.sort((a, b) => b.relevance - a.relevance)], failed: this.#failed };
  }

  /** The best links of some pages. Where robots.txt closes one, or it leads to a page that is there already, the next best takes its place. */
  async #follow(pages: readonly NamingPage[]): Promise<FoundPage[]> {
    const { config, minScore, onNews } = this.#request;
    const rootUrl = this.#found[0]!.page.url;
    const ranked = (await rankLinks(this.#app, pages, { config, rootUrl, minScore })).filter(({ key }) => !this.#tried.has(key));
    const taken: FoundPage[] = [];
    while (this.#left > 0 && ranked.length > 0) {
      const chosen = await this.#choose(ranked);
      if (chosen.length === 0) break;
      for (const { url, relevance } of chosen) this.#chosen.set(url, relevance);
      onNews?.({ type: "links", chosen });
      const looks = await lookAt(
        this.#app,
        chosen.map(({ url }) => url),
        this.#setup,
      );
      for (const [at, look] of looks.entries()) taken.push(...this.#settle(chosen[at]!, look));
    }
    return taken;
  }

  async #choose(ranked: RankedLink[]): Promise<RankedLink[]> {
    const chosen: RankedLink[] = [];
    while (chosen.length < this.#left && ranked.length > 0) {
      const link = ranked.shift()!;
      this.#tried.add(link.key);
      const rule = await closedBy(this.#app, link.url, this.#request.config);
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

  /** A page that came by a redirect is worth what its link was. */
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

  /** A site may say that what it shows is not for models: whoever asks is told, and decides. */
  async #tellSignals(url: string): Promise<void> {
    const { userAgent = "nuthatch" } = this.#request.config;
    const stored = await this.#app.store.robots(originOf(url));
    const signals = contentSignals(stored?.text ?? "", productTokenOf(userAgent));
    const refused = ["ai-input", "ai-train"].filter((use) => signals.get(use) === false);
    if (refused.length === 0) return;
    const text = `${originOf(url)}/robots.txt says Content-Signal: ${refused.map((use) => `${use}=no`).join(", ")}: it does not want ${refused.map((use) => uses[use]).join(" or ")}`;
    this.#request.onNews?.({ type: "notice", text });
  }
}

const uses: Readonly<Record<string, string>> = {
  "ai-input": "its text given to a model",
  "ai-train": "models trained with it",
};

/** The contexts that are stored, the latest first. */
export const listContexts = ({ store }: App): Promise<readonly ContextMark[]> => store.contexts.list();

/** A stored context as it was made last: nothing is asked of anybody. */
export async function storedContext({ store }: App, id: number): Promise<MadeContext | undefined> {
  const stored = await store.contexts.get(id);
  return stored && { ...madeOf(stored, JSON.parse(unpackText(stored.pack)) as Kept), changes: null };
}

/** Answers whether there was one. Its pages stay. */
export const removeContext = ({ store }: App, id: number): Promise<boolean> => store.contexts.remove(id);
