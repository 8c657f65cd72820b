import { consolidate, type Pack, type PackPage } from "../../analysis/context/index.ts";
import type { App } from "../../engine/app.ts";
import { type Layer, SetupError } from "../../engine/config/index.ts";
import { packText, unpackText } from "../../engine/crawl/index.ts";
import type { ContextInfo } from "../../store/index.ts";
import { checkCrawl } from "../crawl/crawl.ts";
import { ContextGatherer, type ContextRequest, type FailedContext, type FailedLink } from "./context-gatherer.ts";
import { type FoundPage, type Reading, type ReadPage, readPages } from "./context-pages.ts";

export type { ContextNews, ContextRequest, FailedContext as LostContext } from "./context-gatherer.ts";

/** Defaults of a context; every other source of options overrides them. */
export const contextLayer: Layer = { from: "nuthatch context", values: { preset: "context", scope: "domain" } };

/** Changes since the context was made last. */
export interface ContextChanges {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  /** Pages that no longer belong to it. */
  readonly gone: readonly string[];
  readonly same: number;
}

export interface MadeContext {
  readonly id: number;
  readonly uid: string;
  readonly url: string;
  readonly madeAt: string;
  readonly pack: Pack;
  /** Default size in tokens, if the request gives none. */
  readonly maxTokens: number | undefined;
  /** Null for the first version. */
  readonly changes: ContextChanges | null;
}

interface ContextData extends Reading {
  readonly failed: readonly FailedLink[];
  readonly maxTokens?: number | undefined;
}

/** Makes or updates the context of a URL: of known pages only the changed ones are fetched and read again. */
export async function makeContext(app: App, request: ContextRequest): Promise<MadeContext | FailedContext> {
  checkLimits(request);
  const [seed] = checkCrawl([request], request.config);
  await app.world.checkBrowsers?.(request.config);
  const site = await app.store.site(seed!.url, seed!.key);
  const options = optionsOf(request);
  const stored = await app.store.contexts.find(seed!.url, options);
  const before = stored && (JSON.parse(unpackText(stored.pack)) as ContextData);
  const gathered = await new ContextGatherer(app, request, site, seed!).gather();
  if ("reason" in gathered) return gathered;
  const { reader, pages } = await readPages(app, gathered.found, { config: request.config, root: seed!, before });
  const [root] = pages;
  if (!root || !("read" in root)) return { url: seed!.url, reason: "type", rule: root && "rule" in root ? root.rule : "there is no text" };
  const unread = pages.flatMap((page) => ("read" in page ? [] : [failedPage(page.found, page)]));
  for (const { url, reason, rule } of unread) request.onNews?.({ type: "failed", url, reason, rule });
  for (const { url, hidden } of pages.flatMap((page) => ("read" in page ? [page.read.page] : [])))
    if (hidden !== undefined) request.onNews?.({ type: "notice", text: `${url}: ${hidden} characters of hidden text left out` });
  const data: ContextData = {
    reader,
    pages: pages.flatMap((page) => ("read" in page ? [page.read] : [])),
    failed: [...gathered.failed, ...unread],
    maxTokens: request.maxTokens,
  };
  const madeAt = app.world.clock.wall();
  const mark = await app.store.contexts.save({ siteId: site.id, url: seed!.url, options, pack: packText(JSON.stringify(data)), madeAt });
  return { ...contextOf(mark, data), changes: before ? changesOf(before, data) : null };
}

function checkLimits({ maxLinks, minScore }: ContextRequest): void {
  if (!Number.isSafeInteger(maxLinks) || maxLinks < 0) throw new SetupError(`maxLinks: ${maxLinks} is not a whole number`, "maxLinks: 5");
  if (!(minScore >= 0 && minScore <= 1)) throw new SetupError(`minScore: ${minScore} is not from 0 to 1`, "minScore: 0.4");
}

/** The options that select the pages: other options make another context. */
function optionsOf({ config, follow, maxLinks, minScore }: ContextRequest): string {
  const { maxDepth, scope, include, exclude, keywords } = config;
  return JSON.stringify(follow ? { maxLinks, minScore, maxDepth, scope, include, exclude, keywords } : { follow });
}

const failedPage = ({ page, relevance }: FoundPage, { reason, rule }: { reason: string; rule: string }): FailedLink => ({
  url: page.url,
  relevance,
  reason,
  rule,
});

function contextOf({ id, uid, url, madeAt }: ContextInfo, { pages, failed, maxTokens }: ContextData): Omit<MadeContext, "changes"> {
  const [root, ...linked] = pages.map(({ page }) => page) as [PackPage, ...PackPage[]];
  return { id, uid, url, madeAt: new Date(madeAt).toISOString(), pack: consolidate(root, linked, failed), maxTokens };
}

function changesOf(before: ContextData, now: ContextData): ContextChanges {
  const versions = new Map(before.pages.map(({ page, versionId }) => [page.url, versionId]));
  const urls = (pages: readonly ReadPage[]) => pages.map(({ page }) => page.url);
  const currentUrls = new Set(urls(now.pages));
  const known = now.pages.filter(({ page }) => versions.has(page.url));
  const changed = known.filter(({ page, versionId }) => versions.get(page.url) !== versionId);
  return {
    new: urls(now.pages.filter(({ page }) => !versions.has(page.url))),
    changed: urls(changed),
    gone: [...versions.keys()].filter((url) => !currentUrls.has(url)),
    same: known.length - changed.length,
  };
}

/** The stored contexts, latest first. */
export const listContexts = ({ store }: App): Promise<readonly ContextInfo[]> => store.contexts.list();

/** A stored context as it was last made; makes no requests. */
export async function storedContext({ store }: App, id: number): Promise<MadeContext | undefined> {
  const stored = await store.contexts.get(id);
  return stored && { ...contextOf(stored, JSON.parse(unpackText(stored.pack)) as ContextData), changes: null };
}

/** Returns whether it existed. Its pages are kept. */
export const removeContext = ({ store }: App, id: number): Promise<boolean> => store.contexts.remove(id);
