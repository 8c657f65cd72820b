import { FOUND_TTL_MS, NOT_FOUND_TTL_MS } from "./dns-cache.ts";
import { isNoSuchName } from "./failure.ts";
import { isGloballyRoutable } from "./routable.ts";

/** The addresses of a name as found by another process, and how much longer they are valid. No addresses means that the name has none. */
export interface SharedAddresses {
  readonly addresses: readonly string[];
  readonly life: number;
}

/**
 * The DNS cache shared with other processes. Entries are separate for each name server, because answers differ. Does not reject if the
 * cache is unavailable.
 */
export interface SharedDnsCache {
  find(name: string, server: string): Promise<SharedAddresses | undefined>;
  tell(name: string, server: string, entry: SharedAddresses): Promise<void>;
}

/**
 * Only public addresses are shared. A private address depends on the network of the process that asks, and another process must not decide
 * where a name opened here leads. Other entries are ignored, and the name is resolved as usual.
 */
export async function resolveWithCache(
  sharedCache: SharedDnsCache,
  { name, server }: { readonly name: string; readonly server: string },
  resolve: () => Promise<readonly string[]>,
): Promise<readonly string[] | SharedAddresses> {
  const cached = await sharedCache.find(name, server);
  if (cached?.addresses.every(isGloballyRoutable)) return cached;
  let addresses: readonly string[];
  try {
    addresses = await resolve();
  } catch (error) {
    if (isNoSuchName(error)) await sharedCache.tell(name, server, { addresses: [], life: NOT_FOUND_TTL_MS });
    throw error;
  }
  if (addresses.every(isGloballyRoutable)) await sharedCache.tell(name, server, { addresses, life: FOUND_TTL_MS });
  return addresses;
}
