import type { Store } from "../store/index.ts";
import { hash64, KEY_VERSION, type KeyOptions, keyOf, keyOptionsOf, type UrlOptions } from "../url/index.ts";

/** Recalculates the keys of pages that an earlier version stored under an older key version. */
export async function rekey(store: Store, parse: (options: unknown) => UrlOptions): Promise<void> {
  const known = new Map<string, KeyOptions>();
  await store.rekey(KEY_VERSION, (url, options) => {
    const how = known.get(options) ?? keyOptionsOf(parse(JSON.parse(options)));
    known.set(options, how);
    const key = keyOf(url, how);
    return { key, hash: hash64(key, store.hashSeed) };
  });
}
