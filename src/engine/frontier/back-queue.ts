import type { Candidate, Turn, Visit } from "../../core/records.ts";
import { LEVELS } from "../../core/records.ts";
import type { StoredCandidate } from "../../store/index.ts";
import { selectLevel } from "./selector.ts";

/** A candidate with its ledger row. Its state while queued is mutable here and nowhere else. */
export interface Queued extends Candidate {
  readonly id: number;
  depth: number;
  level: number;
  priority: number;
  attempts: number;
  /** Not before this time (monotonic), if the page itself asked for a pause. */
  notBefore: number;
  /** How many responses its host had given when this URL last failed; undefined if it never failed. */
  okWhenFailed: number | undefined;
  /** Failures not counted against this URL yet, because its host may be the cause. */
  unspent: number;
}

/**
 * Copies a stored candidate, and a queued one into a visit. Field by field, because this runs for every URL, and spreading objects of
 * different shapes takes ten times as long.
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

/** For each front queue, the index of its first candidate that may go. Shared, because only one `take` runs at a time. */
const nextIndex = new Int32Array(LEVELS);
const hasNext = (level: number) => nextIndex[level]! >= 0;

function firstReady(items: readonly Queued[], includeFailed: boolean, now: number): number {
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (item.notBefore <= now && (includeFailed || !hasFailed(item))) return index;
  }
  return -1;
}

const takeAt = (items: Queued[], index: number): Queued => (index === 0 ? items.shift()! : items.splice(index, 1)[0]!);

/**
 * The candidates of one host in memory: from each front queue the best of those on disk. It is a cache of the backlog, so a dropped
 * candidate is simply read again later.
 */
export class BackQueue {
  readonly #levels: Queued[][] = Array.from({ length: LEVELS }, () => []);
  readonly #ids = new Set<number>();
  /** Front queues that have more candidates on disk, ranked after all those in memory: one bit each. */
  #cut = 0;
  /** Front queues that got such candidates since the disk was last read. */
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
   * Adds a candidate that is also on disk. Above `capacity` the worst one is dropped, and one that ranks after candidates that are only on
   * disk is not added: memory never overtakes the disk. Returns how many more candidates are only on disk now.
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

  /** Adds a candidate whose state exists only in memory, or that was just read from disk. */
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

  /** Marks that this front queue has more candidates on disk. */
  cut(level: number): void {
    this.#cut |= 1 << level;
    this.#cutSince |= 1 << level;
  }

  /** Marks all front queues: it is not known yet what each has on disk. */
  cutAll(): void {
    this.#cut = (1 << LEVELS) - 1;
    this.#cutSince = this.#cut;
  }

  /** Called when a read from disk starts: candidates stored later will not be in its result. */
  isRead(): void {
    this.#cutSince = 0;
  }

  /** Everything found on disk for this front queue is in memory. */
  mend(level: number): void {
    this.#cut &= ~(1 << level) | this.#cutSince;
  }

  get isCut(): boolean {
    return this.#cut !== 0;
  }

  /** Front queues without a candidate for now in memory, but with more on disk. */
  lacking(now: number): number[] {
    return EVERY_LEVEL.filter((level) => this.#lacks(level, now));
  }

  isLacking(now: number): boolean {
    if (this.#cut !== 0) for (let level = 0; level < LEVELS; level++) if (this.#lacks(level, now)) return true;
    return false;
  }

  #lacks(level: number, now: number): boolean {
    return (this.#cut & (1 << level)) !== 0 && firstReady(this.#levels[level]!, false, now) < 0;
  }

  /**
   * Takes the next candidate that may go now, by the biased selector. One that failed before goes only if there is no other, because the
   * others may show whether the host or the page is the problem.
   */
  take(now: number, random: () => number): Queued | undefined {
    return this.#takeFrom(false, now, random) ?? this.#takeFrom(true, now, random);
  }

  #takeFrom(includeFailed: boolean, now: number, random: () => number): Queued | undefined {
    for (let level = 0; level < LEVELS; level++) nextIndex[level] = firstReady(this.#levels[level]!, includeFailed, now);
    const level = selectLevel(hasNext, random);
    if (level < 0) return undefined;
    const item = takeAt(this.#levels[level]!, nextIndex[level]!);
    this.#ids.delete(item.id);
    return item;
  }

  /** The earliest time at which a delayed candidate may go. */
  earliest(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const level of this.#levels) for (const item of level) earliest = Math.min(earliest, item.notBefore);
    return earliest;
  }

  /** Whether every candidate in memory has failed before, so that none can distinguish a broken host from a broken page. */
  allFailed(): boolean {
    return this.#levels.every((level) => level.every(hasFailed));
  }

  /** Removes a candidate, to be changed and added again. */
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
