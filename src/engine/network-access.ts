import { isIP } from "node:net";
import { opensPrivate, type Seed } from "../core/seed.ts";
import { VERSION } from "../core/version.ts";
import type { Browsers, TryResult } from "./browser/index.ts";
import { type Config, SetupError } from "./config/index.ts";
import {
  type Access,
  AccessError,
  canonicalHost,
  type DnsLookup,
  type FirstVisibility,
  isGloballyRoutable,
  isLocalhost,
  openAccess,
  openFetcher,
  type PrivateHostCheck,
  PrivateHosts,
} from "./fetch/index.ts";

/**
 * Names, private hosts and credentials of a run. One instance for its fetcher and its browsers, so that a host closed to one is closed
 * to all.
 */
export interface NetworkAccess {
  readonly names: DnsLookup;
  readonly opened: PrivateHostCheck;
  readonly access: Access | undefined;
}

export interface NetworkAccessSetup {
  readonly names: DnsLookup;
  readonly firstMet: FirstVisibility;
  /** Decides whether credentials may be sent to a seed. */
  readonly maySendCredentials: (seed: Seed) => boolean;
}

/** A seed that a person typed opens exactly its own host; every other private host stays closed unless `--allow-private` names it. */
export function openNetworkAccess(
  config: Config,
  seeds: readonly Seed[],
  { names, firstMet, maySendCredentials }: NetworkAccessSetup,
): NetworkAccess {
  const opened = privateHostsOf(config, firstMet);
  const typed = seeds.filter(({ namedBy }) => opensPrivate[namedBy]);
  for (const { url } of typed) opened.allowUrl(url);
  // Options come from the same person as the seeds.
  if (typed.length > 0 && /^https?:/i.test(config.sitemap)) opened.allowUrl(config.sitemap);
  const sent = seeds.filter(maySendCredentials).map(({ url }) => url);
  return { names, opened, access: accessFor(config, sent) };
}

export const openFetcherFor = (config: Config, networkAccess: NetworkAccess) =>
  openFetcher({ ...config, ...networkAccess, product: PRODUCT });

export async function openBrowsersFor(config: Config, networkAccess: NetworkAccess): Promise<Browsers> {
  const product = config.contact === undefined ? PRODUCT : `${PRODUCT} (+${config.contact})`;
  const browsers = await withBrowsers(({ openBrowsers }) => openBrowsers({ ...config, ...networkAccess, product }));
  return { ...browsers, render: (...given) => withBrowsers(() => browsers.render(...given)) };
}

/** Throws if pages are to be rendered and no browser is found. Starts nothing. */
export async function checkBrowsers({ render, engines, browser }: Config): Promise<void> {
  if (render !== "never") await withBrowsers(({ findBrowsers }) => findBrowsers(engines, browser));
}

async function withBrowsers<T>(work: (browserModule: typeof import("./browser/index.ts")) => Promise<T>): Promise<T> {
  const browserModule = await import("./browser/index.ts");
  try {
    return await work(browserModule);
  } catch (error) {
    if (!(error instanceof browserModule.BrowserError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}

/** Tests whether the engines work: each is started in turn and shown a page of ours. */
export async function tryBrowsersFor({ engines, browser }: Config): Promise<TryResult[]> {
  const { tryBrowser } = await import("./browser/index.ts");
  const results: TryResult[] = [];
  for (const engine of new Set(engines)) results.push(await tryBrowser(engine, browser));
  return results;
}

const PRODUCT = `nuthatch/${VERSION}`;

function privateHostsOf({ allowPrivate }: Config, firstMet?: FirstVisibility): PrivateHosts {
  try {
    return new PrivateHosts(allowPrivate, firstMet);
  } catch (cause) {
    throw new SetupError(`--allow-private: ${(cause as Error).message}`, "--allow-private 10.0.0.0/8, or --allow-private intranet:8080");
  }
}

/**
 * The first of these URLs whose host is a private address or localhost and was not opened. Other names are checked when they are
 * resolved.
 */
export function firstClosedUrl(urls: readonly string[], config: Config): string | undefined {
  const opened = privateHostsOf(config);
  return urls.find((url) => {
    if (!URL.canParse(url)) return false;
    const { hostname, port, protocol } = new URL(url);
    const name = canonicalHost(hostname);
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
  privateHostsOf(config);
  try {
    return openAccess(config, seeds);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    throw new SetupError(error.message, error.hint, { cause: error.cause });
  }
}
