import { hash64, KEY_VERSION, type KeyOptions, keyOf, keyOptionsOf, type UrlOptions } from "../../../analysis/url/index.ts";
import type { Store } from "../../../store/index.ts";

/** Recalculates the keys of pages that an earlier version stored under an older key version. */
export async function rekey(store: Store, parse: (options: unknown) => UrlOptions): Promise<void> {
  const known = new Map<string, KeyOptions>();
  await store.rekey(KEY_VERSION, (url, options) => {
    const keyOptions = known.get(options) ?? keyOptionsOf(parse(JSON.parse(options)));
    known.set(options, keyOptions);
    const key = keyOf(url, keyOptions);
    return { key, hash: hash64(key, store.hashSeed) };
  });
}
