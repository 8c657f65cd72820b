import { type Config, SetupError } from "./config/index.ts";
import { type Access, AccessError, Openings, openAccess, openFetcher, openResolver } from "./fetch/index.ts";
import { VERSION } from "./version.ts";

/** A seed somebody typed opens exactly its own host; everything else private stays closed unless allowed by name. */
export function openFetcherFor(config: Config, seeds: readonly string[]) {
  const opened = openingsOf(config);
  for (const seed of seeds) opened.openUrl(seed);
  if (/^https?:/i.test(config.sitemap)) opened.openUrl(config.sitemap);
  const resolve = config.resolver === undefined ? {} : { resolve: openResolver({ timeout: config.timeout, servers: [config.resolver] }) };
  return openFetcher({ ...config, ...resolve, opened, access: accessFor(config, seeds), product: `nuthatch/${VERSION}` });
}

function openingsOf({ allowPrivate }: Config): Openings {
  try {
    return new Openings(allowPrivate);
  } catch (cause) {
    throw new SetupError(`--allow-private: ${(cause as Error).message}`, "--allow-private 10.0.0.0/8, or --allow-private intranet:8080");
  }
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
