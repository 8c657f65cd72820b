import { isIP } from "node:net";
import { isNoSuchName } from "./failure.ts";
import type { Resolve } from "./resolver.ts";

export const FOUND_TTL_MS = 60_000;
export const NOT_FOUND_TTL_MS = 5_000;
/** For failing name servers: shorter than the pause before a host is retried, so that a retry asks again. */
const ERROR_TTL_MS = 500;
const MAX_NAMES = 10_000;

interface CachedName {
  readonly addresses: readonly string[];
  readonly error: Error | undefined;
  readonly until: number;
}

/** The part that connecting code uses. */
export interface DnsLookup {
  /** The cached addresses, synchronously, so that the usual request does not wait. */
  cached(hostname: string): readonly string[] | undefined;
  find(hostname: string): Promise<readonly string[]>;
}

/**
 * Caches the addresses of names: a minute if found, seconds if not; the least recently learned are dropped first. One lookup per name at a
 * time.
 */
export class DnsCache implements DnsLookup {
  readonly #resolve: Resolve;
  readonly #clock: () => number;
  readonly #cached = new Map<string, CachedName>();
  readonly #pending = new Map<string, Promise<readonly string[]>>();

  constructor(resolve: Resolve, clock: () => number = () => performance.now()) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  cached(hostname: string): readonly string[] | undefined {
    if (isIP(hostname) !== 0) return [hostname];
    const cached = this.#cached.get(hostname);
    return cached !== undefined && cached.error === undefined && cached.until > this.#clock() ? cached.addresses : undefined;
  }

  async find(hostname: string): Promise<readonly string[]> {
    const cachedAddresses = this.cached(hostname);
    if (cachedAddresses !== undefined) return cachedAddresses;
    const cached = this.#cached.get(hostname);
    if (cached?.error !== undefined && cached.until > this.#clock()) throw cached.error;
    let pending = this.#pending.get(hostname);
    if (pending === undefined) {
      pending = this.#resolveAndStore(hostname).finally(() => this.#pending.delete(hostname));
      this.#pending.set(hostname, pending);
    }
    return pending;
  }

  async #resolveAndStore(hostname: string): Promise<readonly string[]> {
    const { addresses, error, life } = await this.#answer(hostname);
    this.#addToCache(hostname, { addresses, error, until: this.#clock() + life });
    if (error !== undefined) throw error;
    return addresses;
  }

  async #answer(hostname: string): Promise<Omit<CachedName, "until"> & { readonly life: number }> {
    try {
      const answer = await this.#resolve(hostname);
      const resolved = "life" in answer ? answer : { addresses: answer, life: FOUND_TTL_MS };
      // Only IP addresses may reach a socket: a name would be resolved again without the guard.
      const addresses = resolved.addresses.filter((address) => isIP(address) !== 0);
      if (addresses.length > 0) return { addresses, error: undefined, life: Math.min(resolved.life, FOUND_TTL_MS) };
      const error = Object.assign(new Error(`${hostname} has no address`), { code: "ENODATA" });
      return { addresses, error, life: Math.min(resolved.life, NOT_FOUND_TTL_MS) };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      return { addresses: [], error, life: isNoSuchName(error) ? NOT_FOUND_TTL_MS : ERROR_TTL_MS };
    }
  }

  #addToCache(hostname: string, cached: CachedName): void {
    this.#cached.delete(hostname);
    this.#cached.set(hostname, cached);
    if (this.#cached.size > MAX_NAMES) this.#cached.delete(this.#cached.keys().next().value!);
  }
}
