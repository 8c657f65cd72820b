import { type FrontierOptions, levelOf, type Place, Seen } from "../frontier/index.ts";
import type { Change, Hash64, SitemapLink, Visit } from "../records.ts";
import {
  chanceOf,
  type Forecast,
  type HintCount,
  type Known,
  looksOf,
  planVisits,
  type RecrawlOptions,
  type Schedule,
  SOONEST,
  shareWith,
  trustOf,
  worthOf,
} from "../recrawl/index.ts";
import { type ScoreOptions, scoreOf } from "../score/index.ts";
import type { HintNews, PageLooks, Store } from "../store/index.ts";
import { hostOf, type KeyOptions, keyOf, type SessionIds, templateOf } from "../url/index.ts";
import type { Mention } from "./mention.ts";

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

/** A known page, and when it is to be looked at again. */
export interface ForeseenPage extends PageLooks {
  readonly template: string;
  readonly forecast: Forecast;
}

const DAY = 86_400_000;

/** When to look again at the pages of some sites. What is not asked for is as many visits a day as there are pages, if our pace allows them. */
export async function planOf({ store, siteIds, options }: DueSetup): Promise<(page: PageLooks) => ForeseenPage> {
  const hosts = new Set<string>();
  async function* known(): AsyncGenerator<Known> {
    for await (const page of store.looks(siteIds)) {
      hosts.add(hostOf(page.url));
      yield knownOf(page, options.scoreRatio);
    }
  }
  const pace = options.rateLimit === 0 ? Number.POSITIVE_INFINITY : DAY / options.rateLimit;
  const schedule: Schedule = await planVisits(known, (pages) => Math.min(options.visitsPerDay ?? pages, pace * hosts.size));
  return (page) => {
    const given = knownOf(page, options.scoreRatio);
    return { ...page, template: given.template, forecast: schedule.forecast(given) };
  };
}

/** A site names its own feeds on its front page; those of single posts, of which there can be thousands, are pages like others. */
const isOwnFeed = ({ isFeed, depth }: PageLooks) => isFeed && depth <= 1;

function knownOf(page: PageLooks, ratio: number): Known {
  const { pageId, url, firstSeenAt, history, worths } = page;
  const score = scoreOf(
    worths.map((match) => ({ match, weight: 1 })),
    ratio,
  );
  return { id: pageId, template: templateOf(url), looks: looksOf(firstSeenAt, history), score, isFeed: isOwnFeed(page) };
}

/** The longer overdue and the more important, the earlier. */
function placeOf({ forecast }: ForeseenPage, now: number, order: FrontierOptions["order"]): Place {
  const urgency = ((now - forecast.lastAt) / forecast.interval) * forecast.importance;
  const priority = urgency / (1 + urgency);
  return { level: order === "best" ? levelOf(priority) : 0, priority };
}

/** When a page is due of which somebody says that it changed. */
const soonerBy = (worth: number, { lastAt, interval, rate }: Forecast): number =>
  lastAt + Math.max(SOONEST, interval * shareWith(worth, rate, interval / DAY));

/** Whose word is put to the test by a visit that is on its way, and how likely a change was without it. */
interface Said {
  readonly siteId: number;
  readonly source: string;
  readonly expected: number;
}

const keyText = (hash: Hash64) => `${hash.hi}.${hash.lo}`;
const untested: HintCount = { said: 0, wasRight: 0, expected: 0 };

/** What a run that visits only what is due knows: whose time has come, who waits, and who may be believed that a page has changed. */
export class DuePages {
  readonly #setup: DueRunSetup;
  readonly #hints = new Map<string, HintCount>();
  readonly #said = new Map<string, Said>();
  #foresee: ((page: PageLooks) => ForeseenPage) | undefined;
  /** Pages and other URLs that are known and not due: whoever names them brings no news. */
  readonly waiting = new Seen();
  #due = 0;
  #hinted = 0;
  #nextAt = Number.POSITIVE_INFINITY;

  constructor(setup: DueRunSetup) {
    this.#setup = setup;
  }

  /** The pages whose time has come. */
  async *open(): AsyncGenerator<Mention & { readonly siteId: number }> {
    const { store, siteIds, clock } = this.#setup;
    const foresee = await planOf(this.#setup);
    this.#foresee = foresee;
    for (const { source, ...count } of await store.hints(siteIds)) this.#hints.set(source, count);
    await store.asked(siteIds, clock.wall() - SOONEST, (hash) => void this.waiting.mention(hash, 0));
    for await (const page of store.looks(siteIds)) {
      this.waiting.mention(page.hash, 0);
      const { dueAt } = foresee(page).forecast;
      if (dueAt > clock.wall()) this.#nextAt = Math.min(this.#nextAt, dueAt);
      else {
        this.#due += 1;
        yield this.#mentionOf(foresee(page));
      }
    }
  }

  /** What is known and when it is due, for a process that another tells what to visit. */
  async learn(): Promise<void> {
    for await (const _ of this.open());
  }

  /** A sitemap or feed names pages and when they changed: those that are worth a look before their time. */
  async hear(visit: Visit, entries: readonly SitemapLink[]): Promise<Mention[]> {
    const now = this.#setup.clock.wall();
    const source = templateOf(visit.url);
    const count = this.#hints.get(source) ?? untested;
    const early: ForeseenPage[] = [];
    for (const { hash, lastmod } of entries) {
      const page = lastmod === undefined || lastmod > now + DAY ? undefined : await this.#find(hash);
      if (!page || lastmod! <= page.forecast.lastAt) continue;
      if (page.forecast.dueAt <= now) this.#note(page, source);
      else if (soonerBy(worthOf(count), page.forecast) <= now) early.push(page);
    }
    // Hashes are as good as dice: who is on trial is not judged by the head of its list alone.
    const wanted = early.sort((a, b) => a.hash.lo - b.hash.lo).slice(0, trustOf(count));
    for (const page of wanted) this.#note(page, source);
    this.#hinted += wanted.length;
    return wanted.map((page) => this.#mentionOf(page));
  }

  async #find(hash: Hash64): Promise<ForeseenPage | undefined> {
    if (this.waiting.depthOf(hash) === undefined) return undefined;
    const page = await this.#setup.store.looksAt(this.#setup.siteIds, hash);
    return page && this.#foresee?.(page);
  }

  #note({ hash, siteId, forecast }: ForeseenPage, source: string): void {
    const days = (this.#setup.clock.wall() - forecast.lastAt) / DAY;
    this.#said.set(keyText(hash), { siteId, source, expected: chanceOf(forecast.rate, days) });
  }

  /** Was it as somebody had said? */
  judge(hash: Hash64, change: Change | undefined): HintNews | undefined {
    const said = this.#said.get(keyText(hash));
    if (!said || (change !== "changed" && change !== "same")) return undefined;
    this.#said.delete(keyText(hash));
    return { ...said, said: 1, wasRight: change === "changed" ? 1 : 0 };
  }

  report(): { pages: number; hinted: number; nextAt: string | null } {
    const nextAt = Number.isFinite(this.#nextAt) ? new Date(this.#nextAt).toISOString() : null;
    return { pages: this.#due + this.#hinted, hinted: this.#hinted, nextAt };
  }

  #mentionOf(page: ForeseenPage): Mention & { readonly siteId: number } {
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
      isUnloved: false,
    };
  }
}
