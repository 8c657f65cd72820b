import type { BlockHashes, Hash64 } from "../../core/records.ts";
import { ListExtent, type ListExtentMemory, type Step } from "./list-extent.ts";
import { isNewContent } from "./new-content.ts";
import type { TrapSuspicion } from "./trap-suspicion.ts";

/** Where a page leads, besides to pages of its own template. */
export interface Places {
  /** Number of new URLs that belong to no possible trap. */
  readonly fresh: number;
  /** Templates of the new URLs that may belong to a trap. */
  readonly onward: readonly string[];
  /** For a list: hashes of all named URLs that belong to no possible trap. */
  readonly named: readonly number[];
  /** For a list or calendar: its links to further pages of it, and how many clicks may still follow them. */
  readonly steps: readonly Step[];
  readonly left: number;
}

/** Plain data, kept small because it is written periodically for a resumed run. */
export interface TemplateHistoryMemory {
  readonly visits: number;
  readonly rawNews: readonly boolean[];
  readonly maskedNews: readonly boolean[];
  readonly leads: readonly boolean[];
  readonly onward: readonly string[];
  readonly selections: readonly string[];
  readonly sets: readonly (readonly number[])[];
  readonly reach: ListExtentMemory;
}

/** Hashes stored per set: the latest are enough to recognise pages of the same kind. */
const MAX_STORED_HASHES = 128;
const WINDOW_SIZE = 16;
/** One visit of the window may be new, because the first always is. */
const MAX_NEW_VISITS_OF_TRAP = 1;
/** Smallest share of new blocks: a changing quote or counter on a known page is not news. */
const MIN_NEW_SHARE = 0.05;
/** This many different sets of filters mean a program that combines them, and not pages that happen to have two parameters. */
const MIN_FILTER_SETS = 3;
const MAX_ONWARD = 8;

/** What the pages of one template brought: text and links that its earlier pages did not have. */
export class TemplateHistory {
  #visits = 0;
  /** For the latest visits: whether the text was new as it is, and whether it was new after masking. */
  readonly #rawNews: boolean[] = [];
  readonly #maskedNews: boolean[] = [];
  /** For the latest visits: whether the page led to URLs outside its template. */
  readonly #leads: boolean[] = [];
  #reach = new ListExtent();
  /** Other templates that its pages lead on to. */
  readonly #onward = new Set<string>();
  readonly #selections = new Set<string>();
  readonly #raw = new Set<number>();
  readonly #unlinked = new Set<number>();
  readonly #masked = new Set<number>();
  readonly #places = new Set<number>();

  get visits(): number {
    return this.#visits;
  }

  get onward(): ReadonlySet<string> {
    return this.#onward;
  }

  /** Number of hashes held. */
  get size(): number {
    return this.#sets.reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether its latest pages had no text of their own. */
  get hasNoNewText(): boolean {
    return hasHardlyAnyNew(this.#maskedNews);
  }

  /** Whether its latest pages led nowhere else. */
  get leadsNowhere(): boolean {
    return this.#leads.length >= WINDOW_SIZE && !this.#leads.includes(true);
  }

  /** Whether it goes on further than the depth limit allows, in either direction. */
  get isEndless(): boolean {
    return this.#reach.isEndlessAbove || this.#reach.isEndlessBelow;
  }

  get isEndlessBothWays(): boolean {
    return this.#reach.isEndlessAbove && this.#reach.isEndlessBelow;
  }

  /** For a list or calendar: the furthest known pages, each once. */
  takeUnvisitedEnds(): readonly Hash64[] {
    return this.#reach.takeUnvisited();
  }

  get #sets(): readonly Set<number>[] {
    return [this.#raw, this.#unlinked, this.#masked, this.#places];
  }

  learn(suspicion: TrapSuspicion, blocks: BlockHashes, places: Places, maxHashes: number): void {
    this.#visits += 1;
    if (suspicion.selection !== undefined && this.#selections.size < MIN_FILTER_SETS) this.#selections.add(suspicion.selection);
    for (const other of places.onward) {
      if (other !== suspicion.template && this.#onward.size < MAX_ONWARD) this.#onward.add(other);
    }
    const leads = this.#leadsToNew(suspicion, places, maxHashes);
    pushLatest(this.#leads, leads);
    const raw = addHashes(this.#raw, blocks.raw, maxHashes);
    const masked = addHashes(this.#masked, blocks.masked, maxHashes);
    const unlinked = addHashes(this.#unlinked, blocks.unlinked, maxHashes);
    pushLatest(this.#rawNews, leads || (raw.newCount > 0 && raw.newCount >= raw.size * MIN_NEW_SHARE));
    // A table of numbers or a list of numbered items is new as a whole; a single counter is not.
    const hasNewNumbers = suspicion.kind === "trap.pagination" && unlinked.newCount >= 3 && unlinked.newCount > unlinked.size / 2;
    // Honest sites recombine names in URLs too. There, any text besides the words of URL and links counts as news; so does a page with no
    // text at all.
    const hasOwnText = suspicion.isMixed !== undefined && (unlinked.newCount > 0 || (suspicion.isMixed === "path" && unlinked.size <= 1));
    const hasNoText = suspicion.isFilter === true && unlinked.size === 0;
    pushLatest(this.#maskedNews, leads || hasOwnText || hasNoText || hasNewNumbers || isNewContent(masked.newCount, masked.size));
    if (suspicion.at !== undefined) this.#reach.learn(suspicion.at, places.steps, places.left);
  }

  /** Items of a list may be known from elsewhere, and are still new to this list. */
  #leadsToNew({ kind }: TrapSuspicion, { fresh, named }: Places, maxHashes: number): boolean {
    if (kind !== "trap.pagination") return fresh > 0;
    const before = this.#places.size;
    for (const place of named) if (this.#places.size < maxHashes) this.#places.add(place);
    return fresh > 0 || this.#places.size > before;
  }

  /**
   * In a calendar other dates are not news, nor are other words for the same selection in a shop; so masked text decides there. Elsewhere
   * a number may be all that distinguishes two pages.
   */
  bringsNothingNew({ kind, isMixed, isFilter }: TrapSuspicion): boolean {
    const isMasked = kind === "trap.calendar" || isMixed || isFilter || this.#selections.size >= MIN_FILTER_SETS;
    return hasHardlyAnyNew(isMasked ? this.#maskedNews : this.#rawNews);
  }

  snapshot(): TemplateHistoryMemory {
    return {
      visits: this.#visits,
      rawNews: [...this.#rawNews],
      maskedNews: [...this.#maskedNews],
      leads: [...this.#leads],
      onward: [...this.#onward],
      selections: [...this.#selections],
      sets: this.#sets.map((set) => [...set].slice(-MAX_STORED_HASHES)),
      reach: this.#reach.snapshot(),
    };
  }

  static from(memory: TemplateHistoryMemory): TemplateHistory {
    const history = new TemplateHistory();
    history.#visits = memory.visits;
    history.#rawNews.push(...memory.rawNews);
    history.#maskedNews.push(...memory.maskedNews);
    history.#leads.push(...memory.leads);
    history.#reach = new ListExtent(memory.reach);
    for (const other of memory.onward) history.#onward.add(other);
    for (const selection of memory.selections) history.#selections.add(selection);
    for (const [index, set] of history.#sets.entries()) for (const hash of memory.sets[index] ?? []) set.add(hash);
    return history;
  }
}

const hasHardlyAnyNew = (newCount: readonly boolean[]) => newCount.filter(Boolean).length <= MAX_NEW_VISITS_OF_TRAP;

function pushLatest(latest: boolean[], value: boolean): void {
  latest.push(value);
  if (latest.length > WINDOW_SIZE) latest.shift();
}

function addHashes(known: Set<number>, hashes: Uint32Array, maxHashes: number): { newCount: number; size: number } {
  const onPage = new Set(hashes);
  let newCount = 0;
  for (const hash of onPage) {
    // Repeated hashes move to the end, so that blocks of every page are not the first to be evicted.
    if (!known.delete(hash)) newCount += 1;
    known.add(hash);
  }
  for (const oldest of known) {
    if (known.size <= maxHashes) break;
    known.delete(oldest);
  }
  return { newCount, size: onPage.size };
}
