import { isIP } from "node:net";
import type { Browsers, Tried } from "./browser/index.ts";
import { type Config, SetupError } from "./config/index.ts";
import {
  type Access,
  AccessError,
  isGloballyRoutable,
  Openings,
  type Others,
  openAccess,
  openFetcher,
  openResolver,
} from "./fetch/index.ts";
import { VERSION } from "./version.ts";

/** A seed somebody typed opens exactly its own host; everything else private stays closed unless allowed by name. */
export function openFetcherFor(config: Config, seeds: readonly string[], others?: Others, areTyped = true) {
  return openFetcher({ ...config, ...doorsOf(config, seeds, others, areTyped), product: PRODUCT });
}

/** Browsers that reach what the fetcher of the same run does. */
export async function openBrowsersFor(config: Config, seeds: readonly string[], others?: Others, areTyped = true): Promise<Browsers> {
  const product = config.contact === undefined ? PRODUCT : `${PRODUCT} (+${config.contact})`;
  const doors = doorsOf(config, seeds, others, areTyped);
  const browsers = await withBrowsers(({ openBrowsers }) => openBrowsers({ ...config, ...doors, product }));
  return { ...browsers, render: (...given) => withBrowsers(() => browsers.render(...given)) };
}

/** Says what is missing where pages are to be rendered and there is nothing to render them with. Starts nothing. */
export async function checkBrowsers({ render, engines, browser }: Config): Promise<void> {
  if (render !== "never") await withBrowsers(({ findBrowsers }) => findBrowsers(engines, browser));
}

async function withBrowsers<T>(work: (room: typeof import("./browser/index.ts")) => Promise<T>): Promise<T> {
  const room = await import("./browser/index.ts");
  try {
    return await work(room);
  } catch (error) {
    if (!(error instanceof room.BrowserError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}

/** Whether they can be used at all: each engine is started in turn and shown a page of our own. */
export async function tryBrowsersFor({ engines, browser }: Config): Promise<Tried[]> {
  const { tryBrowser } = await import("./browser/index.ts");
  const tried: Tried[] = [];
  for (const engine of new Set(engines)) tried.push(await tryBrowser(engine, browser));
  return tried;
}

const PRODUCT = `nuthatch/${VERSION}`;

function doorsOf(config: Config, seeds: readonly string[], others: Others | undefined, areTyped: boolean) {
  const opened = openingsOf(config);
  if (areTyped) for (const seed of seeds) opened.openUrl(seed);
  if (areTyped && /^https?:/i.test(config.sitemap)) opened.openUrl(config.sitemap);
  const servers = config.resolver === undefined ? undefined : [config.resolver];
  const resolve = openResolver({ timeout: config.timeout, servers, others });
  return { resolve, opened, access: accessFor(config, seeds) };
}

function openingsOf({ allowPrivate }: Config): Openings {
  try {
    return new Openings(allowPrivate);
  } catch (cause) {
    throw new SetupError(`--allow-private: ${(cause as Error).message}`, "--allow-private 10.0.0.0/8, or --allow-private intranet:8080");
  }
}

/** Of these URLs the first whose host is a private address, or always means one, and that nobody opened. Names are looked up when they are asked. */
export function closedAmong(urls: readonly string[], config: Config): string | undefined {
  const opened = openingsOf(config);
  return urls.find((url) => {
    if (!URL.canParse(url)) return false;
    const { hostname, port, protocol } = new URL(url);
    const bare = hostname.replace(/^\[|\]$|\.$/g, "");
    const address = bare === "localhost" || bare.endsWith(".localhost") ? "127.0.0.1" : isIP(bare) === 0 ? undefined : bare;
    if (address === undefined || isGloballyRoutable(address)) return false;
    return !opened.allows(hostname, Number(port) || (protocol === "https:" ? 443 : 80), address);
  });
}

/** What was given to be let in. Reads its files, so that what is wrong with them is known before anything is asked or written. */
export function accessFor(config: Config, seeds: readonly string[]): Access | undefined {
  openingsOf(config);
  try {
    return openAccess(config, seeds);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}
