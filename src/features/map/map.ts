import type { Reason, Via } from "../../core/records.ts";
import type { NamedBy } from "../../core/seed.ts";
import type { App, World } from "../../engine/app.ts";
import { type Config, type ConfigInput, resolveConfig } from "../../engine/config/index.ts";
import type { CrawlEvent, RunResult } from "../../engine/crawl/index.ts";
import type { Queued } from "../../engine/frontier/index.ts";
import { checkCrawl } from "../crawl/crawl.ts";
import { withTemporaryApp } from "../crawl/temporary-app.ts";
import { type GetProgress, startTemporaryRun } from "../crawl/temporary-run.ts";
import { readPage } from "../read-page/page-reader.ts";
import { Channel } from "./channel.ts";
import { LinkTitles } from "./link-titles.ts";
import { rankByWords } from "./rank-by-words.ts";

export interface MapRequest {
  readonly url: string;
  readonly namedBy: NamedBy;
  readonly config: Config;
  /** Clicks from the start. Pages at this depth are listed but not fetched. */
  readonly depth: number;
  readonly limit: number;
  readonly includeExternal: boolean;
  /** Whether a search needs link texts: then links to pages that a sitemap has already named are examined too. */
  readonly wantsWords?: boolean | undefined;
  readonly emit?: ((event: CrawlEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once, with access to the progress for a live view. */
  readonly onStart?: (look: GetProgress) => void;
}

/** A URL of the site, and how it was discovered. */
export interface MappedUrl {
  readonly url: string;
  /** Text of the first link to it. */
  readonly title: string | null;
  readonly depth: number;
  readonly source: Via;
  readonly lastmod: string | null;
  readonly parentUrl: string | null;
  readonly isExternal: boolean;
}

export interface MapEnd {
  readonly result: RunResult;
  readonly urls: number;
  readonly isCut: boolean;
  /** Link texts of each URL, if requested. */
  readonly words: ReadonlyMap<string, string>;
}

/** Streams the URLs of a site as they are discovered in its sitemaps and links. Returns how it ended. */
export async function* mapSite(app: App, request: MapRequest): AsyncGenerator<MappedUrl, MapEnd> {
  const [seed] = checkCrawl([request], request.config);
  const lastmods = new Lastmods(app);
  const events = new Channel<CrawlEvent>(1000);
  const run = await startTemporaryRun(app, {
    seeds: [seed!],
    config: { ...request.config, maxDepth: request.depth, save: [], readers: 1 },
    wantsLinks: true,
    emit: (event) => {
      request.emit?.(event);
      events.put(event);
    },
    holdsBack: (candidate) => isListedWithoutVisit(candidate, request.depth),
    onFetched: (ask, fetched) => {
      if (ask.accept === "sitemap" && fetched.kind === "body") lastmods.read(ask.url, fetched);
    },
    mayGoOn: () => events.waitForRoom(),
  });
  const stop = () => run.control.stop();
  request.signal?.addEventListener("abort", stop, { once: true });
  if (request.signal?.aborted) stop();
  request.onStart?.(run.control.progress);
  const end = run.control.result.finally(() => events.end());
  // If the consumer stops early, this rejection has no handler.
  end.catch(() => undefined);
  let urls = 0;
  try {
    const titles = new LinkTitles(run.store);
    for await (const event of events.all()) {
      if (event.type === "page.fetched") titles.add(event.page);
      if (urls >= request.limit || !isListed(event, request.includeExternal)) continue;
      urls += 1;
      yield await mapped(event, titles, lastmods);
      if (urls === request.limit) stop();
    }
    const result = await end;
    const words = request.wantsWords ? await titles.words() : new Map<string, string>();
    return { result, urls, isCut: urls >= request.limit, words };
  } finally {
    request.signal?.removeEventListener("abort", stop);
    stop();
    events.end();
    await end.catch(() => undefined);
    await run.close();
  }
}

/** Pages at the last depth and pages from a sitemap are listed without a visit: the sitemap already lists the site. */
const isListedWithoutVisit = ({ kind, depth, via }: Queued, last: number) =>
  kind === "page" && via !== "seed" && (via === "sitemap" || (depth >= last && via !== "redirect"));

type LinkEvent = Extract<CrawlEvent, { type: "link.heard" }>;

/** False for sitemaps: they are discovered too, at depth 0, but are no pages. */
function isListed(event: CrawlEvent, includeExternal: boolean): event is LinkEvent {
  if (event.type !== "link.heard" || (event.via === "sitemap" && event.depth === 0)) return false;
  return event.fate === "added" || (includeExternal && event.fate === "scope.host");
}

/** Last modification times from the sitemaps fetched so far. */
class Lastmods {
  readonly #app: App;
  readonly #known = new Map<string, number>();
  readonly #reading = new Set<Promise<void>>();

  constructor(app: App) {
    this.#app = app;
  }

  read(url: string, { bytes, contentType }: { readonly bytes: Uint8Array; readonly contentType: string | undefined }): void {
    const one = readPage(this.#app, "lastmods", { url, bytes, contentType }, [bytes]).then((read) => {
      this.#reading.delete(one);
      if ("answer" in read) for (const [page, lastmod] of read.answer) this.#known.set(page, lastmod);
    });
    this.#reading.add(one);
  }

  async of(url: string): Promise<number | undefined> {
    await Promise.all(this.#reading);
    return this.#known.get(url);
  }
}

async function mapped(event: LinkEvent, titles: LinkTitles, lastmods: Lastmods): Promise<MappedUrl> {
  const { url, depth, via, from, fate } = event;
  const lastmod = await lastmods.of(url);
  return {
    url,
    title: (await titles.of(from, url)) || null,
    depth,
    source: via,
    lastmod: lastmod === undefined ? null : new Date(lastmod).toISOString(),
    parentUrl: from || null,
    isExternal: fate !== "added",
  };
}

export type MapOptions = ConfigInput & {
  /** A data file whose turns and robots.txt are shared. It is not created. */
  readonly db?: string;
  /** Clicks from the start; default 2. */
  readonly depth?: number;
  /** Default 5000. */
  readonly limit?: number;
  /** Only URLs that contain one of these words, or have it in the text of a link to them; best first. */
  readonly query?: string;
  readonly includeExternal?: boolean;
  readonly signal?: AbortSignal;
  /** Clock and network for tests: see nuthatch/testing. */
  readonly world?: World;
};

export interface SiteMap {
  readonly url: string;
  readonly urls: readonly MappedUrl[];
  /** Whether the list is complete: no limit reached, no URL deferred. */
  readonly isComplete: boolean;
  /** `ok`, or why the start could not be fetched. */
  readonly reason: Reason;
  readonly rule: string;
}

/** The URLs of a site, from its sitemaps and links. Stores nothing. */
export async function map(url: string, options: MapOptions = {}): Promise<SiteMap> {
  const { db, depth = 2, limit = 5000, query, includeExternal = false, signal, world, ...values } = options;
  const config = resolveConfig([{ from: "the options of map()", values }]);
  return withTemporaryApp({ db, world }, async (app) => {
    const maxUrls = query === undefined ? limit : Number.POSITIVE_INFINITY;
    const found = mapSite(app, {
      url,
      namedBy: "library",
      config,
      depth,
      limit: maxUrls,
      includeExternal,
      wantsWords: query !== undefined,
      signal,
    });
    const urls: MappedUrl[] = [];
    for (let next = await found.next(); ; next = await found.next()) {
      if (next.done) return { url, urls: bestOf(urls, next.value, query, limit), ...endOf(next.value) };
      urls.push(next.value);
    }
  });
}

/** The URLs ranked by the query, if there is one. */
export const bestOf = (urls: readonly MappedUrl[], { words }: MapEnd, query: string | undefined, limit: number): readonly MappedUrl[] =>
  query === undefined ? urls : rankByWords(urls, query, ({ url }) => words.get(url)).slice(0, limit);

export function endOf({ result, isCut }: MapEnd): Pick<SiteMap, "isComplete" | "reason" | "rule"> {
  const [seed] = result.seeds;
  const isLost = seed !== undefined && seed.verdict !== "fetched";
  return { isComplete: result.isComplete && !isCut, reason: isLost ? seed.reason : "ok", rule: isLost ? seed.rule : "" };
}
