import type { Config } from "../config/index.ts";
import type { Seed } from "../seed.ts";
import { keyOf, keyOptionsOf, resolve } from "../url/index.ts";

interface Traveller {
  readonly seed: string;
  readonly last: string;
  /** Spellings as given by the caller: several may have the same key. */
  readonly given: string[];
}

/** Tracks the URLs of a list through redirects, and their results. Several may lead to the same page. */
export class SeedWays<Fate> {
  readonly #tell: (given: string, fate: Fate) => void;
  readonly #options: ReturnType<typeof keyOptionsOf>;
  /** By the key of the current URL. */
  readonly #open = new Map<string, readonly Traveller[]>();
  readonly #ended = new Map<string, Fate>();
  /** URLs to request. */
  readonly seeds: Seed[] = [];

  constructor(config: Config, tell: (given: string, fate: Fate) => void) {
    this.#options = keyOptionsOf(config);
    this.#tell = tell;
  }

  /** Returns false if it is not a valid URL. */
  add({ url: given, namedBy }: Seed): boolean {
    const seed = resolve(given.trim(), undefined, this.#options);
    if (!seed) return false;
    const known = this.#open.get(seed.key)?.[0];
    if (known) known.given.push(given);
    else {
      this.#open.set(seed.key, [{ seed: seed.url, last: seed.url, given: [given] }]);
      this.seeds.push({ url: seed.url, namedBy });
    }
    return true;
  }

  moved(from: string, to: string): void {
    const [here, there] = [this.#keyOf(from), this.#keyOf(to)];
    const travellers = this.#open.get(here);
    if (!travellers || here === there) return;
    this.#open.delete(here);
    this.#open.set(there, [...(this.#open.get(there) ?? []), ...travellers.map((one) => ({ ...one, last: to }))]);
    const fate = this.#ended.get(there);
    if (fate !== undefined) this.end(to, fate);
  }

  end(url: string, fate: Fate): void {
    const key = this.#keyOf(url);
    // The first result for a URL wins.
    if (!this.#ended.has(key)) this.#ended.set(key, fate);
    const arrived = this.#open.get(key) ?? [];
    this.#open.delete(key);
    for (const { given } of arrived) for (const one of given) this.#tell(one, fate);
  }

  /** URLs without a result, and where their redirects led last. */
  open(): Traveller[] {
    return [...this.#open.values()].flat();
  }

  #keyOf(url: string): string {
    return keyOf(url, this.#options);
  }
}
