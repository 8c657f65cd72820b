import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { CrawlEvent } from "../crawl/index.ts";
import type { Ask } from "../fetch/index.ts";
import type { Spacing } from "../frontier/index.ts";
import type { Fetched, Reason } from "../records.ts";
import type { Seed } from "../seed.ts";
import type { EnrichedUrl } from "./enrich.ts";
import { pageByUrl } from "./find.ts";
import { onePage } from "./one-page.ts";
import { expectPage, readPage } from "./page-reader.ts";
import { CIRCLES, passingRun, tooLongAWait } from "./passing-run.ts";
import { SeedWays } from "./seed-ways.ts";
import { storedMetadata } from "./stored-metadata.ts";

export interface Batch {
  readonly urls: readonly Seed[];
  readonly config: Config;
  /** Maximum concurrent requests. */
  readonly workers: number;
  /** Whether stored metadata may be returned. */
  readonly mayBeStored: boolean;
  readonly spacing: Spacing;
  readonly signal: AbortSignal;
  /** Called with each fetched body, if stored pages are to be updated. */
  readonly keep?: ((body: FreshBody) => Promise<void>) | undefined;
  /** Called once per URL. */
  readonly tell: (one: EnrichedUrl) => void;
}

export interface FreshBody {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

type Fate = Omit<EnrichedUrl, "url">;
type Final = Extract<CrawlEvent, { type: "url.settled" }>;

/** Fetches a few URLs in a temporary run, which stores nothing. */
export async function enrichBatch(app: App, batch: Batch): Promise<void> {
  const { config, signal } = batch;
  const { cascade, topics } = config;
  const at = () => new Date(app.world.clock.wall()).toISOString();
  const failed = (finalUrl: string, reason: Reason, rule: string, status: number | null = null): Fate => {
    return { finalUrl, ok: false, reason, rule, status, fetchedAt: at(), isStored: false, metadata: undefined };
  };
  const ways = new SeedWays<Fate>(config, (url, fate) => batch.tell({ url, ...fate }));
  for (const seed of batch.urls) {
    const { url } = seed;
    const stored = batch.mayBeStored ? await storedFate(app, url) : undefined;
    if (stored) batch.tell({ url, ...stored });
    else if (!ways.add(seed)) batch.tell({ url, ...failed(url, "scheme", "it is no address of a page") });
  }
  if (ways.seeds.length === 0) return;
  const read = async (url: string, { bytes, contentType, status }: Extract<Fetched, { kind: "body" }>) => {
    const fetchedAt = at();
    const given = { body: { url, bytes, contentType }, how: { cascade, topics, now: app.world.clock.wall() } };
    await batch.keep?.({ url, bytes, contentType });
    const result = await readPage(app, "metadata", given, [bytes], signal);
    if ("error" in result) ways.end(url, failed(url, "parse", result.error, status));
    else if (result.answer)
      ways.end(url, { finalUrl: url, ok: true, reason: "ok", rule: "", status, fetchedAt, isStored: false, metadata: result.answer });
    else ways.end(url, failed(url, "type", `${contentType ?? "what came"} is not text`, status));
  };
  const reading = new Set<Promise<void>>();
  /** Pages whose result comes from the reader, not from the run. */
  const arrived = new Set<string>();
  const onFetched = ({ url, accept }: Ask, fetched: Fetched) => {
    if (accept !== "page") return;
    if (fetched.kind === "moved") ways.moved(url, fetched.location);
    if (fetched.kind !== "body") return;
    arrived.add(url);
    // The caller that aborted does not need the rejection of a read.
    const one = read(url, fetched).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
    reading.add(one);
    void one.finally(() => reading.delete(one)).catch(() => undefined);
  };
  /** Limits the bodies that wait for a reader, because they take memory. */
  const mayGoOn = () => (reading.size > batch.workers ? Promise.race(reading) : undefined);
  const emit = (event: CrawlEvent) => {
    if (event.type === "url.settled" && isFinal(event) && !arrived.has(event.url))
      ways.end(event.url, failed(event.url, event.reason, event.rule, event.status ?? null));
  };
  // Politeness counts from the answer: with one request at a time per host, waiting for other hosts cannot shorten the delay.
  const alone = { ...onePage(config, false), maxConcurrent: batch.workers, perHost: 1 };
  const run = await passingRun(app, {
    seeds: ways.seeds,
    config: alone,
    onFetched,
    emit,
    spacing: batch.spacing,
    readsNothing: true,
    mayGoOn,
  });
  expectPage(app);
  const stop = () => run.control.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { seeds } = await run.control.result;
    await Promise.all(reading);
    if (signal.aborted) return;
    for (const { seed: url, last } of ways.open()) {
      const fate = seeds.find((seed) => seed.url === url);
      const { reason, rule } = fate?.verdict === "queued" ? tooLongAWait(run, last) : fate && fate.reason !== "ok" ? fate : CIRCLES;
      ways.end(last, failed(last, reason, rule));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await run.close();
  }
}

async function storedFate(app: App, given: string): Promise<Fate | undefined> {
  const page = await pageByUrl(app, given.trim());
  if (!page) return undefined;
  const stored = await storedMetadata(app, page);
  if (!stored?.isCurrent) return undefined;
  const { url: finalUrl, status, fetchedAt } = page;
  return { finalUrl, ok: true, reason: "ok", rule: "", status, fetchedAt, isStored: true, metadata: stored.metadata };
}

const isFinal = ({ verdict, reason }: Final): boolean =>
  (verdict === "failed" || verdict === "skipped" || verdict === "deferred") && reason !== "ok";
