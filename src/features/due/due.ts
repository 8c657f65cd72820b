import { hash64, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Page } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import { Config } from "../../engine/config/index.ts";
import { type DueSetup, type ForecastPage, revisitPlan } from "../../engine/crawl/index.ts";
import { checkCrawl } from "../crawl/crawl.ts";

/** How often a page changes according to its observations, and when it is due again. */
export interface Revisit {
  readonly changesPerDay: number;
  readonly looks: number;
  readonly changes: number;
  /** Where the prior for its change rate comes from. */
  readonly prior: "template" | "site" | "none";
  readonly template: string;
  readonly importance: number;
  readonly lastLookAt: string;
  readonly nextLookAt: string;
}

export interface DuePage extends Revisit {
  readonly url: string;
  /** Intervals passed since the last visit. */
  readonly overdue: number;
}

/** The pages that a crawl of due pages would visit, computed from the data file alone. */
export interface DuePreview {
  readonly knownPages: number;
  readonly due: number;
  /** Most urgent first. */
  readonly pages: readonly DuePage[];
  /** When the next of the other pages is due. */
  readonly nextAt: string | null;
}

const MAX_LISTED = 1000;
const iso = (at: number) => new Date(at).toISOString();

export async function duePreview(app: App, given: { seeds: readonly Seed[]; config: Config }): Promise<DuePreview> {
  const { config } = given;
  const keys = checkCrawl(given.seeds, config).map(({ key }) => key);
  const sites = (await app.store.sites()).filter(({ url }) => keys.includes(resolve(url, undefined, keyOptionsOf(config))?.key ?? ""));
  const setup: DueSetup = { store: app.store, siteIds: sites.map(({ id }) => id), options: config };
  const forecastPage = await revisitPlan(setup);
  const now = app.world.clock.wall();
  const due: DuePage[] = [];
  let [knownPages, nextAt] = [0, Number.POSITIVE_INFINITY];
  for await (const page of app.store.pageObservations(setup.siteIds)) {
    knownPages += 1;
    const pageForecast = forecastPage(page);
    const { lastAt, interval, dueAt } = pageForecast.forecast;
    if (dueAt <= now) due.push({ url: page.url, overdue: (now - lastAt) / interval, ...revisitOf(pageForecast) });
    else nextAt = Math.min(nextAt, dueAt);
  }
  due.sort((a, b) => b.overdue * b.importance - a.overdue * a.importance);
  return { knownPages, due: due.length, pages: due.slice(0, MAX_LISTED), nextAt: Number.isFinite(nextAt) ? iso(nextAt) : null };
}

/** The forecast for one page, under the options of its site's last run. */
export async function revisitOfPage(app: App, page: Page): Promise<Revisit | undefined> {
  const [run] = await app.store.runs({ kind: "crawl", siteId: page.siteId, limit: 1 });
  if (!run) return undefined;
  const config = Config.parse(run.options);
  const key = resolve(page.url, undefined, keyOptionsOf(config))?.key ?? page.url;
  const looks = await app.store.observationsOf([page.siteId], hash64(key, app.store.hashSeed));
  if (!looks) return undefined;
  return revisitOf((await revisitPlan({ store: app.store, siteIds: [page.siteId], options: config }))(looks));
}

function revisitOf({ template, forecast }: ForecastPage): Revisit {
  const { rate, looks, changes, prior, importance, lastAt, dueAt } = forecast;
  return { changesPerDay: rate, looks, changes, prior, template, importance, lastLookAt: iso(lastAt), nextLookAt: iso(dueAt) };
}
