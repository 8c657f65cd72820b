import type { Hash64 } from "../records.ts";
import { type Branch, isDoubtful, isEndless, isSuspect, mayBeMaze, newBranch } from "./branch.ts";
import { isNews } from "./news.ts";
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
  /** What it says, in hashes, if it was doubted: all but numbers, dates, and the words of its URL and its links. */
  readonly says?: Uint32Array | undefined;
  /** Whether its URL is mixed of parts that others had. */
  readonly isMixed?: boolean | undefined;
}

/** Plain data, for a resumed run: folders that are or may be mazes, and URLs that wait in one. */
export interface MazeMemory {
  readonly folders: readonly (readonly [name: string, branch: Branch])[];
  readonly twigs: readonly number[];
}

/** A URL that was named: by whom, and the branches it lies in, the widest first. */
interface Twig {
  readonly by: number | undefined;
  readonly host: string;
  readonly branches: readonly Branch[];
}

const MOST_TWIGS = 50_000;
const MOST_FOLDERS = 2_000;
const MOST_KEPT = 4_000;
const MOST_FOLDERS_KEPT = 100;
const MOST_SAID = 100_000;
/** Who asks for more pages than these knows of a large site: judgement comes later by as much. */
const USUAL_PAGES = 10_000;
const NEARLY_ALL = 0.8;
/** Visits out of their order: a share of all, and those that a maze cost to find. */
const SCOUTS = 200;
const SCOUT_SHARE = 0.1;
const SCOUTS_PER_MAZE = 60;

/**
 * Tells a maze from a site by its shape. In a maze every page leads on to new ones, none leads back into what is known, and ways down
 * do not end before the depth limit; a tree of real pages ends in leaves, and a web of real pages leads back. To find out soon, the guard
 * asks for scouts: visits that go straight down. Where somebody numbered the pages it is patient, as items of a large store may well name
 * only new ones for a long time; where page after page says the same words it is not.
 */
export class MazeGuard {
  readonly #patience: number;
  #twigs = new Map<number, Twig>();
  #olderTwigs = new Map<number, Twig>();
  #pages = 0;
  #scouts = 0;
  #mazes = 0;
  #said = new Set<number>();
  #saidBefore = new Set<number>();
  /** The pages of a folder, wherever they were heard of: a maze may have many doors. */
  readonly #folders = new Map<string, Branch>();

  constructor(maxPages: number) {
    this.#patience = Math.max(1, maxPages / USUAL_PAGES);
  }

  /** How many mazes were found. */
  get verdicts(): number {
    return this.#mazes;
  }

  /** Whether there is a folder that could be a maze. */
  get isWary(): boolean {
    for (const folder of this.#folders.values()) if (isDoubtful(folder)) return true;
    return this.#mazes > 0;
  }

  admit(hash: Hash64, url: string): boolean {
    const branches = this.#twigOf(keyOf(hash))?.branches ?? [];
    return !branches.some(({ isMaze }) => isMaze) && !this.#folders.get(folderOf(partsOf(url) ?? NOWHERE) ?? "")?.isMaze;
  }

  /** Whether it matters what this page says. */
  doubts(hash: Hash64, url: string): boolean {
    const folder = this.#folders.get(folderOf(partsOf(url) ?? NOWHERE) ?? "");
    return (folder !== undefined && isDoubtful(folder)) || (this.#twigOf(keyOf(hash))?.branches.some(isDoubtful) ?? false);
  }

  /** To be told of every page that is followed; answers which of its fresh links to visit next, if it matters. */
  learn(page: PageLinks): readonly Hash64[] {
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
    const isBottom = page.fresh.length === 0 && found > 1;
    const isNew = page.says !== undefined && this.#isNew(page.says);
    this.#pages += 1;
    const folder = this.#folderOf(parts);
    const holders = folder ? [folder, ...branches] : branches;
    for (const branch of holders) {
      branch.pages += 1;
      branch.requests += isElsewhere ? 2 : 1;
      branch.abroad += isElsewhere ? 1 : 0;
      branch.fresh += found;
      branch.back += back;
      branch.bottoms += isBottom ? 1 : 0;
      branch.ends += found === 0 ? 1 : 0;
      branch.numbered += found > 0 && isNumbered ? 1 : 0;
      branch.heard += page.says ? 1 : 0;
      branch.news += isNew ? 1 : 0;
      branch.mixed += page.isMixed ? 1 : 0;
    }
    if (isBottom) this.#judge(holders);
    // All of a site lies below its seeds, so no branch begins there.
    if (back === 0 && found > 1 && page.depth > 0) branches.push(newBranch());
    if (branches.length === 0) return [];
    this.#keep(key, { ...twig, branches });
    for (const link of page.fresh) this.#keep(keyOf(link), { by: key, host, branches });
    return this.#scout(holders, page.fresh);
  }

  /** A redirect passes its place on to its target; answers whether the target is to be visited next. */
  moved(from: { hash: Hash64; url: string }, to: { hash: Hash64; url: string }): boolean {
    const twig = this.#twigOf(keyOf(from.hash));
    if (!twig) return false;
    // `/a` that is now `/en/a/` is what any site does.
    const isCost = nameOf(from.url) !== nameOf(to.url);
    for (const branch of twig.branches) branch.requests += isCost ? 1 : 0;
    this.#keep(keyOf(to.hash), twig);
    return twig.branches.some(isSuspect);
  }

  snapshot(): MazeMemory {
    const isMaze = (branch: Branch) => branch.isMaze;
    const folders = [...this.#folders].filter(([, folder]) => folder.isMaze || isDoubtful(folder));
    const twigs = [...this.#olderTwigs, ...this.#twigs].filter(([, { branches }]) => branches.some(isMaze)).map(([key]) => key);
    return { folders: folders.slice(-MOST_FOLDERS_KEPT), twigs: twigs.slice(-MOST_KEPT) };
  }

  restore({ folders, twigs }: MazeMemory): void {
    const maze = { ...newBranch(), isMaze: true };
    for (const [name, folder] of folders) this.#folders.set(name, { ...folder });
    for (const key of twigs) this.#keep(key, { by: undefined, host: "", branches: [maze] });
  }

  /** To blame is the narrowest branch that holds nearly all of what speaks against the widest that seems endless. */
  #judge(branches: readonly Branch[]): void {
    const endless = branches.some(({ isMaze }) => isMaze) ? undefined : branches.find((branch) => isEndless(branch, this.#patience));
    const guilty = endless && branches.findLast(({ bottoms }) => bottoms >= NEARLY_ALL * endless.bottoms);
    if (!guilty) return;
    guilty.isMaze = true;
    this.#mazes += 1;
    this.#scouts -= SCOUTS_PER_MAZE;
  }

  #isNew(says: Uint32Array): boolean {
    let news = 0;
    for (const words of says) {
      if (!this.#said.has(words) && !this.#saidBefore.has(words)) news += 1;
      this.#said.add(words);
    }
    if (this.#said.size >= MOST_SAID / 2) {
      this.#saidBefore = this.#said;
      this.#said = new Set();
    }
    return isNews(news, says.length);
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

  #scout(branches: readonly Branch[], fresh: readonly Hash64[]): readonly Hash64[] {
    const mayAsk = fresh.length > 0 && this.#scouts < SCOUTS + this.#pages * SCOUT_SHARE;
    const suspected = mayAsk ? branches.filter(isSuspect) : [];
    if (suspected.length === 0) return [];
    // Where ways end blindly, another one is needed to go on by.
    const ways = suspected.some(({ ends }) => ends > 0) ? 2 : 1;
    this.#scouts += 1;
    // The same choice whenever the same page is read, but none that a site could foresee: hashes are keyed.
    return [...fresh].sort((a, b) => a.lo - b.lo).slice(0, ways);
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

const keyOf = ({ hi, lo }: Hash64): number => hi * 2 ** 21 + (lo >>> 11);

const NOWHERE: Parts = { hostname: "", host: "", origin: "", path: "/", query: "" };

function nameOf(url: string): string {
  const { path, query } = partsOf(url) ?? NOWHERE;
  return path.replace(/\/$/, "").split("/").at(-1)!.toLowerCase() + query;
}

/** One number of up to seven digits that stands alone, near the end. Several could be drawn at random: /room/17/door/3. */
function hasNumber({ path, query }: Parts): boolean {
  const isLast = ALONE.test(path.slice(path.lastIndexOf("/")) + query);
  return isLast && (path + query).match(NUMBERS)?.length === 1;
}

const ALONE = /(?:^|[^0-9a-z])\d{1,7}(?:[^0-9a-z]|$)/i;
const NUMBERS = /\d+/g;

/** The first part of the path; undefined for pages that lie beside the front page, where everything may be. */
function folderOf({ host, path, query }: Parts): string | undefined {
  const end = path.indexOf("/", 1);
  if (end > 0) return host + path.slice(0, end);
  return query === "" ? undefined : host + path;
}
