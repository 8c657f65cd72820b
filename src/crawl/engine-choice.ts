import type { EngineName } from "../browser/index.ts";
import type { HostEngine, RenderingShelf } from "../store/index.ts";

/** One page may be bad on its own; after this many bad pages in a row the other engines are tried. */
const BAD_IN_A_ROW = 2;
/** A host that no engine gets content from is tried with all engines for this many pages, then with one. */
const PROBES = 3;
/** After this many pages that only a browser could get, a host's pages are requested by a browser at once. */
const WALLS = 2;
const MOST_HOSTS = 10_000;

interface Host {
  kept: EngineName | undefined;
  /** Whether the kept engine got a page in this run: before that, one bad page says as much of the engine as of the page. */
  isProven: boolean;
  bad: number;
  probes: number;
  /** Plain requests in a row that were refused where a browser succeeded. */
  walls: number;
}

/** Chooses the engine for a host: the first that returned real content, as long as it does. The choice is kept across runs. */
export class EngineChoice {
  #engines: readonly EngineName[];
  readonly #shelf: RenderingShelf;
  readonly #hosts = new Map<string, Host>();

  constructor(engines: readonly EngineName[], shelf: RenderingShelf) {
    this.#engines = engines;
    this.#shelf = shelf;
  }

  /** The next engine to try for a page, after those in `tried`. */
  async next(host: string, tried: readonly EngineName[]): Promise<EngineName | undefined> {
    const { kept } = await this.#of(host);
    const order = this.#engines.toSorted((a, b) => Number(b === kept) - Number(a === kept));
    return order.find((engine) => !tried.includes(engine));
  }

  /** Removes an engine for the rest of the run; returns true if others are left. */
  drop(engine: EngineName): boolean {
    this.#engines = this.#engines.filter((other) => other !== engine);
    return this.#engines.length > 0;
  }

  /** Whether plain requests are known to be refused. */
  async isWalled(host: string): Promise<boolean> {
    return (await this.#of(host)).walls >= WALLS;
  }

  /** Whether trying a browser is worth it after a plain request was refused. */
  async mayHelp(host: string): Promise<boolean> {
    return (await this.#of(host)).probes < PROBES;
  }

  /** Records an engine's result; returns true if other engines should be tried for the same page. */
  async learn(host: string, engine: EngineName, isGood: boolean, tried: readonly EngineName[]): Promise<boolean> {
    const known = await this.#of(host);
    if (isGood) {
      const isNews = known.kept !== engine;
      Object.assign(known, { kept: engine, isProven: true, bad: 0, probes: 0 });
      if (isNews) await this.#save(host, known);
      return false;
    }
    if (tried.length <= 1) known.bad += 1;
    if (known.kept === engine && known.isProven && known.bad < BAD_IN_A_ROW) return false;
    if (known.probes >= PROBES) return false;
    if (this.#engines.some((other) => !tried.includes(other))) return true;
    known.probes += 1;
    if (known.walls > 0) {
      known.walls = 0;
      if (known.kept !== undefined) await this.#save(host, known);
    }
    return false;
  }

  /** Records that a browser got a page where a plain request was refused (true), or that a plain request succeeded (false). */
  async sawWall(host: string, isWall: boolean): Promise<void> {
    const known = await this.#of(host);
    const before = known.walls >= WALLS;
    known.walls = isWall ? Math.min(WALLS, known.walls + 1) : 0;
    if (known.kept !== undefined && known.walls >= WALLS !== before) await this.#save(host, known);
  }

  async #save(host: string, { kept, walls }: Host): Promise<void> {
    await this.#shelf.saveHostEngine(host, { engine: kept!, isWalled: walls >= WALLS });
  }

  async #of(host: string): Promise<Host> {
    const before = this.#hosts.get(host);
    if (before) return before;
    const stored = await this.#shelf.hostEngine(host);
    const known = this.#hosts.get(host) ?? this.#hostFrom(stored);
    this.#hosts.set(host, known);
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size > MOST_HOSTS && oldest !== undefined) this.#hosts.delete(oldest);
    return known;
  }

  /** Ignores a stored engine that is not available or not enabled in this run. */
  #hostFrom(stored: HostEngine | undefined): Host {
    const kept = this.#engines.find((engine) => engine === stored?.engine);
    return { kept, isProven: false, bad: 0, probes: 0, walls: kept !== undefined && stored?.isWalled ? WALLS : 0 };
  }
}
