import type { Hash64 } from "../../core/records.ts";
import { type Branch, isEndless, isSuspect, mayBecomeMaze, mayBeMaze, newBranch } from "./branch.ts";
import { isNewContent } from "./new-content.ts";
import { type Parts, partsOf } from "./parts.ts";
import { suspect } from "./trap-suspicion.ts";

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
  readonly parentKey: number | undefined;
  readonly host: string;
  readonly branches: readonly Branch[];
}

const MAX_TWIGS = 50_000;
const MAX_FOLDERS = 2_000;
const MAX_STORED_TWIGS = 4_000;
const MAX_STORED_FOLDERS = 100;
const MAX_TEXT_HASHES = 100_000;
/** A run with a larger page limit expects a larger site, so verdicts come later in proportion. */
const BASE_PAGE_LIMIT = 10_000;
const MIN_EVIDENCE_SHARE = 0.8;
/** Limits for visits out of order: a base number, a share of all pages, and the cost of finding one maze. */
const BASE_SAMPLES = 200;
const SAMPLE_SHARE = 0.1;
const SAMPLES_PER_MAZE = 60;

/**
 * Tells a maze from a site by its shape. In a maze every page leads on to new ones, no link leads back to known pages, and paths do not
 * end before the depth limit; a tree of real pages ends in leaves, and a web of real pages links back. To decide early, the guard asks for
 * scouts: visits that go straight down. Numbered pages get more time, because items of a large store may name only new pages for long;
 * pages that repeat the same words get less.
 */
export class MazeGuard {
  readonly #limitFactor: number;
  #twigs = new Map<number, Twig>();
  #olderTwigs = new Map<number, Twig>();
  #pages = 0;
  #samples = 0;
  #mazeCount = 0;
  #textHashes = new Set<number>();
  #olderTextHashes = new Set<number>();
  /** The pages of each folder, wherever they were named: a maze may have many entrances. */
  readonly #folders = new Map<string, Branch>();

  constructor(maxPages: number) {
    this.#limitFactor = Math.max(1, maxPages / BASE_PAGE_LIMIT);
  }

  /** Number of mazes found. */
  get verdicts(): number {
    return this.#mazeCount;
  }

  /** Whether any folder may be a maze. */
  get isWary(): boolean {
    for (const folder of this.#folders.values()) if (mayBecomeMaze(folder)) return true;
    return this.#mazeCount > 0;
  }

  admit(hash: Hash64, url: string): boolean {
    const branches = this.#twigOf(keyOf(hash))?.branches ?? [];
    return !branches.some(({ isMaze }) => isMaze) && !this.#folders.get(folderOf(partsOf(url) ?? NO_PARTS) ?? "")?.isMaze;
  }

  /** Whether the text of this page matters for a verdict. */
  doubts(hash: Hash64, url: string): boolean {
    const folder = this.#folders.get(folderOf(partsOf(url) ?? NO_PARTS) ?? "");
    return (folder !== undefined && mayBecomeMaze(folder)) || (this.#twigOf(keyOf(hash))?.branches.some(mayBecomeMaze) ?? false);
  }

  /** Call for each page whose links are followed; returns the new links to visit next, if that helps a decision. */
  learn(page: PageLinks): readonly Hash64[] {
    const key = keyOf(page.hash);
    const parts = partsOf(page.url) ?? NO_PARTS;
    const { host } = parts;
    const twig = this.#twigOf(key) ?? { parentKey: undefined, host, branches: [] };
    const branches = twig.branches.filter(mayBeMaze);
    // Sequential numbers suggest a finite collection; pagination has its own guard.
    const isNumbered = hasNumber(parts) && suspect(page.url, undefined)?.kind !== "trap.pagination";
    const found = page.fresh.length + page.beyond;
    const backLinks = this.#countBackLinks(key, twig, page.second, branches.length === 0);
    const isOnOtherHost = twig.host !== host;
    const isAtLimit = page.fresh.length === 0 && found > 1;
    const isNew = page.says !== undefined && this.#isNew(page.says);
    this.#pages += 1;
    const folder = this.#folderOf(parts);
    const affectedBranches = folder ? [folder, ...branches] : branches;
    for (const branch of affectedBranches) {
      branch.pages += 1;
      branch.requests += isOnOtherHost ? 2 : 1;
      branch.abroad += isOnOtherHost ? 1 : 0;
      branch.fresh += found;
      branch.back += backLinks;
      branch.bottoms += isAtLimit ? 1 : 0;
      branch.ends += found === 0 ? 1 : 0;
      branch.numbered += found > 0 && isNumbered ? 1 : 0;
      branch.heard += page.says ? 1 : 0;
      branch.news += isNew ? 1 : 0;
      branch.mixed += page.isMixed ? 1 : 0;
    }
    if (isAtLimit) this.#updateVerdict(affectedBranches);
    // The whole site lies below its seeds, so no branch begins at one.
    if (backLinks === 0 && found > 1 && page.depth > 0) branches.push(newBranch());
    if (branches.length === 0) return [];
    this.#storeTwig(key, { ...twig, branches });
    for (const link of page.fresh) this.#storeTwig(keyOf(link), { parentKey: key, host, branches });
    return this.#chooseSamples(affectedBranches, page.fresh);
  }

  /** A redirect passes its branches on to its target; returns true if the target should be visited next. */
  moved(from: { hash: Hash64; url: string }, to: { hash: Hash64; url: string }): boolean {
    const twig = this.#twigOf(keyOf(from.hash));
    if (!twig) return false;
    // A redirect from `/a` to `/en/a/` is normal on any site.
    const isExtraRequest = lastNameOf(from.url) !== lastNameOf(to.url);
    for (const branch of twig.branches) branch.requests += isExtraRequest ? 1 : 0;
    this.#storeTwig(keyOf(to.hash), twig);
    return twig.branches.some(isSuspect);
  }

  snapshot(): MazeMemory {
    const isMaze = (branch: Branch) => branch.isMaze;
    const folders = [...this.#folders].filter(([, folder]) => folder.isMaze || mayBecomeMaze(folder));
    const twigs = [...this.#olderTwigs, ...this.#twigs].filter(([, { branches }]) => branches.some(isMaze)).map(([key]) => key);
    return { folders: folders.slice(-MAX_STORED_FOLDERS), twigs: twigs.slice(-MAX_STORED_TWIGS) };
  }

  restore({ folders, twigs }: MazeMemory): void {
    const maze = { ...newBranch(), isMaze: true };
    for (const [name, folder] of folders) this.#folders.set(name, { ...folder });
    for (const key of twigs) this.#storeTwig(key, { parentKey: undefined, host: "", branches: [maze] });
  }

  /** Quarantine the deepest branch that still contains ≥ 80 % of the evidence against the widest endless one. */
  #updateVerdict(branches: readonly Branch[]): void {
    const endless = branches.some(({ isMaze }) => isMaze) ? undefined : branches.find((branch) => isEndless(branch, this.#limitFactor));
    const maze = endless && branches.findLast(({ bottoms }) => bottoms >= MIN_EVIDENCE_SHARE * endless.bottoms);
    if (!maze) return;
    maze.isMaze = true;
    this.#mazeCount += 1;
    this.#samples -= SAMPLES_PER_MAZE;
  }

  #isNew(says: Uint32Array): boolean {
    let newCount = 0;
    for (const words of says) {
      if (!this.#textHashes.has(words) && !this.#olderTextHashes.has(words)) newCount += 1;
      this.#textHashes.add(words);
    }
    if (this.#textHashes.size >= MAX_TEXT_HASHES / 2) {
      this.#olderTextHashes = this.#textHashes;
      this.#textHashes = new Set();
    }
    return isNewContent(newCount, says.length);
  }

  #folderOf(parts: Parts): Branch | undefined {
    const name = folderOf(parts);
    if (name === undefined) return undefined;
    const known = this.#folders.get(name);
    const folder = known ?? newBranch();
    if (!known && this.#folders.size < MAX_FOLDERS) this.#folders.set(name, folder);
    return folder;
  }

  /** Counts links back to known pages, except to ancestors of this page and to links that those ancestors named. */
  #countBackLinks(key: number, twig: Twig, second: Iterable<Hash64>, stopAtFirst: boolean): number {
    const ancestors = new Set([key]);
    for (
      let parentKey = twig.parentKey;
      parentKey !== undefined && !ancestors.has(parentKey);
      parentKey = this.#twigOf(parentKey)?.parentKey
    )
      ancestors.add(parentKey);
    let count = 0;
    for (const hash of second) {
      const parentKey = this.#twigOf(keyOf(hash))?.parentKey;
      if (ancestors.has(keyOf(hash)) || (parentKey !== undefined && ancestors.has(parentKey))) continue;
      count += 1;
      if (stopAtFirst) break;
    }
    return count;
  }

  #chooseSamples(branches: readonly Branch[], fresh: readonly Hash64[]): readonly Hash64[] {
    const maySample = fresh.length > 0 && this.#samples < BASE_SAMPLES + this.#pages * SAMPLE_SHARE;
    const suspected = maySample ? branches.filter(isSuspect) : [];
    if (suspected.length === 0) return [];
    // Where some paths end, a second scout is sent.
    const sampleCount = suspected.some(({ ends }) => ends > 0) ? 2 : 1;
    this.#samples += 1;
    // The same choice whenever the page is read, but one that a site cannot predict, because hashes are keyed.
    return [...fresh].sort((a, b) => a.lo - b.lo).slice(0, sampleCount);
  }

  #twigOf(key: number): Twig | undefined {
    return this.#twigs.get(key) ?? this.#olderTwigs.get(key);
  }

  /** The older half is dropped at once: finding the single oldest entry of a large map costs more than everything else. */
  #storeTwig(key: number, twig: Twig): void {
    this.#twigs.set(key, twig);
    if (this.#twigs.size < MAX_TWIGS / 2) return;
    this.#olderTwigs = this.#twigs;
    this.#twigs = new Map();
  }
}

const keyOf = ({ hi, lo }: Hash64): number => hi * 2 ** 21 + (lo >>> 11);

const NO_PARTS: Parts = { hostname: "", host: "", origin: "", path: "/", query: "" };

function lastNameOf(url: string): string {
  const { path, query } = partsOf(url) ?? NO_PARTS;
  return path.replace(/\/$/, "").split("/").at(-1)!.toLowerCase() + query;
}

/** One number of up to seven digits on its own, near the end. Several numbers could be random: /room/17/door/3. */
function hasNumber({ path, query }: Parts): boolean {
  const isLast = SINGLE_NUMBER.test(path.slice(path.lastIndexOf("/")) + query);
  return isLast && (path + query).match(NUMBERS)?.length === 1;
}

const SINGLE_NUMBER = /(?:^|[^0-9a-z])\d{1,7}(?:[^0-9a-z]|$)/i;
const NUMBERS = /\d+/g;

/** The first segment of the path; undefined for pages next to the front page, which have nothing in common. */
function folderOf({ host, path, query }: Parts): string | undefined {
  const end = path.indexOf("/", 1);
  if (end > 0) return host + path.slice(0, end);
  return query === "" ? undefined : host + path;
}
