import { hostOf, originOf } from "../../analysis/url/index.ts";
import type { Fetched, Reason, Via } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { GateVerdict, Queued } from "../../engine/frontier/index.ts";
import type { Store } from "../../store/index.ts";
import { checkCrawl } from "../crawl/crawl.ts";
import { type GetProgress, type Headers, hostWaitReason, startTemporaryRun, type TemporaryRun } from "../crawl/temporary-run.ts";
import { type Estimate, estimate } from "./estimate.ts";
import { type RobotsVerdict, robotsVerdicts } from "./robots-verdict.ts";

/** What a crawl would do. Requests only robots.txt, the sitemaps and the seeds, and applies the crawl's own rules. */
export interface Preview {
  readonly seeds: readonly SeedPreview[];
  readonly robots: readonly RobotsVerdict[];
  readonly sitemaps: readonly { readonly url: string; readonly status: number | null; readonly urls: number }[];
  /** Number of sitemaps that were named but not fetched, because the limit was reached. */
  readonly unreadSitemaps: number;
  /** Number of discovered URLs that would be fetched, and the first of them, in crawl order. */
  readonly wanted: number;
  readonly first: readonly { readonly url: string; readonly depth: number; readonly via: Via; readonly isRobotsKnown: boolean }[];
  /** Why the others would not be fetched, most frequent reason first. */
  readonly skipped: readonly Skipped[];
  readonly estimate: Estimate;
  readonly limits: Limits;
  /** At least one seed seems to need a browser. */
  readonly looksScripted: boolean;
  readonly requests: number;
}

/** The crawl's limits; null if unlimited. */
export interface Limits {
  readonly scope: Config["scope"];
  readonly maxDepth: number | null;
  readonly maxPages: number | null;
  readonly maxTimeMs: number | null;
  readonly maxBytes: number | null;
  readonly maxConcurrent: number;
  readonly perHost: number;
  readonly delayMs: number;
}

export interface SeedPreview {
  readonly url: string;
  readonly finalUrl: string;
  readonly redirects: readonly string[];
  readonly ok: boolean;
  readonly reason: Reason;
  readonly rule: string;
  readonly status: number | null;
  readonly contentType: string | null;
  readonly date: string | null;
}

export interface Skipped {
  readonly reason: Reason;
  readonly urls: number;
  readonly examples: readonly { readonly url: string; readonly rule: string }[];
}

/** Limit of fetched sitemaps. An index can name thousands, and this is only a preview. */
const MAX_SITEMAPS = 20;
const MAX_SHOWN_URLS = 50;
const MAX_EXAMPLES = 3;
const NO_LIMITS = { maxPages: Number.POSITIVE_INFINITY, maxTime: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

export interface PreviewInput {
  readonly seeds: readonly Seed[];
  readonly config: Config;
  readonly onStart?: ((look: GetProgress) => void) | undefined;
}

export async function preview(app: App, given: PreviewInput): Promise<Preview> {
  const { config } = given;
  const checked = checkCrawl(given.seeds, config);
  const seeds = checked.map(({ url }) => url);
  const responses = new Map<string, { fetched: Fetched; headers: Headers }>();
  const first: Preview["first"][number][] = [];
  const perHost = new Map<string, number>();
  const sitemaps = new Set<string>();
  let [unreadSitemaps, requests] = [0, 0];

  const mustHoldBack = (candidate: Queued, verdict: GateVerdict): boolean => {
    if (candidate.kind === "sitemap") {
      if (verdict.kind === "go" && sitemaps.size >= MAX_SITEMAPS) unreadSitemaps += 1;
      else if (verdict.kind === "go") sitemaps.add(candidate.url);
      return verdict.kind === "go" && !sitemaps.has(candidate.url);
    }
    if (candidate.depth === 0 && (candidate.via === "seed" || candidate.via === "redirect")) return false;
    if (verdict.kind === "refused") return true;
    perHost.set(candidate.host, (perHost.get(candidate.host) ?? 0) + 1);
    const { url, depth, via } = candidate;
    if (first.length < MAX_SHOWN_URLS) first.push({ url, depth, via, isRobotsKnown: verdict.kind === "go" });
    return true;
  };
  const run = await startTemporaryRun(app, {
    seeds: checked,
    // The limits are for the crawl, not for its preview.
    config: { ...config, ...NO_LIMITS, render: "never", save: [], decisions: "full", readers: 1 },
    holdsBack: mustHoldBack,
    onFetched: (ask, fetched, headers) => {
      requests += 1;
      if (ask.accept !== "robots") responses.set(ask.url, { fetched, headers });
    },
  });
  given.onStart?.(run.control.progress);
  try {
    const result = await run.control.result;
    const seedResults = result.seeds.map((seedResult) =>
      seedResult.verdict === "queued" ? { ...seedResult, ...hostWaitReason(run, seedResult.url) } : seedResult,
    );
    const previews = seeds.map((url) => seedPreview(url, responses, seedResults));
    const origins = new Set(previews.flatMap(({ url, finalUrl, redirects }) => [url, ...redirects, finalUrl]).map(originOf));
    const robots = await robotsVerdicts(run.store, origins, config, previews);
    for (const { ok, finalUrl } of previews) if (ok) perHost.set(hostOf(finalUrl), (perHost.get(hostOf(finalUrl)) ?? 0) + 1);
    return {
      seeds: previews,
      robots,
      sitemaps: await sitemapsRead(run, [...sitemaps], responses),
      unreadSitemaps,
      wanted: [...perHost.values()].reduce((sum, urls) => sum + urls, 0),
      first,
      skipped: await skippedIn(run.store, result.runId),
      estimate: estimate(perHost, robots, config),
      limits: limitsOf(config),
      looksScripted: result.stats.scripted > 0,
      requests,
    };
  } finally {
    await run.close();
  }
}

function limitsOf({ scope, maxDepth, maxPages, maxTime, maxBytes, maxConcurrent, perHost, rateLimit }: Config): Limits {
  const finite = (limit: number) => (Number.isFinite(limit) ? limit : null);
  return {
    scope,
    maxDepth: finite(maxDepth),
    maxPages: finite(maxPages),
    maxTimeMs: finite(maxTime),
    maxBytes: finite(maxBytes),
    maxConcurrent,
    perHost,
    delayMs: rateLimit,
  };
}

type Responses = ReadonlyMap<string, { fetched: Fetched; headers: Headers }>;
type SeedResults = readonly { readonly url: string; readonly verdict: string; readonly reason: Reason; readonly rule: string }[];

const statusOf = (fetched: Fetched | undefined) => (fetched !== undefined && "status" in fetched ? (fetched.status ?? null) : null);

function seedPreview(url: string, responses: Responses, seedResults: SeedResults): SeedPreview {
  const redirects: string[] = [];
  let last = responses.get(url);
  while (last?.fetched.kind === "moved" && redirects.length < 10) {
    redirects.push(last.fetched.location);
    last = responses.get(last.fetched.location);
  }
  const { reason, rule } = seedResults.find((seedResult) => seedResult.url === url) ?? { reason: "duplicate.url" as const, rule: "" };
  const header = (name: string) => last?.headers.find(([known]) => known === name)?.[1] ?? null;
  const ok = last?.fetched.kind === "body";
  return {
    url,
    finalUrl: redirects.at(-1) ?? url,
    redirects,
    ok,
    reason: ok ? "ok" : reason,
    rule: ok ? "" : rule,
    status: statusOf(last?.fetched),
    contentType: header("content-type"),
    date: header("date"),
  };
}

async function sitemapsRead(run: TemporaryRun, urls: readonly string[], responses: Responses): Promise<Preview["sitemaps"]> {
  const counts = new Map<string, number>();
  for await (const { via, kind, parentUrl } of run.store.decisions({}))
    if (via === "sitemap" && kind === "page" && parentUrl !== null) counts.set(parentUrl, (counts.get(parentUrl) ?? 0) + 1);
  return urls.map((url) => ({ url, status: statusOf(responses.get(url)?.fetched), urls: counts.get(url) ?? 0 }));
}

/** URLs that were only held back by the preview are not skipped. */
async function skippedIn(store: Store, runId: number): Promise<Skipped[]> {
  const found = new Map<Reason, { urls: number; examples: { url: string; rule: string }[] }>();
  for await (const { url, reason, rule } of store.decisions({ runId, verdict: ["skipped", "deferred"] })) {
    if (reason === "limit.pages") continue;
    const known = found.get(reason) ?? { urls: 0, examples: [] };
    found.set(reason, known);
    known.urls += 1;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push({ url, rule });
  }
  return [...found].map(([reason, skipped]) => ({ reason, ...skipped })).sort((a, b) => b.urls - a.urls);
}
