import type { Hash64 } from "../records.ts";
import { type Branch, isDoubtful, isEndless, isSuspect, mayBeMaze, newBranch } from "./branch.ts";
import { isNews } from "./news.ts";
import { type Parts, partsOf } from "./parts.ts";
import { suspect } from "./suspect.ts";

/** A page and the result for its links. */
export interface PageLinks {
  readonly url: string;
  readonly hash: Hash64;
  readonly depth: number;
  /** New links that are queued for a visit. */
  readonly fresh: readonly Hash64[];
  /** Number of further new links past a limit: too deep or too long. */
  readonly beyond: number;
  /** Links that one other page had named before, two clicks or more from the seeds; nearer links are menus and footers. */
  readonly second: Iterable<Hash64>;
  /** Hashes of its text, for pages under suspicion: without numbers, dates, and the words of its URL and links. */
  readonly says?: Uint32Array | undefined;
  /** Whether all parts of its URL are known from other URLs. */
  readonly isMixed?: boolean | undefined;
}

/** Plain data for a resumed run: folders that are or may be mazes, and queued URLs inside a maze. */
export interface MazeMemory {
  readonly folders: readonly (readonly [name: string, branch: Branch])[];
  readonly twigs: readonly number[];
}

/** A named URL: the page that named it, and the branches it lies in, the widest first. */
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
/** A run with a larger page limit expects a larger site, so verdicts come later in proportion. */
const USUAL_PAGES = 10_000;
const NEARLY_ALL = 0.8;
/** Limits for visits out of order: a base number, a share of all pages, and the cost of finding one maze. */
const SCOUTS = 200;
const SCOUT_SHARE = 0.1;
const SCOUTS_PER_MAZE = 60;

/**
 * Tells a maze from a site by its shape. In a maze every page leads on to new ones, no link leads back to known pages, and paths do not
 * end before the depth limit; a tree of real pages ends in leaves, and a web of real pages links back. To decide early, the guard asks for
 * scouts: visits that go straight down. Numbered pages get more time, because items of a large store may name only new pages for long;
 * pages that repeat the same words get less.
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
  /** The pages of each folder, wherever they were named: a maze may have many entrances. */
  readonly #folders = new Map<string, Branch>();

  constructor(maxPages: number) {
    this.#patience = Math.max(1, maxPages / USUAL_PAGES);
  }

  /** Number of mazes found. */
  get verdicts(): number {
    return this.#mazes;
  }

  /** Whether any folder may be a maze. */
  get isWary(): boolean {
    for (const folder of this.#folders.values()) if (isDoubtful(folder)) return true;
    return this.#mazes > 0;
  }

  admit(hash: Hash64, url: string): boolean {
    const branches = this.#twigOf(keyOf(hash))?.branches ?? [];
    return !branches.some(({ isMaze }) => isMaze) && !this.#folders.get(folderOf(partsOf(url) ?? NOWHERE) ?? "")?.isMaze;
  }

  /** Whether the text of this page matters for a verdict. */
  doubts(hash: Hash64, url: string): boolean {
    const folder = this.#folders.get(folderOf(partsOf(url) ?? NOWHERE) ?? "");
    return (folder !== undefined && isDoubtful(folder)) || (this.#twigOf(keyOf(hash))?.branches.some(isDoubtful) ?? false);
  }

  /** Call for each page whose links are followed; returns the new links to visit next, if that helps a decision. */
  learn(page: PageLinks): readonly Hash64[] {
    const key = keyOf(page.hash);
    const parts = partsOf(page.url) ?? NOWHERE;
    const { host } = parts;
    const twig = this.#twigOf(key) ?? { by: undefined, host, branches: [] };
    const branches = twig.branches.filter(mayBeMaze);
    // Sequential numbers suggest a finite collection; pagination has its own guard.
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
    // The whole site lies below its seeds, so no branch begins at one.
    if (back === 0 && found > 1 && page.depth > 0) branches.push(newBranch());
    if (branches.length === 0) return [];
    this.#keep(key, { ...twig, branches });
    for (const link of page.fresh) this.#keep(keyOf(link), { by: key, host, branches });
    return this.#scout(holders, page.fresh);
  }

  /** A redirect passes its branches on to its target; returns true if the target should be visited next. */
  moved(from: { hash: Hash64; url: string }, to: { hash: Hash64; url: string }): boolean {
    const twig = this.#twigOf(keyOf(from.hash));
    if (!twig) return false;
    // A redirect from `/a` to `/en/a/` is normal on any site.
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

  /** Quarantine the deepest branch that still contains ≥ 80 % of the evidence against the widest endless one. */
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

  /** Counts links back to known pages, except to ancestors of this page and to links that those ancestors named. */
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
    // Where some paths end, a second scout is sent.
    const ways = suspected.some(({ ends }) => ends > 0) ? 2 : 1;
    this.#scouts += 1;
    // The same choice whenever the page is read, but one that a site cannot predict, because hashes are keyed.
    return [...fresh].sort((a, b) => a.lo - b.lo).slice(0, ways);
  }

  #twigOf(key: number): Twig | undefined {
    return this.#twigs.get(key) ?? this.#olderTwigs.get(key);
  }

  /** The older half is dropped at once: finding the single oldest entry of a large map costs more than everything else. */
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

/** One number of up to seven digits on its own, near the end. Several numbers could be random: /room/17/door/3. */
function hasNumber({ path, query }: Parts): boolean {
  const isLast = ALONE.test(path.slice(path.lastIndexOf("/")) + query);
  return isLast && (path + query).match(NUMBERS)?.length === 1;
}

const ALONE = /(?:^|[^0-9a-z])\d{1,7}(?:[^0-9a-z]|$)/i;
const NUMBERS = /\d+/g;

/** The first segment of the path; undefined for pages next to the front page, which have nothing in common. */
function folderOf({ host, path, query }: Parts): string | undefined {
  const end = path.indexOf("/", 1);
  if (end > 0) return host + path.slice(0, end);
  return query === "" ? undefined : host + path;
}
