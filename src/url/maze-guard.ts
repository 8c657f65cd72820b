import type { Hash64 } from "../records.ts";
import { type Parts, partsOf } from "./parts.ts";
import { suspect } from "./suspect.ts";

/** A page and what became of its links. */
export interface PageLinks {
  readonly url: string;
  readonly hash: Hash64;
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
  /** Pages that lead to nothing new, or that somebody numbered. */
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
const MOST_FOLDERS = 2_000;
/** By the birthday rule, a hundred pages of a site of thousands that link at random name many a page twice. */
const FRESH_PER_BACK = 400;
const STRAY_BACKS = 4;
/** A list that goes on by one page at a time ends at the depth limit by itself. */
const EXPLOSIVE = 1.5;
/** What a branch may cost before it is judged, and how often its ground must have been looked for in vain. */
const CHEAP = { suspect: 24, judge: 100, fresh: 240, bottoms: 5 };
/** Every page behind redirects, or on a host of its own. */
const DEAR = { suspect: 12, judge: 60, fresh: 60, bottoms: 2 };
/** Who asks for more pages than these knows of a large site: judgement comes later by as much. */
const USUAL_PAGES = 10_000;
const NEARLY_ALL = 0.8;
const MOST_ENDS = 0.15;
/** Visits out of their order: a share of all, and those that a maze cost to find. */
const SCOUTS = 200;
const SCOUT_SHARE = 0.1;
const SCOUTS_PER_MAZE = 60;

/**
 * Tells a maze from a site by its shape. In a maze every page leads on to new ones, none leads back into what is known, and ways down
 * do not end before the depth limit; a tree of real pages ends in leaves, and a web of real pages leads back. To find out soon, the guard
 * asks for scouts: visits that go straight down. What pages say is never asked, and of their URLs only whether somebody numbered them:
 * items of a large store may well name only new ones for a long time.
 */
export class MazeGuard {
  readonly #patience: number;
  #twigs = new Map<number, Twig>();
  #olderTwigs = new Map<number, Twig>();
  #pages = 0;
  #scouts = 0;
  /** The pages of a folder, wherever they were heard of: a maze may have many doors. */
  readonly #folders = new Map<string, Branch>();

  constructor(maxPages: number) {
    this.#patience = Math.max(1, maxPages / USUAL_PAGES);
  }

  admit(hash: Hash64, url: string): boolean {
    const branches = this.#twigOf(keyOf(hash))?.branches ?? [];
    return !branches.some(({ isMaze }) => isMaze) && !this.#folders.get(folderOf(partsOf(url) ?? NOWHERE) ?? "")?.isMaze;
  }

  /** To be told of every page that is followed; answers which of its fresh links to visit next, if it matters. */
  learn(page: PageLinks): Hash64 | undefined {
    const key = keyOf(page.hash);
    const parts = partsOf(page.url) ?? NOWHERE;
    const { host } = parts;
    const twig = this.#twigOf(key) ?? { by: undefined, host, branches: [] };
    const branches = twig.branches.filter(mayBeMaze);
    // For all we know, whoever counted so far knows where it ends.
    const isNumbered = hasNumber(parts) && suspect(page.url, undefined)?.kind !== "trap.pagination";
    const found = page.fresh.length + page.beyond;
    const back = this.#countBack(key, twig, page.second, branches.length === 0);
    const isElsewhere = twig.host !== host;
    const isBottom = page.fresh.length === 0 && found > 1 && !isNumbered;
    this.#pages += 1;
    const folder = this.#folderOf(parts);
    const holders = folder ? [folder, ...branches] : branches;
    for (const branch of holders) {
      branch.pages += 1;
      branch.requests += isElsewhere ? 2 : 1;
      branch.fresh += found;
      branch.back += back;
      branch.bottoms += isBottom ? 1 : 0;
      branch.ends += found === 0 || isNumbered ? 1 : 0;
    }
    if (isBottom) this.#judge(holders);
    // All of a site lies below its seeds, so no branch begins there.
    if (back === 0 && found > 1 && page.depth > 0) branches.push(newBranch());
    if (branches.length === 0) return undefined;
    this.#keep(key, { ...twig, branches });
    for (const link of page.fresh) this.#keep(keyOf(link), { by: key, host, branches });
    return this.#scout(holders, page.fresh);
  }

  /** A redirect passes its place on to its target; answers whether the target is to be visited next. */
  moved(from: Hash64, to: Hash64): boolean {
    const twig = this.#twigOf(keyOf(from));
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
    this.#scouts -= SCOUTS_PER_MAZE;
  }

  #isEndless(branch: Branch): boolean {
    const { judge, fresh, bottoms } = limitsOf(branch);
    const isLarge = branch.requests >= judge * this.#patience && branch.fresh >= fresh && branch.bottoms >= bottoms;
    return isLarge && branch.ends <= MOST_ENDS * branch.pages && onlyLeadsOn(branch);
  }

  #folderOf(parts: Parts): Branch | undefined {
    const name = folderOf(parts);
    if (name === undefined) return undefined;
    const known = this.#folders.get(name);
    const folder = known ?? newBranch();
    if (!known && this.#folders.size < MOST_FOLDERS) this.#folders.set(name, folder);
    return folder;
  }

  /** Neither the way here nor what that way showed leads back. */
  #countBack(key: number, twig: Twig, second: Iterable<Hash64>, isOneEnough: boolean): number {
    const above = new Set([key]);
    for (let by = twig.by; by !== undefined && !above.has(by); by = this.#twigOf(by)?.by) above.add(by);
    let count = 0;
    for (const hash of second) {
      const by = this.#twigOf(keyOf(hash))?.by;
      if (above.has(keyOf(hash)) || (by !== undefined && above.has(by))) continue;
      count += 1;
      if (isOneEnough) break;
    }
    return count;
  }

  #scout(branches: readonly Branch[], fresh: readonly Hash64[]): Hash64 | undefined {
    const mayAsk = fresh.length > 0 && this.#scouts < SCOUTS + this.#pages * SCOUT_SHARE;
    if (!mayAsk || !branches.some(isSuspect)) return undefined;
    this.#scouts += 1;
    // The same choice whenever the same page is read, but none that a site could foresee: hashes are keyed.
    return fresh.reduce((least, hash) => (hash.lo < least.lo ? hash : least));
  }

  #twigOf(key: number): Twig | undefined {
    return this.#twigs.get(key) ?? this.#olderTwigs.get(key);
  }

  /** The oldest are forgotten by halves: finding the one oldest entry of a large map costs more than all the rest. */
  #keep(key: number, twig: Twig): void {
    this.#twigs.set(key, twig);
    if (this.#twigs.size < MOST_TWIGS / 2) return;
    this.#olderTwigs = this.#twigs;
    this.#twigs = new Map();
  }
}

const newBranch = (): Branch => ({ pages: 0, requests: 0, fresh: 0, back: 0, bottoms: 0, ends: 0, isMaze: false });

const keyOf = ({ hi, lo }: Hash64): number => hi * 2 ** 21 + (lo >>> 11);

const limitsOf = ({ requests, pages }: Branch) => (requests > 1.8 * pages ? DEAR : CHEAP);

/** One that led back too often will be known for a site however it goes on. */
const mayBeMaze = ({ back, fresh }: Branch) => back <= STRAY_BACKS + fresh / FRESH_PER_BACK;

const onlyLeadsOn = ({ fresh, back, pages }: Branch) => back <= fresh / FRESH_PER_BACK && fresh >= EXPLOSIVE * pages;

const isSuspect = (branch: Branch) => !branch.isMaze && branch.requests >= limitsOf(branch).suspect && onlyLeadsOn(branch);

const NOWHERE: Parts = { hostname: "", host: "", origin: "", path: "/", query: "" };

/** A number of up to seven digits that stands alone in the last part of the path or in the query. */
const hasNumber = ({ path, query }: Parts) => /(?:^|[^0-9a-z])\d{1,7}(?:[^0-9a-z]|$)/i.test(path.slice(path.lastIndexOf("/")) + query);

/** The first part of the path; undefined for pages that lie beside the front page, where everything may be. */
function folderOf({ host, path, query }: Parts): string | undefined {
  const end = path.indexOf("/", 1);
  if (end > 0) return host + path.slice(0, end);
  return query === "" ? undefined : host + path;
}
