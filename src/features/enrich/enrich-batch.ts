import type { Fetched, Reason } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import type { CrawlEvent } from "../../engine/crawl/index.ts";
import type { FetchRequest } from "../../engine/fetch/index.ts";
import type { Spacing } from "../../engine/frontier/index.ts";
import { RedirectTracker } from "../crawl/redirect-tracker.ts";
import { hostWaitReason, REDIRECT_LOOP, startTemporaryRun } from "../crawl/temporary-run.ts";
import { singlePageConfig } from "../fetch-page/one-page.ts";
import { pageByUrl } from "../pages/find.ts";
import { prepareReader, readPage } from "../read-page/page-reader.ts";
import type { EnrichedUrl } from "./enrich.ts";
import { storedMetadata } from "./stored-metadata.ts";

export interface Batch {
  readonly urls: readonly Seed[];
  readonly config: Config;
  /** Maximum concurrent requests. */
  readonly workers: number;
  /** Whether stored metadata may be returned. */
  readonly mayUseStored: boolean;
  readonly spacing: Spacing;
  readonly signal: AbortSignal;
  /** Called with each fetched body, if stored pages are to be updated. */
  readonly keep?: ((body: FreshBody) => Promise<void>) | undefined;
  /** Called once per URL. */
  readonly onResult: (one: EnrichedUrl) => void;
}

export interface FreshBody {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

type UrlResult = Omit<EnrichedUrl, "url">;
type SettledEvent = Extract<CrawlEvent, { type: "url.settled" }>;

/** Fetches a few URLs in a temporary run, which stores nothing. */
export async function enrichBatch(app: App, batch: Batch): Promise<void> {
  const { config, signal } = batch;
  const { cascade, topics } = config;
  const at = () => new Date(app.world.clock.wall()).toISOString();
  const failed = (finalUrl: string, reason: Reason, rule: string, status: number | null = null): UrlResult => {
    return { finalUrl, ok: false, reason, rule, status, fetchedAt: at(), isStored: false, metadata: undefined };
  };
  const tracker = new RedirectTracker<UrlResult>(config, (url, outcome) => batch.onResult({ url, ...outcome }));
  for (const seed of batch.urls) {
    const { url } = seed;
    const stored = batch.mayUseStored ? await storedResult(app, url) : undefined;
    if (stored) batch.onResult({ url, ...stored });
    else if (!tracker.add(seed)) batch.onResult({ url, ...failed(url, "scheme", "it is no address of a page") });
  }
  if (tracker.seeds.length === 0) return;
  const read = async (url: string, { bytes, contentType, status }: Extract<Fetched, { kind: "body" }>) => {
    const fetchedAt = at();
    const given = { body: { url, bytes, contentType }, how: { cascade, topics, now: app.world.clock.wall() } };
    await batch.keep?.({ url, bytes, contentType });
    const result = await readPage(app, "metadata", given, [bytes], signal);
    if ("error" in result) tracker.end(url, failed(url, "parse", result.error, status));
    else if (result.answer)
      tracker.end(url, { finalUrl: url, ok: true, reason: "ok", rule: "", status, fetchedAt, isStored: false, metadata: result.answer });
    else tracker.end(url, failed(url, "type", `${contentType ?? "what came"} is not text`, status));
  };
  const reading = new Set<Promise<void>>();
  /** Pages whose result comes from the reader, not from the run. */
  const fetchedUrls = new Set<string>();
  const onFetched = ({ url, accept }: FetchRequest, fetched: Fetched) => {
    if (accept !== "page") return;
    if (fetched.kind === "moved") tracker.moved(url, fetched.location);
    if (fetched.kind !== "body") return;
    fetchedUrls.add(url);
    // The caller that aborted does not need the rejection of a read.
    const one = read(url, fetched).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
    reading.add(one);
    void one.finally(() => reading.delete(one)).catch(() => undefined);
  };
  /** Limits the bodies that wait for a reader, because they take memory. */
  const waitForReader = () => (reading.size > batch.workers ? Promise.race(reading) : undefined);
  const emit = (event: CrawlEvent) => {
    if (event.type === "url.settled" && isFinal(event) && !fetchedUrls.has(event.url))
      tracker.end(event.url, failed(event.url, event.reason, event.rule, event.status ?? null));
  };
  // Politeness counts from the answer: with one request at a time per host, waiting for other hosts cannot shorten the delay.
  const batchConfig = { ...singlePageConfig(config, false), maxConcurrent: batch.workers, perHost: 1 };
  const run = await startTemporaryRun(app, {
    seeds: tracker.seeds,
    config: batchConfig,
    onFetched,
    emit,
    spacing: batch.spacing,
    readsNothing: true,
    mayGoOn: waitForReader,
  });
  prepareReader(app);
  const stop = () => run.control.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { seeds } = await run.control.result;
    await Promise.all(reading);
    if (signal.aborted) return;
    for (const { seed: url, last } of tracker.open()) {
      const outcome = seeds.find((seed) => seed.url === url);
      const { reason, rule } =
        outcome?.verdict === "queued" ? hostWaitReason(run, last) : outcome && outcome.reason !== "ok" ? outcome : REDIRECT_LOOP;
      tracker.end(last, failed(last, reason, rule));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await run.close();
  }
}

async function storedResult(app: App, given: string): Promise<UrlResult | undefined> {
  const page = await pageByUrl(app, given.trim());
  if (!page) return undefined;
  const stored = await storedMetadata(app, page);
  if (!stored?.isCurrent) return undefined;
  const { url: finalUrl, status, fetchedAt } = page;
  return { finalUrl, ok: true, reason: "ok", rule: "", status, fetchedAt, isStored: true, metadata: stored.metadata };
}

const isFinal = ({ verdict, reason }: SettledEvent): boolean =>
  (verdict === "failed" || verdict === "skipped" || verdict === "deferred") && reason !== "ok";
