import type { BlockHashes, Hash64 } from "../records.ts";
import { isNews } from "./news.ts";
import { Reach, type ReachMemory, type Step } from "./reach.ts";
import type { TrapSuspicion } from "./suspect.ts";

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

/** Hashes stored per set: the latest are enough to recognise pages of the same kind. */
const MOST_KEPT = 128;
const WINDOW = 16;
/** One visit of the window may be new, because the first always is. */
const NOVEL_VISITS_OF_A_TRAP = 1;
/** Smallest share of new blocks: a changing quote or counter on a known page is not news. */
const NEWS_SHARE = 0.05;
/** This many different sets of filters mean a program that combines them, and not pages that happen to have two parameters. */
const SELECTIONS_OF_A_FILTER = 3;
const MOST_ONWARD = 8;

/** What the pages of one template brought: text and links that its earlier pages did not have. */
export class Family {
  #visits = 0;
  /** For the latest visits: whether the text was new as it is, and whether it was new after masking. */
  readonly #rawNews: boolean[] = [];
  readonly #maskedNews: boolean[] = [];
  /** For the latest visits: whether the page led to URLs outside its template. */
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

  /** Number of hashes held. */
  get size(): number {
    return this.#sets.reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether its latest pages had no text of their own. */
  get isStale(): boolean {
    return isTrap(this.#maskedNews);
  }

  /** Whether its latest pages led nowhere else. */
  get isClosed(): boolean {
    return this.#leads.length >= WINDOW && !this.#leads.includes(true);
  }

  /** Whether it goes on further than the depth limit allows, in either direction. */
  get isOpen(): boolean {
    return this.#reach.isOpenAbove || this.#reach.isOpenBelow;
  }

  get isOpenBothWays(): boolean {
    return this.#reach.isOpenAbove && this.#reach.isOpenBelow;
  }

  /** For a list or calendar: the furthest known pages, each once. */
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
    // A table of numbers or a list of numbered items is new as a whole; a single counter is not.
    const hasNewNumbers = suspicion.kind === "trap.pagination" && unlinked.news >= 3 && unlinked.news > unlinked.size / 2;
    // Honest sites recombine names in URLs too. There, any text besides the words of URL and links counts as news; so does a page with no
    // text at all.
    const isOwn = suspicion.isMixed !== undefined && (unlinked.news > 0 || (suspicion.isMixed === "path" && unlinked.size <= 1));
    const isMute = suspicion.isFilter === true && unlinked.size === 0;
    push(this.#maskedNews, leads || isOwn || isMute || hasNewNumbers || isNews(masked.news, masked.size));
    if (suspicion.at !== undefined) this.#reach.learn(suspicion.at, places.steps, places.left);
  }

  /** Items of a list may be known from elsewhere, and are still new to this list. */
  #hasLead({ kind }: TrapSuspicion, { fresh, named }: Places, most: number): boolean {
    if (kind !== "trap.pagination") return fresh > 0;
    const before = this.#places.size;
    for (const place of named) if (this.#places.size < most) this.#places.add(place);
    return fresh > 0 || this.#places.size > before;
  }

  /**
   * In a calendar other dates are not news, nor are other words for the same selection in a shop; so masked text decides there. Elsewhere
   * a number may be all that distinguishes two pages.
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
    // Repeated hashes move to the end, so that blocks of every page are not the first to be evicted.
    if (!known.delete(hash)) news += 1;
    known.add(hash);
  }
  for (const oldest of known) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
  return { news, size: onPage.size };
}
