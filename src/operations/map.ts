import type { App, World } from "../app.ts";
import { type Config, type ConfigInput, resolveConfig } from "../config/index.ts";
import type { CrawlEvent, RunResult } from "../crawl/index.ts";
import type { Queued } from "../frontier/index.ts";
import type { Reason, Via } from "../records.ts";
import type { NamedBy } from "../seed.ts";
import { Channel } from "./channel.ts";
import { checkCrawl } from "./crawl.ts";
import { LinkTitles } from "./link-titles.ts";
import { readPage } from "./page-reader.ts";
import { withPassingApp } from "./passing-app.ts";
import { type Look, passingRun } from "./passing-run.ts";
import { rankByWords } from "./rank-by-words.ts";

export interface MapRequest {
  readonly url: string;
  readonly namedBy: NamedBy;
  readonly config: Config;
  /** Clicks from the start. Pages at this depth are listed, not asked. */
  readonly depth: number;
  readonly limit: number;
  readonly includeExternal: boolean;
  /** Whether somebody looks for words: a link to what a sitemap has named already may hold them. */
  readonly wantsWords?: boolean | undefined;
  readonly emit?: ((event: CrawlEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told once, with what a live view looks at. */
  readonly onStart?: (look: Look) => void;
}

/** A URL of the site, and how we came to hear of it. */
export interface MappedUrl {
  readonly url: string;
  /** What the first link to it says. */
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
  /** What links say of each URL, if that was wanted. */
  readonly words: ReadonlyMap<string, string>;
}

/** The URLs of a site as they are heard of, from its sitemaps and links. Returns how it ended. */
export async function* mapSite(app: App, request: MapRequest): AsyncGenerator<MappedUrl, MapEnd> {
  const [seed] = checkCrawl([request], request.config);
  const lastmods = new Lastmods(app);
  const heard = new Channel<CrawlEvent>(1000);
  const run = await passingRun(app, {
    seeds: [seed!],
    config: { ...request.config, maxDepth: request.depth, save: [], readers: 1 },
    wantsLinks: true,
    emit: (event) => {
      request.emit?.(event);
      heard.put(event);
    },
    holdsBack: (candidate) => isOnlyListed(candidate, request.depth),
    onFetched: (ask, fetched) => {
      if (ask.accept === "sitemap" && fetched.kind === "body") lastmods.read(ask.url, fetched);
    },
    mayGoOn: () => heard.hasRoom(),
  });
  const stop = () => run.control.stop();
  request.signal?.addEventListener("abort", stop, { once: true });
  if (request.signal?.aborted) stop();
  request.onStart?.(run.control.progress);
  const end = run.control.result.finally(() => heard.end());
  // Whoever leaves early is not told of a failure, and nobody else waits for it.
  end.catch(() => undefined);
  let urls = 0;
  try {
    const titles = new LinkTitles(run.store);
    for await (const event of heard.all()) {
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
    heard.end();
    await end.catch(() => undefined);
    await run.close();
  }
}

/** A page at the last depth needs no visit, nor does one of a sitemap: that lists the site already. */
const isOnlyListed = ({ kind, depth, via }: Queued, last: number) =>
  kind === "page" && via !== "seed" && (via === "sitemap" || (depth >= last && via !== "redirect"));

type LinkHeard = Extract<CrawlEvent, { type: "link.heard" }>;

/** Sitemaps are heard of too, at the depth of the start; they are no pages. */
function isListed(event: CrawlEvent, includeExternal: boolean): event is LinkHeard {
  if (event.type !== "link.heard" || (event.via === "sitemap" && event.depth === 0)) return false;
  return event.fate === "added" || (includeExternal && event.fate === "scope.host");
}

/** When pages changed last, as the sitemaps say that have come so far. */
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

async function mapped(event: LinkHeard, titles: LinkTitles, lastmods: Lastmods): Promise<MappedUrl> {
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
  /** A data file whose turns and robots.txt are shared. None is made. */
  readonly db?: string;
  /** Clicks from the start; default 2. */
  readonly depth?: number;
  /** Default 5000. */
  readonly limit?: number;
  /** Only URLs that have one of these words in them or in a link to them, the best first. */
  readonly query?: string;
  readonly includeExternal?: boolean;
  readonly signal?: AbortSignal;
  /** Time and the web, if not the real ones: see nuthatch/testing. */
  readonly world?: World;
};

export interface SiteMap {
  readonly url: string;
  readonly urls: readonly MappedUrl[];
  /** Whether nothing was left out: no limit met, nothing deferred. */
  readonly isComplete: boolean;
  /** `ok`, or why the start could not be fetched. */
  readonly reason: Reason;
  readonly rule: string;
}

/** The URLs of a site, from its sitemaps and links. Nothing is kept. */
export async function map(url: string, options: MapOptions = {}): Promise<SiteMap> {
  const { db, depth = 2, limit = 5000, query, includeExternal = false, signal, world, ...values } = options;
  const config = resolveConfig([{ from: "the options of map()", values }]);
  return withPassingApp({ db, world }, async (app) => {
    const most = query === undefined ? limit : Number.POSITIVE_INFINITY;
    const found = mapSite(app, {
      url,
      namedBy: "library",
      config,
      depth,
      limit: most,
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

/** Those that were looked for, if something was. */
export const bestOf = (urls: readonly MappedUrl[], { words }: MapEnd, query: string | undefined, limit: number): readonly MappedUrl[] =>
  query === undefined ? urls : rankByWords(urls, query, ({ url }) => words.get(url)).slice(0, limit);

export function endOf({ result, isCut }: MapEnd): Pick<SiteMap, "isComplete" | "reason" | "rule"> {
  const [seed] = result.seeds;
  const isLost = seed !== undefined && seed.verdict !== "fetched";
  return { isComplete: result.isComplete && !isCut, reason: isLost ? seed.reason : "ok", rule: isLost ? seed.rule : "" };
}
