import { setTimeout as pause } from "node:timers/promises";
import type { App, World } from "../app.ts";
import { type Config, type ConfigInput, givenDuration, resolveConfig } from "../config/index.ts";
import type { DescribingReport } from "../crawl/index.ts";
import { Spacing } from "../frontier/index.ts";
import type { Metadata, Reason } from "../records.ts";
import type { NamedBy, Seed } from "../seed.ts";
import { Channel } from "./channel.ts";
import type { Describer } from "./describe-pages.ts";
import { enrichBatch, type FreshBody } from "./enrich-batch.ts";
import { type MeasureSetup, measureImages } from "./measure-images.ts";
import { type ShowHow, type ShownMetadata, shownMetadata } from "./page-metadata.ts";
import { openPassingApp } from "./passing-app.ts";

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
const LANES = 3;
/** Milliseconds after which an incomplete batch is started, so that a slow list gets results as it arrives. */
const SILENCE = 100;

/** The metadata of each URL, in order of completion. Memory does not grow with the length of the list. */
export async function* enrichUrls(app: App, request: EnrichRequest): AsyncGenerator<EnrichedUrl> {
  const { batchSize, signal, config, force, wantsText, imageSizes = false } = request;
  const mayBeStored = !force && !wantsText;
  const lanes = Math.min(LANES, config.maxConcurrent);
  const spacing = new Spacing(request.delay, app.world.clock);
  const done = new Channel<EnrichedUrl>(lanes * batchSize);
  const left = new AbortController();
  const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const batches = inBatches(request.urls, batchSize);
  const describer = config.llm === undefined ? undefined : await (await import("./describe-pages.ts")).Describer.open(app, config, stop);
  const keeper = force ? new (await import("./keep-metadata.ts")).MetadataKeeper(app, config) : undefined;
  const keep = keeper && ((body: FreshBody) => keeper.keep(body));
  const isFinished = !imageSizes && describer === undefined;
  const workers = Math.floor(config.maxConcurrent / lanes);
  const lane = async () => {
    for await (const urls of batches) {
      if (stop.aborted) return;
      const found: EnrichedUrl[] = [];
      const tell = (one: EnrichedUrl) => void (isFinished ? done.put(one) : found.push(one));
      await enrichBatch(app, { urls, config, workers, mayBeStored, spacing, signal: stop, keep, tell });
      const how = { config, workers, spacing, named: urls, signal: stop, imageSizes, describer };
      for (const one of await finished(app, found, how)) done.put(one);
      await done.hasRoom();
    }
  };
  const ended = Promise.all(Array.from({ length: lanes }, lane)).finally(() => done.end());
  // If the consumer stops early, this rejection has no handler.
  ended.catch(() => undefined);
  try {
    yield* done.all();
    await ended;
  } finally {
    left.abort();
    done.end();
    await ended.catch(() => undefined);
    if (describer) request.onDescribed?.(describer.report());
    await describer?.close();
    await keeper?.close();
  }
}

/** Post-processing of a batch: measures pictures, and asks a model for missing values. */
async function finished(app: App, found: readonly EnrichedUrl[], { imageSizes, describer, ...setup }: Finishing): Promise<EnrichedUrl[]> {
  const read = found.flatMap(({ metadata }) => metadata ?? []);
  const measured = imageSizes ? await measureImages(app, read, setup) : read;
  const complete: Metadata[] = [];
  for (const metadata of measured) complete.push((await describer?.complete(metadata)) ?? metadata);
  return found.map((one) => (one.metadata ? { ...one, metadata: complete.shift() } : one));
}

interface Finishing extends MeasureSetup {
  readonly imageSizes: boolean;
  readonly describer: Describer | undefined;
}

export async function* eachNamedBy(namedBy: NamedBy, urls: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Seed> {
  for await (const url of urls) yield { url, namedBy };
}

async function* inBatches(urls: EnrichRequest["urls"], size: number): AsyncGenerator<Seed[]> {
  const source = Symbol.asyncIterator in urls ? urls[Symbol.asyncIterator]() : urls[Symbol.iterator]();
  const ask = () => {
    const next = Promise.resolve(source.next());
    // If the consumer stops early, nobody awaits this promise.
    next.catch(() => undefined);
    return next;
  };
  let next = ask();
  for (;;) {
    const batch: Seed[] = [];
    while (batch.length < size) {
      const got = batch.length === 0 ? await next : await Promise.race([next, pause(SILENCE, undefined, { ref: false })]);
      if (got === undefined) break;
      if (got.done) {
        if (batch.length > 0) yield batch;
        return;
      }
      batch.push(got.value);
      next = ask();
    }
    yield batch;
  }
}

export type EnrichOptions = ConfigInput &
  ShowHow & {
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
  await using passing = await openPassingApp({ db, world });
  const wantsText = fields?.includes("text");
  for await (const one of enrichUrls(passing.app, {
    urls: eachNamedBy("library", urls),
    config,
    batchSize,
    delay: givenDuration("delay", delay, 'delay: "500ms", or "2s"'),
    force,
    wantsText,
    imageSizes,
    signal,
  })) {
    signal?.throwIfAborted();
    yield withShown(one, { fields, showSources, maxTopics });
  }
  signal?.throwIfAborted();
}

/** All results at once, in the order of the list. Failures of the network are values: check `ok` and `reason`. */
export async function enrich(urls: readonly string[], options: EnrichOptions = {}): Promise<Enriched[]> {
  const found = new Map<string, Enriched>();
  for await (const one of enrichEach(new Set(urls), options)) found.set(one.url, one);
  return urls.map((url) => found.get(url)!);
}

export const withShown = (one: EnrichedUrl, how: ShowHow): Enriched => ({
  ...one,
  metadata: one.metadata ? shownMetadata(one.metadata, how) : {},
});
