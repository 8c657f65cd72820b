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

/** What a run may reach, and what it sends along: one for all that it asks with, so that a name that is closed to one is closed to all. */
export interface Doors {
  readonly names: NameFinder;
  readonly opened: Opened;
  readonly access: Access | undefined;
}

export interface DoorSetup {
  readonly names: NameFinder;
  readonly firstMet: FirstMet;
  /** Whether whoever runs this process has named a seed: credentials are sent to no others. */
  readonly mayBeSent: (seed: Seed) => boolean;
}

/** A seed somebody typed opens exactly its own host; everything else private stays closed unless allowed by name. */
export function openDoors(config: Config, seeds: readonly Seed[], { names, firstMet, mayBeSent }: DoorSetup): Doors {
  const opened = openingsOf(config, firstMet);
  const typed = seeds.filter(({ namedBy }) => opensPrivate[namedBy]);
  for (const { url } of typed) opened.openUrl(url);
  // Options come from whoever names the seeds.
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

function openingsOf({ allowPrivate }: Config, firstMet?: FirstMet): Openings {
  try {
    return new Openings(allowPrivate, firstMet);
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
    const name = plainHost(hostname);
    const address = isLocalhost(name) ? "127.0.0.1" : isIP(name) === 0 ? undefined : name;
    if (address === undefined || isGloballyRoutable(address)) return false;
    return !opened.allows(hostname, Number(port) || (protocol === "https:" ? 443 : 80), address);
  });
}

/** What was given to be let in, and by these seeds. Reads its files, so that what is wrong with them is known before anything is asked or written. */
export function accessFor(config: Config, seeds: readonly string[]): Access | undefined {
  openingsOf(config);
  try {
    return openAccess(config, seeds);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}
