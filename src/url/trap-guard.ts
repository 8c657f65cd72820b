import type { BlockHashes, Hash64 } from "../records.ts";
import { Copies, type CopiesMemory, type Distance } from "./copies.ts";
import { Family, type FamilyMemory, type Places } from "./family.ts";
import { KnownWords } from "./known-words.ts";
import { Selections } from "./selections.ts";
import { suspect, type TrapSuspicion } from "./suspect.ts";

export interface TrapGuardOptions {
  /** Visits before a template may be judged. */
  readonly freeVisits?: number;
  readonly maxTemplates?: number;
  /** Limits for remembered hashes: of each kind per template, and over all templates. */
  readonly maxBlocks?: number;
  readonly maxBlocksInAll?: number;
  /** Distance of two texts by their simhashes. */
  readonly distance?: Distance;
  /** The URL without parts that do not distinguish pages (session ids). */
  readonly plain?: (url: string) => string;
}

/** Plain data for a resumed run. Not for later runs: there, a page read before is no sign of a trap. */
export interface TrapMemory {
  readonly templates: readonly (readonly [template: string, memory: FamilyMemory])[];
  readonly quarantined: readonly string[];
  readonly words: readonly string[];
  readonly filters: readonly string[];
  readonly copies: CopiesMemory;
}

/** What to visit next for a quick decision: one page of each of these templates, and these links. */
export interface Wanted {
  readonly templates: readonly string[];
  readonly links: readonly Hash64[];
}

const NOWHERE: Places = { fresh: 0, onward: [], named: [], steps: [], left: 0 };
const NOTHING: Wanted = { templates: [], links: [] };
/** Templates kept for a resumed run; the others are learned again within their free visits. */
const MOST_KEPT = 32;
/** Pages of a template needed to tell whether visiting it is worth it. */
const TRIED = 6;
/** All filters of a shop are one family, and the most valuable pages may be behind two or three filters. */
const FREE_FILTERS = 50;
/**
 * Visits after which the end of a list or calendar is searched for, and visits after which it is quarantined if its end is out of reach.
 */
const DOUBTED = 24;
const PATIENCE = 100;

/**
 * Tells archives from traps by what they bring. After its free visits, a template stays open as long as its pages show text or name URLs
 * that earlier pages did not, or lead on to templates that do. The number of pages alone never decides. The oldest templates are evicted
 * first.
 */
export class TrapGuard {
  readonly #limits: Required<TrapGuardOptions>;
  readonly #families = new Map<string, Family>();
  readonly #quarantined = new Set<string>();
  readonly #words = new KnownWords();
  readonly #selections = new Selections();
  readonly #copies: Copies;
  #blocksInAll = 0;

  constructor(options: TrapGuardOptions = {}) {
    this.#limits = {
      freeVisits: 12,
      maxTemplates: 1000,
      maxBlocks: 8192,
      maxBlocksInAll: 262_144,
      distance: () => 64,
      plain: (url) => url,
      ...options,
    };
    this.#copies = new Copies(this.#limits.distance, (url) => this.#words.find(url));
  }

  /** Number of verdicts so far. */
  get verdicts(): number {
    return this.#quarantined.size + this.#copies.verdicts;
  }

  /** Whether any template or copy is under suspicion. */
  get isWary(): boolean {
    return this.#families.size > 0 || this.verdicts > 0;
  }

  /** The trap that a URL may belong to: by its own form, or because all its parts are known from other URLs. */
  suspect(given: string, from: string | undefined): TrapSuspicion | undefined {
    const { plain } = this.#limits;
    const [url, parent] = [plain(given), from === undefined ? undefined : plain(from)];
    const suspicion = suspect(url, parent);
    if (suspicion?.kind === "trap.pagination" || suspicion?.kind === "trap.calendar") return suspicion;
    const root = suspicion?.kind === "trap.session" ? undefined : this.#selections.rootOf(url);
    if (root !== undefined) return { kind: "trap.growing", template: `${root}/**{filters}`, rule: `filters below ${root}`, isFilter: true };
    const template = this.#words.familyOf(url);
    if (template === undefined) return suspicion;
    const isMixed = url.includes("?") ? "query" : "path";
    if (suspicion && !suspicion.isLoose) return { ...suspicion, isMixed };
    return { kind: "trap.growing", template, rule: "mixed of parts of other URLs", isMixed };
  }

  /** Whether a URL under this suspicion may be visited. */
  admit(suspicion: TrapSuspicion): boolean {
    return !this.#quarantined.has(suspicion.template);
  }

  /** Call for each URL when a page first names it. */
  hear(url: string, parent: string): void {
    const { plain } = this.#limits;
    this.#selections.hear(plain(url), plain(parent));
  }

  /** Whether a URL first named by this page may be visited: not if the page is one of many copies that lead to copies. */
  admitFrom(parent: string | undefined): boolean {
    return this.#copies.admit(parent);
  }

  /** Call for each visited page. Returns true if it is a copy and other copies that it names should be visited next. */
  meet(given: string, simhash = "", parent?: string): boolean {
    const url = this.#limits.plain(given);
    const isAsking = this.#copies.learn({ url, simhash }, parent);
    this.#words.learn({ url, simhash });
    return isAsking;
  }

  /** True if exactly one part of the URL is new, so that it may lead to another copy. */
  mayOpen(url: string): boolean {
    const { bearers } = this.#words.find(this.#limits.plain(url));
    return bearers.length > 1 && bearers.filter((bearer) => bearer === undefined).length === 1;
  }

  /**
   * Call for each visit under suspicion; a page without text has no blocks. Returns pages to visit next: of other templates, where this
   * one brings nothing new and the decision depends on where it leads; and the ends of lists that may have none.
   */
  learn(suspicion: TrapSuspicion, blocks: BlockHashes, places = NOWHERE): Wanted {
    const { template } = suspicion;
    if (this.#quarantined.has(template)) return NOTHING;
    const family = this.#families.get(template) ?? new Family();
    this.#families.delete(template);
    this.#families.set(template, family);
    const before = family.size;
    family.learn(suspicion, blocks, places, this.#limits.maxBlocks);
    this.#blocksInAll += family.size - before;
    const untried = family.visits >= TRIED && family.isBarren(suspicion) ? this.#untried(template) : undefined;
    const links = this.#leaveEndless(suspicion, family) ? family.askForEnds() : [];
    const free = suspicion.isFilter ? FREE_FILTERS : this.#limits.freeVisits;
    if (untried?.length === 0 && family.visits >= free) this.#quarantine(template);
    this.#forgetOldest();
    return { templates: untried ?? [], links };
  }

  /**
   * Quarantines a list that shows nothing new and goes on further than the depth limit allows; also a calendar that does so in both
   * directions and leads nowhere else, whatever its text. Returns true if the end should be searched for.
   */
  #leaveEndless({ kind, template }: TrapSuspicion, family: Family): boolean {
    if (kind !== "trap.pagination" && kind !== "trap.calendar") return false;
    const isDoubtful = (other: Family) => (kind === "trap.pagination" ? other.isStale : other.isClosed);
    if (!isDoubtful(family)) return false;
    const around = kind === "trap.pagination" ? [template] : this.#around(template);
    const visits = around.reduce((sum, other) => sum + (this.#families.get(other)?.visits ?? 0), 0);
    if (visits < DOUBTED) return false;
    const isEndless = kind === "trap.pagination" ? family.isOpen : family.isOpenBothWays;
    if (!isEndless) return true;
    if (visits >= PATIENCE) for (const other of around) this.#quarantine(other);
    return false;
  }

  /** A calendar and the closed templates it leads on to: months and their days. */
  #around(template: string): readonly string[] {
    const onward = new Set([template]);
    for (const other of onward) for (const next of this.#families.get(other)?.onward ?? []) onward.add(next);
    return [...onward].filter((other) => this.#families.get(other)?.isClosed);
  }

  /** The templates reachable from this one that were hardly visited; undefined if any reachable one still brings news. */
  #untried(template: string): readonly string[] | undefined {
    const untried: string[] = [];
    const onward = new Set([template]);
    for (const other of onward) {
      if (this.#quarantined.has(other)) continue;
      const family = this.#families.get(other);
      if (other !== template) {
        if (!family || family.visits < TRIED) untried.push(other);
        else if (!family.isStale) return undefined;
      }
      for (const next of family?.onward ?? []) onward.add(next);
    }
    return untried;
  }

  snapshot(): TrapMemory {
    const templates = [...this.#families].slice(-MOST_KEPT).map(([template, family]) => [template, family.snapshot()] as const);
    return {
      templates,
      quarantined: [...this.#quarantined],
      words: this.#words.snapshot(),
      filters: this.#selections.snapshot(),
      copies: this.#copies.snapshot(),
    };
  }

  restore(memory: TrapMemory): void {
    for (const [template, plain] of memory.templates) {
      const family = Family.from(plain);
      this.#families.set(template, family);
      this.#blocksInAll += family.size;
    }
    for (const template of memory.quarantined) this.#quarantined.add(template);
    this.#words.restore(memory.words);
    this.#selections.restore(memory.filters);
    this.#copies.restore(memory.copies);
    this.#forgetOldest();
  }

  #quarantine(template: string): void {
    this.#drop(template);
    this.#quarantined.add(template);
  }

  #drop(template: string): void {
    this.#blocksInAll -= this.#families.get(template)?.size ?? 0;
    this.#families.delete(template);
  }

  #forgetOldest(): void {
    const { maxTemplates, maxBlocksInAll } = this.#limits;
    for (const template of this.#families.keys()) {
      if (this.#families.size <= maxTemplates && this.#blocksInAll <= maxBlocksInAll) break;
      this.#drop(template);
    }
    // Quarantined templates are only names, so ten times as many are kept.
    for (const template of this.#quarantined) {
      if (this.#quarantined.size <= 10 * maxTemplates) break;
      this.#quarantined.delete(template);
    }
  }
}
