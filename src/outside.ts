import { isIP } from "node:net";
import type { Browsers, Tried } from "./browser/index.ts";
import { type Config, SetupError } from "./config/index.ts";
import {
  type Access,
  AccessError,
  type FirstMet,
  isGloballyRoutable,
  isLocalhost,
  type NameFinder,
  type Opened,
  Openings,
  openAccess,
  openFetcher,
  plainHost,
} from "./fetch/index.ts";
import { opensPrivate, type Seed } from "./seed.ts";
import { VERSION } from "./version.ts";

/**
 * Names, private hosts and credentials of a run. One instance for its fetcher and its browsers, so that a host closed to one is closed
 * to all.
 */
export interface Doors {
  readonly names: NameFinder;
  readonly opened: Opened;
  readonly access: Access | undefined;
}

export interface DoorSetup {
  readonly names: NameFinder;
  readonly firstMet: FirstMet;
  /** Decides whether credentials may be sent to a seed. */
  readonly mayBeSent: (seed: Seed) => boolean;
}

/** A seed that a person typed opens exactly its own host; every other private host stays closed unless `--allow-private` names it. */
export function openDoors(config: Config, seeds: readonly Seed[], { names, firstMet, mayBeSent }: DoorSetup): Doors {
  const opened = openingsOf(config, firstMet);
  const typed = seeds.filter(({ namedBy }) => opensPrivate[namedBy]);
  for (const { url } of typed) opened.openUrl(url);
  // Options come from the same person as the seeds.
  if (typed.length > 0 && /^https?:/i.test(config.sitemap)) opened.openUrl(config.sitemap);
  const sent = seeds.filter(mayBeSent).map(({ url }) => url);
  return { names, opened, access: accessFor(config, sent) };
}

export const openFetcherFor = (config: Config, doors: Doors) => openFetcher({ ...config, ...doors, product: PRODUCT });

export async function openBrowsersFor(config: Config, doors: Doors): Promise<Browsers> {
  const product = config.contact === undefined ? PRODUCT : `${PRODUCT} (+${config.contact})`;
  const browsers = await withBrowsers(({ openBrowsers }) => openBrowsers({ ...config, ...doors, product }));
  return { ...browsers, render: (...given) => withBrowsers(() => browsers.render(...given)) };
}

/** Throws if pages are to be rendered and no browser is found. Starts nothing. */
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

/** Tests whether the engines work: each is started in turn and shown a page of ours. */
export async function tryBrowsersFor({ engines, browser }: Config): Promise<Tried[]> {
  const { tryBrowser } = await import("./browser/index.ts");
  const tried: Tried[] = [];
  for (const engine of new Set(engines)) tried.push(await tryBrowser(engine, browser));
  return tried;
}

const PRODUCT = `nuthatch/${VERSION}`;

function openingsOf({ allowPrivate }: Config, firstMet?: FirstMet): Openings {
  try {
    return new Openings(allowPrivate, firstMet);
  } catch (cause) {
    throw new SetupError(`--allow-private: ${(cause as Error).message}`, "--allow-private 10.0.0.0/8, or --allow-private intranet:8080");
  }
}

/**
 * The first of these URLs whose host is a private address or localhost and was not opened. Other names are checked when they are
 * resolved.
 */
export function closedAmong(urls: readonly string[], config: Config): string | undefined {
  const opened = openingsOf(config);
  return urls.find((url) => {
    if (!URL.canParse(url)) return false;
    const { hostname, port, protocol } = new URL(url);
    const name = plainHost(hostname);
    const address = isLocalhost(name) ? "127.0.0.1" : isIP(name) === 0 ? undefined : name;
    if (address === undefined || isGloballyRoutable(address)) return false;
    return !opened.allows(hostname, Number(port) || (protocol === "https:" ? 443 : 80), address);
  });
}

/**
 * Credentials from the options, for these seeds. Reads their files, so that a mistake in them is reported before anything is requested
 * or written.
 */
export function accessFor(config: Config, seeds: readonly string[]): Access | undefined {
  openingsOf(config);
  try {
    return openAccess(config, seeds);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}
