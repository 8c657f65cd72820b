import { hash64, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Hash64 } from "../../core/records.ts";
import { typedUrl } from "../../core/typed-url.ts";
import type { App } from "../../engine/app.ts";
import { Config } from "../../engine/config/index.ts";

const MAX_RUNS = 20;

/**
 * Hashes under which a URL may be stored, normalized by the options of each of the latest runs. Empty for other than http and https
 * URLs.
 */
export async function hashesOf({ store }: App, typed: string): Promise<Hash64[]> {
  const url = typedUrl(typed);
  const runs = await store.runs({ limit: MAX_RUNS });
  const options = [{}, ...runs.map((run) => run.options)];
  const keys = new Set(options.flatMap((some) => resolve(url, undefined, keyOptionsOf(Config.parse(some)))?.key ?? []));
  return [...keys].map((key) => hash64(key, store.hashSeed));
}
