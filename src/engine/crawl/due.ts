import {
  changeProbability,
  type Forecast,
  type HintCount,
  hintWorth,
  intervalShare,
  type KnownPage,
  MIN_INTERVAL_MS,
  maxHintedPages,
  observationsOf,
  planVisits,
  type RecrawlOptions,
  type Schedule,
} from "../../analysis/recrawl/index.ts";
import { type ScoreOptions, scoreOf } from "../../analysis/score/index.ts";
import { hostOf, type KeyOptions, keyOf, type SessionIds, templateOf } from "../../analysis/url/index.ts";
import type { Change, Hash64, SitemapLink, Visit } from "../../core/records.ts";
import type { HintUpdate, PageObservations, Store } from "../../store/index.ts";
import { type FrontierOptions, levelOf, type Place, Seen } from "../frontier/index.ts";
import type { Mention } from "./admit/mention.ts";

export interface DueSetup {
  readonly store: Store;
  readonly siteIds: readonly number[];
  readonly options: RecrawlOptions & Pick<FrontierOptions, "rateLimit" | "order"> & Pick<ScoreOptions, "scoreRatio">;
}

export interface DueRunSetup extends DueSetup {
  readonly key: KeyOptions;
  readonly sessions: SessionIds | undefined;
  readonly clock: { wall(): number };
}

/** A known page and the forecast of its next visit. */
export interface ForecastPage extends PageObservations {
  readonly template: string;
  readonly forecast: Forecast;
}

const DAY = 86_400_000;

/** Plans revisits for the pages of some sites. The default budget is as many visits a day as there are pages, capped by the rate limit. */
export async function revisitPlan({ store, siteIds, options }: DueSetup): Promise<(page: PageObservations) => ForecastPage> {
  const hosts = new Set<string>();
  async function* known(): AsyncGenerator<KnownPage> {
    for await (const page of store.pageObservations(siteIds)) {
      hosts.add(hostOf(page.url));
      yield knownPageOf(page, options.scoreRatio);
    }
  }
  const pace = options.rateLimit === 0 ? Number.POSITIVE_INFINITY : DAY / options.rateLimit;
  const schedule: Schedule = await planVisits(known, (pages) => Math.min(options.visitsPerDay ?? pages, pace * hosts.size));
  return (page) => {
    const given = knownPageOf(page, options.scoreRatio);
    return { ...page, template: given.template, forecast: schedule.forecast(given) };
  };
}

/**
 * True for a site's main feeds, which its front page names. Feeds of single posts can number in the thousands and are treated like pages.
 */
const isMainFeed = ({ isFeed, depth }: PageObservations) => isFeed && depth <= 1;

function knownPageOf(page: PageObservations, ratio: number): KnownPage {
  const { pageId, url, firstSeenAt, history, keywordScores: worths } = page;
  const score = scoreOf(
    worths.map((match) => ({ match, weight: 1 })),
    ratio,
  );
  return { id: pageId, template: templateOf(url), looks: observationsOf(firstSeenAt, history), score, isFeed: isMainFeed(page) };
}

/** Pages that are longer overdue or more important come first. */
function placeOf({ forecast }: ForecastPage, now: number, order: FrontierOptions["order"]): Place {
  const urgency = ((now - forecast.lastAt) / forecast.interval) * forecast.importance;
  const priority = urgency / (1 + urgency);
  return { level: order === "best" ? levelOf(priority) : 0, priority };
}

/** When a page is due for which a source reports a change. */
const hintedDueAt = (worth: number, { lastAt, interval, rate }: Forecast): number =>
  lastAt + Math.max(MIN_INTERVAL_MS, interval * intervalShare(worth, rate, interval / DAY));

/** A reported change that a visit in flight will verify, and the probability of a change without the report. */
interface PendingHint {
  readonly siteId: number;
  readonly source: string;
  readonly expected: number;
}

const hashText = (hash: Hash64) => `${hash.hi}.${hash.lo}`;
const untested: HintCount = { said: 0, wasRight: 0, expected: 0 };

/** State of a run that visits only due pages: which pages are due, which wait, and how reliable each source of change reports is. */
export class DuePages {
  readonly #setup: DueRunSetup;
  readonly #hints = new Map<string, HintCount>();
  readonly #said = new Map<string, PendingHint>();
  #forecastOf: ((page: PageObservations) => ForecastPage) | undefined;
  /** Known pages and URLs that are not due; mentions of them are ignored. */
  readonly waiting = new Seen();
  #due = 0;
  #hinted = 0;
  #nextAt = Number.POSITIVE_INFINITY;

  constructor(setup: DueRunSetup) {
    this.#setup = setup;
  }

  /** Yields the due pages. */
  async *open(): AsyncGenerator<Mention & { readonly siteId: number }> {
    const { store, siteIds, clock } = this.#setup;
    const forecastOf = await revisitPlan(this.#setup);
    this.#forecastOf = forecastOf;
    for (const { source, ...count } of await store.hints(siteIds)) this.#hints.set(source, count);
    await store.forEachRequested(siteIds, clock.wall() - MIN_INTERVAL_MS, (hash) => void this.waiting.mention(hash, 0));
    for await (const page of store.pageObservations(siteIds)) {
      this.waiting.mention(page.hash, 0);
      const { dueAt } = forecastOf(page).forecast;
      if (dueAt > clock.wall()) this.#nextAt = Math.min(this.#nextAt, dueAt);
      else {
        this.#due += 1;
        yield this.#mentionOf(forecastOf(page));
      }
    }
  }

  /** Loads the same state without yielding pages, for a process whose leader queues them. */
  async load(): Promise<void> {
    for await (const _ of this.open());
  }

  /** Handles a sitemap or feed that reports change dates; returns the pages worth a visit before they are due. */
  async applyHints(visit: Visit, entries: readonly SitemapLink[]): Promise<Mention[]> {
    const now = this.#setup.clock.wall();
    const source = templateOf(visit.url);
    const count = this.#hints.get(source) ?? untested;
    const hintedPages: ForecastPage[] = [];
    for (const { hash, lastmod } of entries) {
      const page = lastmod === undefined || lastmod > now + DAY ? undefined : await this.#find(hash);
      if (!page || lastmod! <= page.forecast.lastAt) continue;
      if (page.forecast.dueAt <= now) this.#recordHint(page, source);
      else if (hintedDueAt(hintWorth(count), page.forecast) <= now) hintedPages.push(page);
    }
    // Hashes are keyed, so sorting by them draws a random sample: a source on trial is not judged by the start of its list alone.
    const wanted = hintedPages.sort((a, b) => a.hash.lo - b.hash.lo).slice(0, maxHintedPages(count));
    for (const page of wanted) this.#recordHint(page, source);
    this.#hinted += wanted.length;
    return wanted.map((page) => this.#mentionOf(page));
  }

  async #find(hash: Hash64): Promise<ForecastPage | undefined> {
    if (this.waiting.depthOf(hash) === undefined) return undefined;
    const page = await this.#setup.store.observationsOf(this.#setup.siteIds, hash);
    return page && this.#forecastOf?.(page);
  }

  #recordHint({ hash, siteId, forecast }: ForecastPage, source: string): void {
    const days = (this.#setup.clock.wall() - forecast.lastAt) / DAY;
    this.#said.set(hashText(hash), { siteId, source, expected: changeProbability(forecast.rate, days) });
  }

  /** Compares the visit's result with the reported change. */
  evaluateHint(hash: Hash64, change: Change | undefined): HintUpdate | undefined {
    const said = this.#said.get(hashText(hash));
    if (!said || (change !== "changed" && change !== "same")) return undefined;
    this.#said.delete(hashText(hash));
    return { ...said, said: 1, wasRight: change === "changed" ? 1 : 0 };
  }

  report(): { pages: number; hinted: number; nextAt: string | null } {
    const nextAt = Number.isFinite(this.#nextAt) ? new Date(this.#nextAt).toISOString() : null;
    return { pages: this.#due + this.#hinted, hinted: this.#hinted, nextAt };
  }

  #mentionOf(page: ForecastPage): Mention & { readonly siteId: number } {
    const { url, hash, depth, siteId } = page;
    const place = placeOf(page, this.#setup.clock.wall(), this.#setup.options.order);
    return {
      url,
      key: keyOf(url, this.#setup.sessions?.keyOptions(hostOf(url), this.#setup.key) ?? this.#setup.key),
      hash,
      depth,
      siteId,
      place,
      kind: "page",
      via: "due",
      hops: 0,
      lastmod: undefined,
      isNofollow: false,
    };
  }
}
