import { keyOf, keyOptionsOf, resolve } from "../../analysis/url/index.ts";
import type { Seed } from "../../core/seed.ts";
import type { Config } from "../../engine/config/index.ts";

interface TrackedSeed {
  readonly seed: string;
  readonly last: string;
  /** Spellings as given by the caller: several may have the same key. */
  readonly given: string[];
}

/** Tracks the URLs of a list through redirects, and their results. Several may lead to the same page. */
export class RedirectTracker<Fate> {
  readonly #onResult: (given: string, result: Fate) => void;
  readonly #options: ReturnType<typeof keyOptionsOf>;
  /** By the key of the current URL. */
  readonly #open = new Map<string, readonly TrackedSeed[]>();
  readonly #ended = new Map<string, Fate>();
  /** URLs to request. */
  readonly seeds: Seed[] = [];

  constructor(config: Config, onResult: (given: string, result: Fate) => void) {
    this.#options = keyOptionsOf(config);
    this.#onResult = onResult;
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
    const [fromKey, toKey] = [this.#keyOf(from), this.#keyOf(to)];
    const trackedSeeds = this.#open.get(fromKey);
    if (!trackedSeeds || fromKey === toKey) return;
    this.#open.delete(fromKey);
    this.#open.set(toKey, [...(this.#open.get(toKey) ?? []), ...trackedSeeds.map((one) => ({ ...one, last: to }))]);
    const result = this.#ended.get(toKey);
    if (result !== undefined) this.end(to, result);
  }

  end(url: string, result: Fate): void {
    const key = this.#keyOf(url);
    // The first result for a URL wins.
    if (!this.#ended.has(key)) this.#ended.set(key, result);
    const trackedSeeds = this.#open.get(key) ?? [];
    this.#open.delete(key);
    for (const { given } of trackedSeeds) for (const one of given) this.#onResult(one, result);
  }

  /** URLs without a result, and where their redirects led last. */
  open(): TrackedSeed[] {
    return [...this.#open.values()].flat();
  }

  #keyOf(url: string): string {
    return keyOf(url, this.#options);
  }
}
