import type { Config } from "../config/index.ts";
import type { Seed } from "../seed.ts";
import { keyOf, keyOptionsOf, resolve } from "../url/index.ts";

interface Traveller {
  readonly seed: string;
  readonly last: string;
  /** As it was given: two may be spellings of one. */
  readonly given: string[];
}

/** Where each address of a list has led to so far, and what became of it. Two may lead to one. */
export class SeedWays<Fate> {
  readonly #tell: (given: string, fate: Fate) => void;
  readonly #options: ReturnType<typeof keyOptionsOf>;
  /** By the key of where they are now. */
  readonly #open = new Map<string, readonly Traveller[]>();
  readonly #ended = new Map<string, Fate>();
  /** What is to be asked for. */
  readonly seeds: Seed[] = [];

  constructor(config: Config, tell: (given: string, fate: Fate) => void) {
    this.#options = keyOptionsOf(config);
    this.#tell = tell;
  }

  /** Answers whether it is an address at all. */
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
    // The first that is told of an address holds.
    if (!this.#ended.has(key)) this.#ended.set(key, fate);
    const arrived = this.#open.get(key) ?? [];
    this.#open.delete(key);
    for (const { given } of arrived) for (const one of given) this.#tell(one, fate);
  }

  /** Those that have come to no end, and where they were last seen. */
  open(): Traveller[] {
    return [...this.#open.values()].flat();
  }

  #keyOf(url: string): string {
    return keyOf(url, this.#options);
  }
}
