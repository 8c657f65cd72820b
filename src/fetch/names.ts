import { isIP } from "node:net";
import { isNoSuchName } from "./failure.ts";
import type { Resolve } from "./resolver.ts";

export const FOUND_FOR = 60_000;
export const LOST_FOR = 5_000;
/** For failing name servers: shorter than the pause before a host is retried, so that a retry asks again. */
const TROUBLED_FOR = 500;
const MAX_NAMES = 10_000;

interface Known {
  readonly addresses: readonly string[];
  readonly error: Error | undefined;
  readonly until: number;
}

/** The part that connecting code uses. */
export interface NameFinder {
  /** The cached addresses, synchronously, so that the usual request does not wait. */
  known(hostname: string): readonly string[] | undefined;
  find(hostname: string): Promise<readonly string[]>;
}

/**
 * Caches the addresses of names: a minute if found, seconds if not; the least recently learned are dropped first. One lookup per name at a
 * time.
 */
export class Names implements NameFinder {
  readonly #resolve: Resolve;
  readonly #clock: () => number;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<readonly string[]>>();

  constructor(resolve: Resolve, clock: () => number = () => performance.now()) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  known(hostname: string): readonly string[] | undefined {
    if (isIP(hostname) !== 0) return [hostname];
    const known = this.#known.get(hostname);
    return known !== undefined && known.error === undefined && known.until > this.#clock() ? known.addresses : undefined;
  }

  async find(hostname: string): Promise<readonly string[]> {
    const ready = this.known(hostname);
    if (ready !== undefined) return ready;
    const known = this.#known.get(hostname);
    if (known?.error !== undefined && known.until > this.#clock()) throw known.error;
    let asking = this.#asking.get(hostname);
    if (asking === undefined) {
      asking = this.#ask(hostname).finally(() => this.#asking.delete(hostname));
      this.#asking.set(hostname, asking);
    }
    return asking;
  }

  async #ask(hostname: string): Promise<readonly string[]> {
    const { addresses, error, life } = await this.#answer(hostname);
    this.#learn(hostname, { addresses, error, until: this.#clock() + life });
    if (error !== undefined) throw error;
    return addresses;
  }

  async #answer(hostname: string): Promise<Omit<Known, "until"> & { readonly life: number }> {
    try {
      const answer = await this.#resolve(hostname);
      const heard = "life" in answer ? answer : { addresses: answer, life: FOUND_FOR };
      // Only IP addresses may reach a socket: a name would be resolved again without the guard.
      const addresses = heard.addresses.filter((address) => isIP(address) !== 0);
      if (addresses.length > 0) return { addresses, error: undefined, life: Math.min(heard.life, FOUND_FOR) };
      const error = Object.assign(new Error(`${hostname} has no address`), { code: "ENODATA" });
      return { addresses, error, life: Math.min(heard.life, LOST_FOR) };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      return { addresses: [], error, life: isNoSuchName(error) ? LOST_FOR : TROUBLED_FOR };
    }
  }

  #learn(hostname: string, known: Known): void {
    this.#known.delete(hostname);
    this.#known.set(hostname, known);
    if (this.#known.size > MAX_NAMES) this.#known.delete(this.#known.keys().next().value!);
  }
}
