import { givenHost, hash64, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { Config, SetupError } from "../../engine/config/index.ts";
import type { Run, Site } from "../../store/index.ts";

/** A site by its number, its URL, or a part of the URL that is unique among the sites. */
export async function findSite(app: App, text: string): Promise<Site> {
  const sites = await app.store.sites();
  const exact = sites.find((site) => String(site.id) === text || site.uid === text || site.url === text || site.url === `${text}/`);
  if (exact) return exact;
  const host = givenHost(text);
  const sameHost = host === undefined ? [] : sites.filter((site) => givenHost(new URL(site.url).host) === host);
  if (sameHost.length === 1) return sameHost[0]!;
  const partial = sites.filter((site) => site.url.includes(text));
  if (partial.length === 1) return partial[0]!;
  const known = (partial.length > 1 ? partial : sites).slice(0, 5).map(({ url }) => url);
  if (known.length === 0) throw new SetupError("no site has been crawled into this database yet", "nuthatch crawl https://example.org");
  throw new SetupError(
    `${partial.length === 0 ? "no site matches" : "more than one site matches"} ${text}`,
    `known here: ${known.join(", ")}`,
  );
}

/** A run by its number; without one, the latest crawl, of all sites or of one. */
export async function findRun(app: App, text: string | undefined, siteId?: number): Promise<Run> {
  const run = text === undefined ? (await app.store.runs({ kind: "crawl", siteId, limit: 1 }))[0] : await app.store.run(Number(text));
  if (run) return run;
  throw new SetupError(text === undefined ? "there has been no run yet" : `there is no run ${text}`, "nuthatch runs lists them");
}

/** A page by its number or URL; the URL is normalized by the options of the latest runs. */
export async function findPage(app: App, text: string): Promise<Page> {
  const found = /^\d+$/.test(text) ? await app.store.page({ id: Number(text) }) : await pageByUrl(app, text);
  if (found) return found;
  const hint = URL.canParse(text) ? `nuthatch explain ${text} tells why` : "nuthatch pages lists them, with their numbers and URLs";
  throw new SetupError(`no stored page is ${text}`, hint);
}

/** A stored page by URL, normalized by the options of each of the latest runs in turn. */
export async function pageByUrl(app: App, url: string): Promise<Page | undefined> {
  for (const run of await app.store.runs({ limit: 20 })) {
    const key = resolve(url, undefined, keyOptionsOf(Config.parse(run.options)))?.key;
    const page = key === undefined ? undefined : await app.store.page({ hash: hash64(key, app.store.hashSeed) });
    if (page) return page;
  }
  return undefined;
}
