import { kindOf, openScorer, scoreOf } from "../../analysis/score/index.ts";
import { compilePatterns, hash64, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Hash64, Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { Config, SetupError } from "../../engine/config/index.ts";
import { relevanceOf, unpackLinks } from "../../engine/crawl/index.ts";
import type { Site, Store } from "../../store/index.ts";
import { readPage } from "../read-page/page-reader.ts";
import { type Harvest, harvestOf } from "./harvest.ts";
import { keywordsInUrl, type RecordedPage, type RecordedWeb, type ReplayOrder, replay, replayOrders } from "./replay.ts";

export interface FocusRequest {
  readonly site: Site;
  /** Keywords to use instead of the site's. */
  readonly keywords?: Readonly<Record<string, number>> | undefined;
  /** Pages with at least this relevance are targets, 0–1. */
  readonly minRelevance: number;
  /** Pages whose URL matches one of these are targets, whatever their relevance. */
  readonly targetUrls?: readonly string[] | undefined;
}

export interface FocusReport {
  readonly site: string;
  readonly keywords: Readonly<Record<string, number>>;
  /** Pages in the record, and how many of them can be reached by its links. */
  readonly pages: number;
  readonly reached: number;
  readonly targets: number;
  readonly orders: readonly (Harvest & { readonly order: ReplayOrder })[];
}

/** Replays the stored crawl of a site in every order and compares the results; makes no requests. */
export async function evaluateFocus(app: App, request: FocusRequest): Promise<FocusReport> {
  const { site } = request;
  const listed = await app.store.links.keywords(site.id);
  const keywords = request.keywords ?? Object.fromEntries(listed.map(({ word, weight }) => [word, weight]));
  if (Object.keys(keywords).length === 0)
    throw new SetupError(`${site.url} has no keywords`, `say what is looked for: nuthatch focus eval --site ${site.url} -k budget`);
  const [run] = await app.store.runs({ kind: "crawl", siteId: site.id, limit: 1 });
  if (!run) throw new SetupError(`${site.url} has not been crawled yet`, `nuthatch crawl ${site.url}`);
  const config = Config.parse({ ...run.options, keywords });
  const web = await recordedWeb(app, request, { seeds: run.seeds, runId: run.id, config });
  const orders = replayOrders.map((order) => ({ order, visited: replay(web, order, config) }));
  const reached = orders[0]!.visited;
  const targets = reached.filter(({ isTarget }) => isTarget).length;
  if (targets === 0)
    throw new SetupError(
      `none of ${reached.length} pages is a target`,
      "ask for less with --targets 0.2, or name them with --target-url '/minutes/**'",
    );
  return {
    site: site.url,
    keywords,
    pages: web.pages.size,
    reached: reached.length,
    targets,
    orders: orders.map(({ order, visited }) => ({ order, ...harvestOf(visited.map(({ isTarget }) => isTarget)) })),
  };
}

interface CrawlRecord {
  readonly seeds: readonly string[];
  readonly runId: number;
  readonly config: Config;
}

const keyText = ({ hi, lo }: Hash64) => `${hi}.${lo}`;

/** The stored pages of a site as a graph: pages with their relevance, links with their scores. */
async function recordedWeb(app: App, request: FocusRequest, { seeds, runId, config }: CrawlRecord): Promise<RecordedWeb> {
  const { store } = app;
  const weights = { keywords: Object.entries(config.keywords), scoreRatio: config.scoreRatio };
  const words = weights.keywords.map(([word]) => word);
  const scorer = openScorer(words, { kind: kindOf(config.scorer) });
  const hashOf = (url: string) => hash64(resolve(url, undefined, keyOptionsOf(config))?.key ?? url, store.hashSeed);
  const stored: { url: string; pageId: number; packed: Uint8Array }[] = [];
  for await (const { page: url, pageId, packed } of store.linkDocuments({ siteId: request.site.id })) stored.push({ url, pageId, packed });
  const urls = new Map(stored.map(({ url }) => [keyText(hashOf(url)), url]));
  const find = redirectResolver(store, runId, urls, hashOf);
  const isTarget = targetRule(request);
  const pages = new Map<string, RecordedPage>();
  for (const { url, pageId, packed } of stored) {
    const links: { url: string; score: number }[] = [];
    const shown = unpackLinks(packed, store.hashSeed);
    for (const { hash, text, title, heading, block, url: linkUrl } of shown) {
      const to = await find(hash);
      const matches = to === undefined ? [] : scorer.match({ text, url: linkUrl, title, heading, context: block });
      const weighed = matches.map((match, place) => ({ match, weight: weights.keywords[place]![1] }));
      if (to !== undefined) links.push({ url: to, score: Math.min(1, scoreOf(weighed, weights.scoreRatio)) });
    }
    const relevance = relevanceOf(await pageTextOf(app, pageId, () => shown.map(({ text }) => text).join("\n")), scorer, weights);
    pages.set(url, { url, relevance, links, isTarget: isTarget(url, relevance) });
  }
  const startUrls = await Promise.all(seeds.map((seed) => find(hashOf(seed))));
  return { seeds: startUrls.filter((url) => url !== undefined), pages, urlScore: keywordsInUrl(words) };
}

const MAX_HOPS = 5;

/** Resolves a link to a stored page, following redirects. */
function redirectResolver(store: Store, runId: number, urls: ReadonlyMap<string, string>, hashOf: (url: string) => Hash64) {
  const known = new Map<string, string | undefined>(urls);
  return async (hash: Hash64): Promise<string | undefined> => {
    if (known.has(keyText(hash))) return known.get(keyText(hash));
    let [at, found]: [Hash64, string | undefined] = [hash, undefined];
    for (let hops = 0; hops < MAX_HOPS && found === undefined; hops++) {
      const [row] = await store.ledgerRows(runId, [at]);
      if (row?.target === undefined) break;
      at = hashOf(row.target);
      found = urls.get(keyText(at));
    }
    known.set(keyText(hash), found);
    return found;
  };
}

/** The page's words from its stored body; if that cannot be read, its title and link texts. */
async function pageTextOf(app: App, pageId: number, linkTexts: () => string): Promise<Parameters<typeof relevanceOf>[0]> {
  const { store } = app;
  const page = await store.page({ id: pageId });
  const [version] = await store.versions(pageId);
  const bytes = version?.bodyHash ? await store.body(version.bodyHash) : undefined;
  const read = page && bytes && (await readPage(app, "text", { ...inputOf(page), bytes }, [bytes]));
  if (read && "answer" in read) return read.answer;
  return { title: page?.metadata.title, description: page?.metadata.description, text: linkTexts(), links: [] };
}

const inputOf = ({ url, contentType }: Page) => ({ url, contentType: contentType ?? undefined });

function targetRule({ minRelevance, targetUrls }: FocusRequest): (url: string, relevance: number) => boolean {
  if (targetUrls === undefined) return (_, relevance) => relevance >= minRelevance;
  const matching = compilePatterns(targetUrls);
  return (url) => {
    const { pathname, search } = new URL(url);
    return matching(url, pathname + search) >= 0;
  };
}
