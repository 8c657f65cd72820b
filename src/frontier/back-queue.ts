import type { Candidate, Turn, Visit } from "../records.ts";
import type { StoredCandidate } from "./backlog.ts";
import { LEVELS } from "./prioritise.ts";
import { selectLevel } from "./selector.ts";

/** A candidate with its row in the ledger. What changes while it waits is mutable here and nowhere else. */
export interface Queued extends Candidate {
  readonly id: number;
  depth: number;
  level: number;
  priority: number;
  attempts: number;
  /** Not before this moment (monotonic), when the page itself asked for a pause. */
  notBefore: number;
  /** How many answers its host had given when this URL last failed; undefined if it never failed. */
  okWhenFailed: number | undefined;
  /** Failures not yet held against this URL, because its host may be to blame. */
  unspent: number;
}

/**
 * A copy from disk, as it waits in memory, and as it is let out. Field by field: they are made for every URL, and a spread of
 * objects that come from many places takes ten times as long.
 */
export function queuedOf(stored: StoredCandidate): Queued {
  return {
    id: stored.id,
    url: stored.url,
    key: stored.key,
    hash: stored.hash,
    host: stored.host,
    kind: stored.kind,
    depth: stored.depth,
    hops: stored.hops,
    via: stored.via,
    parent: stored.parent,
    siteId: stored.siteId,
    level: stored.level,
    priority: stored.priority,
    attempts: stored.attempts,
    notBefore: 0,
    okWhenFailed: undefined,
    unspent: 0,
  };
}

export function visitOf(item: Queued, turn: Turn): Visit {
  return {
    id: item.id,
    url: item.url,
    key: item.key,
    hash: item.hash,
    host: item.host,
    kind: item.kind,
    depth: item.depth,
    hops: item.hops,
    via: item.via,
    parent: item.parent,
    siteId: item.siteId,
    level: item.level,
    priority: item.priority,
    attempts: item.attempts,
    turn,
  };
}

const hasFailed = (item: Queued) => item.okWhenFailed !== undefined;

const isBefore = (a: Queued, b: Queued) => a.priority > b.priority || (a.priority === b.priority && a.id < b.id);

const EVERY_LEVEL = Array.from({ length: LEVELS }, (_, level) => level);

/** Of each front queue, the first that may go. One taking at a time. */
const nextIn = new Int32Array(LEVELS);
const hasNext = (level: number) => nextIn[level]! >= 0;

function firstOf(items: readonly Queued[], failedToo: boolean, now: number): number {
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (item.notBefore <= now && (failedToo || !hasFailed(item))) return index;
  }
  return -1;
}

const takeAt = (items: Queued[], index: number): Queued => (index === 0 ? items.shift()! : items.splice(index, 1)[0]!);

/**
 * The candidates of one host that are in memory: of each front queue the best of those on disk. It is a cache of
 * the backlog, so dropping one costs nothing: it is read again when its time comes.
 */
export class BackQueue {
  readonly #levels: Queued[][] = Array.from({ length: LEVELS }, () => []);
  readonly #ids = new Set<number>();
  /** Front queues of which more waits on disk, behind all that is here: a bit for each. */
  #cut = 0;
  /** Those of which that was heard since the disk was last read. */
  #cutSince = 0;

  get size(): number {
    return this.#ids.size;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  bestLevel(): number {
    return this.#levels.findIndex((level) => level.length > 0);
  }

  /**
   * Adds a candidate that is on disk too. Past `capacity` the worst falls out, and one that belongs behind what waits
   * on disk is left there: memory never overtakes the disk. Answers how many more now wait on disk only.
   */
  add(item: Queued, capacity: number): 0 | 1 {
    if (this.#ids.has(item.id)) return 0;
    const level = this.#levels[item.level]!;
    const last = level.at(-1);
    if ((this.#cut & (1 << item.level)) !== 0 && (!last || isBefore(last, item))) {
      this.cut(item.level);
      return 1;
    }
    this.hold(item);
    if (this.#ids.size <= capacity) return 0;
    const worst = this.#levels.findLastIndex((each) => each.length > 0);
    this.#ids.delete(this.#levels[worst]!.pop()!.id);
    this.cut(worst);
    return 1;
  }

  /** Adds a candidate whose state only memory knows, or that was just read from disk. */
  hold(item: Queued): void {
    if (this.#ids.has(item.id)) return;
    const level = this.#levels[item.level]!;
    let low = 0;
    let high = level.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(level[middle]!, item)) low = middle + 1;
      else high = middle;
    }
    level.splice(low, 0, item);
    this.#ids.add(item.id);
  }

  /** More of this front queue waits on disk. */
  cut(level: number): void {
    this.#cut |= 1 << level;
    this.#cutSince |= 1 << level;
  }

  /** What each front queue has on disk is not known yet. */
  cutAll(): void {
    this.#cut = (1 << LEVELS) - 1;
    this.#cutSince = this.#cut;
  }

  /** The disk is looked at now: what comes to it later is not among what will be found. */
  isRead(): void {
    this.#cutSince = 0;
  }

  /** All of this front queue that was found on disk is here. */
  mend(level: number): void {
    this.#cut &= ~(1 << level) | this.#cutSince;
  }

  get isCut(): boolean {
    return this.#cut !== 0;
  }

  /** Front queues that have nothing for now in memory, and more on disk. */
  lacking(now: number): number[] {
    return EVERY_LEVEL.filter((level) => this.#lacks(level, now));
  }

  isLacking(now: number): boolean {
    if (this.#cut !== 0) for (let level = 0; level < LEVELS; level++) if (this.#lacks(level, now)) return true;
    return false;
  }

  #lacks(level: number, now: number): boolean {
    return (this.#cut & (1 << level)) !== 0 && firstOf(this.#levels[level]!, false, now) < 0;
  }

  /**
   * Takes the next one that may go now, by the biased selector. One that failed before goes only if no other can: the others may
   * tell whether the host or the page is ill.
   */
  take(now: number, random: () => number): Queued | undefined {
    return this.#takeOf(false, now, random) ?? this.#takeOf(true, now, random);
  }

  #takeOf(failedToo: boolean, now: number, random: () => number): Queued | undefined {
    for (let level = 0; level < LEVELS; level++) nextIn[level] = firstOf(this.#levels[level]!, failedToo, now);
    const level = selectLevel(hasNext, random);
    if (level < 0) return undefined;
    const item = takeAt(this.#levels[level]!, nextIn[level]!);
    this.#ids.delete(item.id);
    return item;
  }

  /** When the first of those that wait for their own moment may go. */
  earliest(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const level of this.#levels) for (const item of level) earliest = Math.min(earliest, item.notBefore);
    return earliest;
  }

  /** Whether every candidate here has failed before, so none can tell a broken host from a broken page. */
  allFailed(): boolean {
    return this.#levels.every((level) => level.every(hasFailed));
  }

  /** Takes one out to be changed and added again. */
  remove(id: number): Queued | undefined {
    if (!this.#ids.has(id)) return undefined;
    for (const level of this.#levels) {
      const index = level.findIndex((item) => item.id === id);
      if (index < 0) continue;
      this.#ids.delete(id);
      return level.splice(index, 1)[0];
    }
    return undefined;
  }
}
