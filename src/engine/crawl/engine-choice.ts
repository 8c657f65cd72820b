import type { HostEngine, RenderingStore } from "../../store/index.ts";
import type { EngineName } from "../browser/index.ts";

/** One page may be bad on its own; after this many bad pages in a row the other engines are tried. */
const MAX_BAD_PAGES = 2;
/** A host that no engine gets content from is tried with all engines for this many pages, then with one. */
const MAX_PROBES = 3;
/** After this many pages that only a browser could get, a host's pages are requested by a browser at once. */
const MIN_REFUSALS = 2;
const MAX_HOSTS = 10_000;

interface Host {
  preferred: EngineName | undefined;
  /** Whether the kept engine got a page in this run: before that, one bad page says as much of the engine as of the page. */
  isProven: boolean;
  bad: number;
  probes: number;
  /** Plain requests in a row that were refused where a browser succeeded. */
  refusals: number;
}

/** Chooses the engine for a host: the first that returned real content, as long as it does. The choice is kept across runs. */
export class EngineChoice {
  #engines: readonly EngineName[];
  readonly #store: RenderingStore;
  readonly #hosts = new Map<string, Host>();

  constructor(engines: readonly EngineName[], store: RenderingStore) {
    this.#engines = engines;
    this.#store = store;
  }

  /** The next engine to try for a page, after those in `tried`. */
  async next(host: string, tried: readonly EngineName[]): Promise<EngineName | undefined> {
    const { preferred } = await this.#hostOf(host);
    const order = this.#engines.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
    return order.find((engine) => !tried.includes(engine));
  }

  /** Removes an engine for the rest of the run; returns true if others are left. */
  removeEngine(engine: EngineName): boolean {
    this.#engines = this.#engines.filter((other) => other !== engine);
    return this.#engines.length > 0;
  }

  /** Whether plain requests are known to be refused. */
  async isWalled(host: string): Promise<boolean> {
    return (await this.#hostOf(host)).refusals >= MIN_REFUSALS;
  }

  /** Whether trying a browser is worth it after a plain request was refused. */
  async mayBrowserHelp(host: string): Promise<boolean> {
    return (await this.#hostOf(host)).probes < MAX_PROBES;
  }

  /** Records an engine's result; returns true if other engines should be tried for the same page. */
  async learn(host: string, engine: EngineName, isGood: boolean, tried: readonly EngineName[]): Promise<boolean> {
    const known = await this.#hostOf(host);
    if (isGood) {
      const isNewChoice = known.preferred !== engine;
      Object.assign(known, { preferred: engine, isProven: true, bad: 0, probes: 0 });
      if (isNewChoice) await this.#save(host, known);
      return false;
    }
    if (tried.length <= 1) known.bad += 1;
    if (known.preferred === engine && known.isProven && known.bad < MAX_BAD_PAGES) return false;
    if (known.probes >= MAX_PROBES) return false;
    if (this.#engines.some((other) => !tried.includes(other))) return true;
    known.probes += 1;
    if (known.refusals > 0) {
      known.refusals = 0;
      if (known.preferred !== undefined) await this.#save(host, known);
    }
    return false;
  }

  /** Records that a browser got a page where a plain request was refused (true), or that a plain request succeeded (false). */
  async recordRefusal(host: string, wasRefused: boolean): Promise<void> {
    const known = await this.#hostOf(host);
    const before = known.refusals >= MIN_REFUSALS;
    known.refusals = wasRefused ? Math.min(MIN_REFUSALS, known.refusals + 1) : 0;
    if (known.preferred !== undefined && known.refusals >= MIN_REFUSALS !== before) await this.#save(host, known);
  }

  async #save(host: string, { preferred, refusals }: Host): Promise<void> {
    await this.#store.saveHostEngine(host, { engine: preferred!, isWalled: refusals >= MIN_REFUSALS });
  }

  async #hostOf(host: string): Promise<Host> {
    const before = this.#hosts.get(host);
    if (before) return before;
    const stored = await this.#store.hostEngine(host);
    const known = this.#hosts.get(host) ?? this.#hostFrom(stored);
    this.#hosts.set(host, known);
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size > MAX_HOSTS && oldest !== undefined) this.#hosts.delete(oldest);
    return known;
  }

  /** Ignores a stored engine that is not available or not enabled in this run. */
  #hostFrom(stored: HostEngine | undefined): Host {
    const preferred = this.#engines.find((engine) => engine === stored?.engine);
    return { preferred, isProven: false, bad: 0, probes: 0, refusals: preferred !== undefined && stored?.isWalled ? MIN_REFUSALS : 0 };
  }
}
