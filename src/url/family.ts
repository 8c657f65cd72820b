import type { BlockHashes, Hash64 } from "../records.ts";
import { isNews } from "./news.ts";
import { Reach, type ReachMemory, type Step } from "./reach.ts";
import type { TrapSuspicion } from "./suspect.ts";

/** Where a page leads, besides to more of its like. */
export interface Places {
  /** How many URLs nobody had named before that could belong to no trap. */
  readonly fresh: number;
  /** Of those that nobody had named before and that could, their templates. */
  readonly onward: readonly string[];
  /** Of a list: hashes of all URLs it named that could belong to no trap. */
  readonly named: readonly number[];
  /** Of a list or calendar: its links to more of the same, and how many clicks may follow on those. */
  readonly steps: readonly Step[];
  readonly left: number;
}

/** Plain data, and little of it: it is written with every batch of a resumed run. */
export interface FamilyMemory {
  readonly visits: number;
  readonly rawNews: readonly boolean[];
  readonly maskedNews: readonly boolean[];
  readonly leads: readonly boolean[];
  readonly onward: readonly string[];
  readonly selections: readonly string[];
  readonly sets: readonly (readonly number[])[];
  readonly reach: ReachMemory;
}

/** Of the hashes, the latest are enough to know a page of the same kind again. */
const MOST_KEPT = 128;
const WINDOW = 16;
/** One visit of the window may still be new: the first one always is. */
const NOVEL_VISITS_OF_A_TRAP = 1;
/** A changing quote or counter on an otherwise known page is not news. */
const NEWS_SHARE = 0.05;
/** So many different sets of filters are a program that combines them, not pages that happen to have two parameters. */
const SELECTIONS_OF_A_FILTER = 3;
const MOST_ONWARD = 8;

/** What the pages of one template brought: texts and places that its earlier pages did not have. */
export class Family {
  #visits = 0;
  /** Of the latest visits: said something new as it is; and by its own words. */
  readonly #rawNews: boolean[] = [];
  readonly #maskedNews: boolean[] = [];
  /** And led to what is no part of it. */
  readonly #leads: boolean[] = [];
  #reach = new Reach();
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

  /** Hashes held. */
  get size(): number {
    return this.#sets.reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether its latest pages had no words of their own. */
  get isStale(): boolean {
    return isTrap(this.#maskedNews);
  }

  /** Whether its latest pages led nowhere else. */
  get isClosed(): boolean {
    return this.#leads.length >= WINDOW && !this.#leads.includes(true);
  }

  /** Whether it goes on further than anyone may follow, up or down, and in both directions. */
  get isOpen(): boolean {
    return this.#reach.isOpenAbove || this.#reach.isOpenBelow;
  }

  get isOpenBothWays(): boolean {
    return this.#reach.isOpenAbove && this.#reach.isOpenBelow;
  }

  /** Of a list or calendar: the furthest pages known, once each. */
  askForEnds(): readonly Hash64[] {
    return this.#reach.ask();
  }

  get #sets(): readonly Set<number>[] {
    return [this.#raw, this.#unlinked, this.#masked, this.#places];
  }

  learn(suspicion: TrapSuspicion, blocks: BlockHashes, places: Places, most: number): void {
    this.#visits += 1;
    if (suspicion.selection !== undefined && this.#selections.size < SELECTIONS_OF_A_FILTER) this.#selections.add(suspicion.selection);
    for (const other of places.onward) {
      if (other !== suspicion.template && this.#onward.size < MOST_ONWARD) this.#onward.add(other);
    }
    const leads = this.#hasLead(suspicion, places, most);
    push(this.#leads, leads);
    const raw = remember(this.#raw, blocks.raw, most);
    const masked = remember(this.#masked, blocks.masked, most);
    const unlinked = remember(this.#unlinked, blocks.unlinked, most);
    push(this.#rawNews, leads || (raw.news > 0 && raw.news >= raw.size * NEWS_SHARE));
    // A table of numbers, or a list of numbered things, is all new; a counter is not.
    const hasNewNumbers = suspicion.kind === "trap.pagination" && unlinked.news >= 3 && unlinked.news > unlinked.size / 2;
    // Honest sites recombine names too: there, whatever a page says besides its URL and its links is news, and so is one that says nothing.
    const isOwn = suspicion.isMixed !== undefined && (unlinked.news > 0 || (suspicion.isMixed === "path" && unlinked.size <= 1));
    const isMute = suspicion.isFilter === true && unlinked.size === 0;
    push(this.#maskedNews, leads || isOwn || isMute || hasNewNumbers || isNews(masked.news, masked.size));
    if (suspicion.at !== undefined) this.#reach.learn(suspicion.at, places.steps, places.left);
  }

  /** Items of a list may be known from elsewhere, and are news to the list all the same. */
  #hasLead({ kind }: TrapSuspicion, { fresh, named }: Places, most: number): boolean {
    if (kind !== "trap.pagination") return fresh > 0;
    const before = this.#places.size;
    for (const place of named) if (this.#places.size < most) this.#places.add(place);
    return fresh > 0 || this.#places.size > before;
  }

  /**
   * In a calendar other dates are nothing new, and in a shop other words for the same selection; elsewhere a number may be all that
   * tells two pages apart.
   */
  isBarren({ kind, isMixed, isFilter }: TrapSuspicion): boolean {
    const isMasked = kind === "trap.calendar" || isMixed || isFilter || this.#selections.size >= SELECTIONS_OF_A_FILTER;
    return isTrap(isMasked ? this.#maskedNews : this.#rawNews);
  }

  snapshot(): FamilyMemory {
    return {
      visits: this.#visits,
      rawNews: [...this.#rawNews],
      maskedNews: [...this.#maskedNews],
      leads: [...this.#leads],
      onward: [...this.#onward],
      selections: [...this.#selections],
      sets: this.#sets.map((set) => [...set].slice(-MOST_KEPT)),
      reach: this.#reach.snapshot(),
    };
  }

  static from(memory: FamilyMemory): Family {
    const family = new Family();
    family.#visits = memory.visits;
    family.#rawNews.push(...memory.rawNews);
    family.#maskedNews.push(...memory.maskedNews);
    family.#leads.push(...memory.leads);
    family.#reach = new Reach(memory.reach);
    for (const other of memory.onward) family.#onward.add(other);
    for (const selection of memory.selections) family.#selections.add(selection);
    for (const [index, set] of family.#sets.entries()) for (const hash of memory.sets[index] ?? []) set.add(hash);
    return family;
  }
}

const isTrap = (news: readonly boolean[]) => news.filter(Boolean).length <= NOVEL_VISITS_OF_A_TRAP;

function push(latest: boolean[], fact: boolean): void {
  latest.push(fact);
  if (latest.length > WINDOW) latest.shift();
}

function remember(known: Set<number>, hashes: Uint32Array, most: number): { news: number; size: number } {
  const onPage = new Set(hashes);
  let news = 0;
  for (const hash of onPage) {
    // What is seen again moves to the end: what every page shows must not be the first to be forgotten.
    if (!known.delete(hash)) news += 1;
    known.add(hash);
  }
  for (const oldest of known) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
  return { news, size: onPage.size };
}
