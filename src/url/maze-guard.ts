import type { Hash64 } from "../records.ts";

/** A page and what became of its links. */
export interface PageLinks {
  readonly hash: Hash64;
  readonly host: string;
  readonly depth: number;
  /** Links that nobody had named before and that wait to be visited. */
  readonly fresh: readonly Hash64[];
  /** How many more nobody had named, but lie past a limit: too deep, too long. */
  readonly beyond: number;
  /** Links that one other page had named before, two clicks or more from the seeds: what is nearer is the frame around pages. */
  readonly second: Iterable<Hash64>;
}

/** What was seen below one page, along the links by which pages were first heard of. */
interface Branch {
  pages: number;
  /** Requests: pages, redirects, and robots.txt of hosts first met here. */
  requests: number;
  fresh: number;
  /** Links to what was known from elsewhere, each place once. */
  back: number;
  /** Pages at a limit that still lead on. */
  bottoms: number;
  /** Pages that lead to nothing new. */
  ends: number;
  isMaze: boolean;
}

/** A URL that was named: by whom, and the branches it lies in, the widest first. */
interface Twig {
  readonly by: number | undefined;
  readonly host: string;
  readonly branches: readonly Branch[];
}

const MOST_TWIGS = 50_000;
/** By the birthday rule, a hundred pages of a site of thousands that link at random name many a page twice. */
const FRESH_PER_BACK = 300;
const STRAY_BACKS = 2;
/** A list that goes on by one page at a time ends at the depth limit by itself. */
const EXPLOSIVE = 1.5;
/** What a branch may cost before it is judged, and how often its ground must have been looked for in vain. */
const CHEAP = { suspect: 24, judge: 100, bottoms: 5 };
/** Every page behind redirects, or on a host of its own. */
const DEAR = { suspect: 16, judge: 60, bottoms: 3 };
const NEARLY_ALL = 0.8;
const MOST_ENDS = 0.15;
/** Visits out of their order: a share of all, and those that a maze cost to find. */
const SCOUTS = 200;
const SCOUT_SHARE = 0.1;
const SCOUTS_PER_MAZE = 60;

/**
 * Tells a maze from a site by its shape. In a maze every page leads on to new ones, none leads back into what is known, and ways down
 * do not end before the depth limit; a tree of real pages ends in leaves, and a web of real pages leads back. To find out soon, the guard
 * asks for scouts: visits that go straight down. What pages say, and how their URLs look, is never asked.
 */
export class MazeGuard {
  readonly #twigs = new Map<number, Twig>();
  #pages = 0;
  #scouts = 0;
  #mazes = 0;

  admit(hash: Hash64): boolean {
    return !(this.#twigs.get(keyOf(hash))?.branches.some(({ isMaze }) => isMaze) ?? false);
  }

  /** To be told of every page that is followed; answers which of its fresh links to visit next, if it matters. */
  learn(page: PageLinks): Hash64 | undefined {
    const key = keyOf(page.hash);
    const twig = this.#twigs.get(key) ?? { by: undefined, host: page.host, branches: [] };
    const branches = twig.branches.filter(mayBeMaze);
    const found = page.fresh.length + page.beyond;
    const back = this.#countBack(key, twig, page.second, branches.length === 0);
    const isElsewhere = twig.host !== page.host;
    const isBottom = page.fresh.length === 0 && found > 1;
    this.#pages += 1;
    for (const branch of branches) {
      branch.pages += 1;
      branch.requests += isElsewhere ? 2 : 1;
      branch.fresh += found;
      branch.back += back;
      branch.bottoms += isBottom ? 1 : 0;
      branch.ends += found === 0 ? 1 : 0;
    }
    if (isBottom) this.#judge(branches);
    // All of a site lies below its seeds, so no branch begins there.
    if (back === 0 && found > 1 && page.depth > 0) branches.push(newBranch());
    if (branches.length === 0) return undefined;
    this.#keep(key, { ...twig, branches });
    for (const link of page.fresh) this.#keep(keyOf(link), { by: key, host: page.host, branches });
    return this.#scout(branches, page.fresh);
  }

  /** A redirect passes its place on to its target; answers whether the target is to be visited next. */
  moved(from: Hash64, to: Hash64): boolean {
    const twig = this.#twigs.get(keyOf(from));
    if (!twig) return false;
    for (const branch of twig.branches) branch.requests += 1;
    this.#keep(keyOf(to), twig);
    return twig.branches.some(isSuspect);
  }

  /** To blame is the narrowest branch that holds nearly all of what speaks against the widest that seems endless. */
  #judge(branches: readonly Branch[]): void {
    const endless = branches.some(({ isMaze }) => isMaze) ? undefined : branches.find((branch) => this.#isEndless(branch));
    const guilty = endless && branches.findLast(({ bottoms }) => bottoms >= NEARLY_ALL * endless.bottoms);
    if (!guilty) return;
    guilty.isMaze = true;
    this.#mazes += 1;
  }

  /** A site that has one maze may well have more: each needs less to be told. */
  #isEndless(branch: Branch): boolean {
    const { judge, bottoms } = limitsOf(branch);
    const ease = 1 + Math.min(this.#mazes, 3);
    const isLarge = branch.requests * ease >= judge && branch.bottoms * ease >= bottoms;
    return isLarge && branch.ends <= MOST_ENDS * branch.pages && onlyLeadsOn(branch);
  }

  /** Neither the way here nor what that way showed leads back. */
  #countBack(key: number, twig: Twig, second: Iterable<Hash64>, isOneEnough: boolean): number {
    const above = new Set([key]);
    for (let by = twig.by; by !== undefined && !above.has(by); by = this.#twigs.get(by)?.by) above.add(by);
    let count = 0;
    for (const hash of second) {
      const by = this.#twigs.get(keyOf(hash))?.by;
      if (above.has(keyOf(hash)) || (by !== undefined && above.has(by))) continue;
      count += 1;
      if (isOneEnough) break;
    }
    return count;
  }

  #scout(branches: readonly Branch[], fresh: readonly Hash64[]): Hash64 | undefined {
    const mayAsk = fresh.length > 0 && this.#scouts < SCOUTS + this.#pages * SCOUT_SHARE + this.#mazes * SCOUTS_PER_MAZE;
    if (!mayAsk || !branches.some(isSuspect)) return undefined;
    this.#scouts += 1;
    // The same choice whenever the same page is read, but none that a site could foresee: hashes are keyed.
    return fresh.reduce((least, hash) => (hash.lo < least.lo ? hash : least));
  }

  #keep(key: number, twig: Twig): void {
    this.#twigs.set(key, twig);
    if (this.#twigs.size <= MOST_TWIGS) return;
    const [oldest] = this.#twigs.keys();
    this.#twigs.delete(oldest!);
  }
}

const newBranch = (): Branch => ({ pages: 0, requests: 0, fresh: 0, back: 0, bottoms: 0, ends: 0, isMaze: false });

const keyOf = ({ hi, lo }: Hash64): number => hi * 2 ** 21 + (lo >>> 11);

const limitsOf = ({ requests, pages }: Branch) => (requests > 1.8 * pages ? DEAR : CHEAP);

/** One that led back too often will be known for a site however it goes on. */
const mayBeMaze = ({ back, fresh }: Branch) => back <= 2 * STRAY_BACKS + fresh / FRESH_PER_BACK;

const onlyLeadsOn = ({ fresh, back, pages }: Branch) => back <= STRAY_BACKS + fresh / FRESH_PER_BACK && fresh >= EXPLOSIVE * pages;

const isSuspect = (branch: Branch) => !branch.isMaze && branch.requests >= limitsOf(branch).suspect && onlyLeadsOn(branch);
