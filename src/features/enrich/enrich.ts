import { setTimeout as pause } from "node:timers/promises";
import type { Metadata, Reason } from "../../core/records.ts";
import type { NamedBy, Seed } from "../../core/seed.ts";
import type { App, World } from "../../engine/app.ts";
import { type Config, type ConfigInput, parseDuration, resolveConfig } from "../../engine/config/index.ts";
import type { DescribingReport } from "../../engine/crawl/index.ts";
import { Spacing } from "../../engine/frontier/index.ts";
import { openTemporaryApp } from "../crawl/temporary-app.ts";
import { Channel } from "../map/channel.ts";
import type { Describer } from "./describe-pages.ts";
import { enrichBatch, type FreshBody } from "./enrich-batch.ts";
import { type MeasureSetup, measureImages } from "./measure-images.ts";
import { type ShownMetadata, type ShowOptions, shownMetadata } from "./page-metadata.ts";

export interface EnrichRequest {
  readonly urls: Iterable<Seed> | AsyncIterable<Seed>;
  readonly config: Config;
  /** URLs per batch: 1 to 100. */
  readonly batchSize: number;
  /** Milliseconds between any two requests, in addition to the politeness delay of their hosts. */
  readonly delay: number;
  /** Also fetch pages whose metadata is stored. */
  readonly force?: boolean | undefined;
  /** Whether the whole main text is wanted; only its beginning is stored. */
  readonly wantsText?: boolean | undefined;
  /** Fetch the first bytes of the pictures, and skip those that are too small. */
  readonly imageSizes?: boolean | undefined;
  /** Called at the end with the report of the model, if there is one. */
  readonly onDescribed?: ((report: DescribingReport) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result for one URL of the list. */
export interface EnrichedUrl {
  /** As given by the caller. */
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  readonly ok: boolean;
  /** `ok`, or why it failed, with the rule behind it. */
  readonly reason: Reason;
  readonly rule: string;
  readonly status: number | null;
  readonly fetchedAt: string;
  /** Whether it came from the data file. */
  readonly isStored: boolean;
  /** Undefined if nothing could be read. */
  readonly metadata: Metadata | undefined;
}

/** Concurrent batches: a host that does not answer delays only its own batch. */
const PARALLEL_BATCHES = 3;
/** Milliseconds after which an incomplete batch is started, so that a slow list gets results as it arrives. */
const BATCH_WAIT_MS = 100;

/** The metadata of each URL, in order of completion. Memory does not grow with the length of the list. */
export async function* enrichUrls(app: App, request: EnrichRequest): AsyncGenerator<EnrichedUrl> {
  const { batchSize, signal, config, force, wantsText, imageSizes = false } = request;
  const mayUseStored = !force && !wantsText;
  const parallelBatches = Math.min(PARALLEL_BATCHES, config.maxConcurrent);
  const spacing = new Spacing(request.delay, app.world.clock);
  const done = new Channel<EnrichedUrl>(parallelBatches * batchSize);
  const consumerLeft = new AbortController();
  const stop = signal ? AbortSignal.any([signal, consumerLeft.signal]) : consumerLeft.signal;
  const batches = inBatches(request.urls, batchSize);
  const describer = config.llm === undefined ? undefined : await (await import("./describe-pages.ts")).Describer.open(app, config, stop);
  const updater = force ? new (await import("./update-metadata.ts")).MetadataUpdater(app, config) : undefined;
  const keep = updater && ((body: FreshBody) => updater.update(body));
  const isFinished = !imageSizes && describer === undefined;
  const workers = Math.floor(config.maxConcurrent / parallelBatches);
  const runBatches = async () => {
    for await (const urls of batches) {
      if (stop.aborted) return;
      const found: EnrichedUrl[] = [];
      const onResult = (one: EnrichedUrl) => void (isFinished ? done.put(one) : found.push(one));
      await enrichBatch(app, { urls, config, workers, mayUseStored, spacing, signal: stop, keep, onResult });
      const how = { config, workers, spacing, named: urls, signal: stop, imageSizes, describer };
      for (const one of await postProcess(app, found, how)) done.put(one);
      await done.waitForRoom();
    }
  };
  const ended = Promise.all(Array.from({ length: parallelBatches }, runBatches)).finally(() => done.end());
  // If the consumer stops early, this rejection has no handler.
  ended.catch(() => undefined);
  try {
    yield* done.all();
    await ended;
  } finally {
    consumerLeft.abort();
    done.end();
    await ended.catch(() => undefined);
    if (describer) request.onDescribed?.(describer.report());
    await describer?.close();
    await updater?.close();
  }
}

/** Post-processing of a batch: measures pictures, and asks a model for missing values. */
async function postProcess(
  app: App,
  found: readonly EnrichedUrl[],
  { imageSizes, describer, ...setup }: PostProcessSetup,
): Promise<EnrichedUrl[]> {
  const read = found.flatMap(({ metadata }) => metadata ?? []);
  const measured = imageSizes ? await measureImages(app, read, setup) : read;
  const complete: Metadata[] = [];
  for (const metadata of measured) complete.push((await describer?.complete(metadata)) ?? metadata);
  return found.map((one) => (one.metadata ? { ...one, metadata: complete.shift() } : one));
}

interface PostProcessSetup extends MeasureSetup {
  readonly imageSizes: boolean;
  readonly describer: Describer | undefined;
}

export async function* toSeeds(namedBy: NamedBy, urls: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Seed> {
  for await (const url of urls) yield { url, namedBy };
}

async function* inBatches(urls: EnrichRequest["urls"], size: number): AsyncGenerator<Seed[]> {
  const source = Symbol.asyncIterator in urls ? urls[Symbol.asyncIterator]() : urls[Symbol.iterator]();
  const requestNext = () => {
    const next = Promise.resolve(source.next());
    // If the consumer stops early, nobody awaits this promise.
    next.catch(() => undefined);
    return next;
  };
  let next = requestNext();
  for (;;) {
    const batch: Seed[] = [];
    while (batch.length < size) {
      const got = batch.length === 0 ? await next : await Promise.race([next, pause(BATCH_WAIT_MS, undefined, { ref: false })]);
      if (got === undefined) break;
      if (got.done) {
        if (batch.length > 0) yield batch;
        return;
      }
      batch.push(got.value);
      next = requestNext();
    }
    yield batch;
  }
}

export type EnrichOptions = ConfigInput &
  ShowOptions & {
    /** A data file whose turns, robots.txt and metadata are used. It is not created. */
    readonly db?: string;
    /** URLs per batch; default 10, at most 100. */
    readonly batchSize?: number;
    /** Time between any two requests, in addition to the politeness delay of their hosts: "2s", or seconds; default "500ms". */
    readonly delay?: string | number;
    /** Also fetch pages whose metadata is stored. */
    readonly force?: boolean;
    /** Fetch the first bytes of the pictures, and skip those that are too small. */
    readonly imageSizes?: boolean;
    readonly signal?: AbortSignal;
    /** Clock and network for tests: see nuthatch/testing. */
    readonly world?: World;
  };

/** The result for one URL: its metadata, or the reason why there is none. */
export type Enriched = Omit<EnrichedUrl, "metadata"> & { readonly metadata: ShownMetadata };

/** The metadata of each URL, in order of completion. The list may be infinite. */
export async function* enrichEach(urls: Iterable<string> | AsyncIterable<string>, options: EnrichOptions = {}): AsyncGenerator<Enriched> {
  const { db, batchSize = 10, delay = "500ms", force, imageSizes, signal, world, fields, showSources, maxTopics = 10, ...values } = options;
  const config = resolveConfig([{ from: "the options of enrich()", values }]);
  await using temporary = await openTemporaryApp({ db, world });
  const wantsText = fields?.includes("text");
  for await (const one of enrichUrls(temporary.app, {
    urls: toSeeds("library", urls),
    config,
    batchSize,
    delay: parseDuration("delay", delay, 'delay: "500ms", or "2s"'),
    force,
    wantsText,
    imageSizes,
    signal,
  })) {
    signal?.throwIfAborted();
    yield toEnriched(one, { fields, showSources, maxTopics });
  }
  signal?.throwIfAborted();
}

/** All results at once, in the order of the list. Failures of the network are values: check `ok` and `reason`. */
export async function enrich(urls: readonly string[], options: EnrichOptions = {}): Promise<Enriched[]> {
  const found = new Map<string, Enriched>();
  for await (const one of enrichEach(new Set(urls), options)) found.set(one.url, one);
  return urls.map((url) => found.get(url)!);
}

export const toEnriched = (one: EnrichedUrl, how: ShowOptions): Enriched => ({
  ...one,
  metadata: one.metadata ? shownMetadata(one.metadata, how) : {},
});
