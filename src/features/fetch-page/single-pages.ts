import { hash64, keyOf, keyOptionsOf } from "../../analysis/url/index.ts";
import type { Page, Reason } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { CrawlEvent } from "../../engine/crawl/index.ts";
import type { LedgerRow, Run, RunKind, Site } from "../../store/index.ts";
import { storedOptions } from "../crawl/crawl.ts";
import { watchHostSettings, watchStopRequest } from "../crawl/run-control.ts";
import { type GetProgress, hostWaitReason, MAX_HOST_WAIT_MS } from "../crawl/temporary-run.ts";

/** A page fetched from this URL, after redirects, or the reason why there is none. */
export type PageResult =
  | { readonly url: string; readonly page: Page }
  | { readonly url: string; readonly page: undefined; readonly reason: Reason; readonly rule: string };

export interface FetchSetup {
  readonly kind: Exclude<RunKind, "crawl">;
  readonly site: Site;
  readonly config: Config;
  /** The seed that was named; no other private host is open. */
  readonly root: Seed;
  readonly emit: (event: CrawlEvent) => void;
  readonly onStart: (look: GetProgress) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Fetches single pages in a run of its own. It is a normal crawl with gate, frontier and settling, so that known pages are requested
 * conditionally and changed pages get a version; but it follows no links, and makes no statement about pages that it did not visit.
 */
export async function fetchPages(app: App, urls: readonly string[], setup: FetchSetup): Promise<PageResult[]> {
  const { kind, site, root, emit, signal } = setup;
  signal?.throwIfAborted();
  const config = await configForPages(app, setup);
  const run = await app.store.startRun({
    kind,
    sites: [site],
    seeds: urls.map((url) => (url === root.url ? root : { url, namedBy: "page" })),
    options: storedOptions(config),
    at: app.world.clock.wall(),
  });
  const hasHistory = await app.store.hasOtherRuns(run);
  const control = await app.crawl(run, config, { isResumed: false, hasHistory, seedsOnly: true, named: [root], emit });
  void watchStopRequest(app, run, control);
  watchHostSettings(app, control);
  const stop = () => control.abort();
  signal?.addEventListener("abort", stop, { once: true });
  setup.onStart(control.progress);
  try {
    await control.result;
    signal?.throwIfAborted();
    const waitReason = (url: string) => hostWaitReason({ control }, url);
    return await Promise.all(urls.map((url) => resultOf(app, run, url, { config, waitReason })));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Options without limits of scope, and with the site's stored keywords, so that the run does not change those. */
async function configForPages({ store }: App, { site, config }: FetchSetup): Promise<Config> {
  const keywords = (await store.links.keywords(site.id)).map(({ word, weight }) => [word, weight] as const);
  return {
    ...config,
    keywords: Object.fromEntries(keywords),
    maxDepth: Number.POSITIVE_INFINITY,
    maxPages: Number.POSITIVE_INFINITY,
    maxWait: Math.min(config.maxWait, MAX_HOST_WAIT_MS),
    sitemap: "off",
    scope: "any",
    include: [],
    exclude: [],
    skipExtensions: [],
    trapGuard: "off",
    types: [...config.types, "application/pdf"],
    save: [...new Set(["raw" as const, ...config.save.filter((what) => what !== "none")])],
    decisions: "full",
    enhance: true,
    fingerprint: "both",
    due: false,
    prune: false,
    llm: undefined,
    readers: 1,
  };
}

/** All redirects were followed, but none led to a page. */
const REDIRECT_LOOP = { reason: "redirect.loop", rule: "redirects in circles" } as const;
const MAX_HOPS = 10;

interface ResultContext {
  readonly config: Config;
  readonly waitReason: (url: string) => { readonly reason: Reason; readonly rule: string };
}

async function resultOf(app: App, run: Run, url: string, { config, waitReason }: ResultContext): Promise<PageResult> {
  const { store } = app;
  let last: LedgerRow | undefined;
  let next: string | undefined = url;
  for (let hop = 0; next !== undefined && hop <= MAX_HOPS; hop += 1) {
    const [row]: readonly (LedgerRow | undefined)[] = await store.ledgerRows(run.id, [
      hash64(keyOf(next, keyOptionsOf(config)), store.hashSeed),
    ]);
    if (!row) break;
    last = row;
    next = row.target;
  }
  if (last?.verdict === "queued") return { url, page: undefined, ...waitReason(last.url) };
  const isThere = last?.pageId !== undefined && (last.verdict === "fetched" || last.verdict === "not-modified");
  const page = isThere ? await store.page({ id: last!.pageId! }) : undefined;
  if (page) return { url, page };
  return { url, page: undefined, ...(last && last.reason !== "ok" ? { reason: last.reason, rule: last.rule } : REDIRECT_LOOP) };
}
