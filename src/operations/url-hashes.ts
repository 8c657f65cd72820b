import type { App } from "../app.ts";
import { Config } from "../config/index.ts";
import type { Hash64 } from "../records.ts";
import { typedUrl } from "../typed-url.ts";
import { hash64, keyOptionsOf, resolve } from "../url/index.ts";

const RUNS = 20;

/**
 * Hashes under which a URL may be stored, normalized by the options of each of the latest runs. Empty for other than http and https
 * URLs.
 */
export async function hashesOf({ store }: App, typed: string): Promise<Hash64[]> {
  const url = typedUrl(typed);
  const runs = await store.runs({ limit: RUNS });
  const options = [{}, ...runs.map((run) => run.options)];
  const keys = new Set(options.flatMap((some) => resolve(url, undefined, keyOptionsOf(Config.parse(some)))?.key ?? []));
  return [...keys].map((key) => hash64(key, store.hashSeed));
}
