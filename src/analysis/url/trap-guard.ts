import type { BlockHashes, Hash64 } from "../../core/records.ts";
import { Copies, type CopiesMemory, type Distance } from "./copies.ts";
import { FilterDetector } from "./filter-detector.ts";
import { KnownUrlParts } from "./known-url-parts.ts";
import { type Places, TemplateHistory, type TemplateHistoryMemory } from "./template-history.ts";
import { suspect, type TrapSuspicion } from "./trap-suspicion.ts";

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
  readonly templates: readonly (readonly [template: string, memory: TemplateHistoryMemory])[];
  readonly quarantined: readonly string[];
  readonly words: readonly string[];
  readonly filters: readonly string[];
  readonly copies: CopiesMemory;
}

/** What to visit next for a quick decision: one page of each of these templates, and these links. */
export interface NextVisits {
  readonly templates: readonly string[];
  readonly links: readonly Hash64[];
}

const NO_PLACES: Places = { fresh: 0, onward: [], named: [], steps: [], left: 0 };
const NO_VISITS: NextVisits = { templates: [], links: [] };
/** Templates kept for a resumed run; the others are learned again within their free visits. */
const MAX_STORED_TEMPLATES = 32;
/** Pages of a template needed to tell whether visiting it is worth it. */
const MIN_VISITS = 6;
/** All filters of a shop are one family, and the most valuable pages may be behind two or three filters. */
const FREE_FILTER_VISITS = 50;
/**
 * Visits after which the end of a list or calendar is searched for, and visits after which it is quarantined if its end is out of reach.
 */
const VISITS_BEFORE_SEARCH = 24;
const MAX_ENDLESS_VISITS = 100;

/**
 * Tells archives from traps by what they bring. After its free visits, a template stays open as long as its pages show text or name URLs
 * that earlier pages did not, or lead on to templates that do. The number of pages alone never decides. The oldest templates are evicted
 * first.
 */
export class TrapGuard {
  readonly #limits: Required<TrapGuardOptions>;
  readonly #histories = new Map<string, TemplateHistory>();
  readonly #quarantined = new Set<string>();
  readonly #words = new KnownUrlParts();
  readonly #selections = new FilterDetector();
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
    return this.#histories.size > 0 || this.verdicts > 0;
  }

  /** The trap that a URL may belong to: by its own form, or because all its parts are known from other URLs. */
  suspect(rawUrl: string, from: string | undefined): TrapSuspicion | undefined {
    const { plain } = this.#limits;
    const [url, parent] = [plain(rawUrl), from === undefined ? undefined : plain(from)];
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
    this.#selections.record(plain(url), plain(parent));
  }

  /** Whether a URL first named by this page may be visited: not if the page is one of many copies that lead to copies. */
  admitFrom(parent: string | undefined): boolean {
    return this.#copies.admit(parent);
  }

  /** Call for each visited page. Returns true if it is a copy and other copies that it names should be visited next. */
  meet(rawUrl: string, simhash = "", parent?: string): boolean {
    const url = this.#limits.plain(rawUrl);
    const wantsMoreCopies = this.#copies.learn({ url, simhash }, parent);
    this.#words.learn({ url, simhash });
    return wantsMoreCopies;
  }

  /** True if exactly one part of the URL is new, so that it may lead to another copy. */
  mayOpen(url: string): boolean {
    const { owners: bearers } = this.#words.find(this.#limits.plain(url));
    return bearers.length > 1 && bearers.filter((bearer) => bearer === undefined).length === 1;
  }

  /**
   * Call for each visit under suspicion; a page without text has no blocks. Returns pages to visit next: of other templates, where this
   * one brings nothing new and the decision depends on where it leads; and the ends of lists that may have none.
   */
  learn(suspicion: TrapSuspicion, blocks: BlockHashes, places = NO_PLACES): NextVisits {
    const { template } = suspicion;
    if (this.#quarantined.has(template)) return NO_VISITS;
    const history = this.#histories.get(template) ?? new TemplateHistory();
    this.#histories.delete(template);
    this.#histories.set(template, history);
    const before = history.size;
    history.learn(suspicion, blocks, places, this.#limits.maxBlocks);
    this.#blocksInAll += history.size - before;
    const untriedTemplates =
      history.visits >= MIN_VISITS && history.bringsNothingNew(suspicion) ? this.#untriedTemplates(template) : undefined;
    const links = this.#checkEndless(suspicion, history) ? history.takeUnvisitedEnds() : [];
    const free = suspicion.isFilter ? FREE_FILTER_VISITS : this.#limits.freeVisits;
    if (untriedTemplates?.length === 0 && history.visits >= free) this.#quarantine(template);
    this.#evictOldest();
    return { templates: untriedTemplates ?? [], links };
  }

  /**
   * Quarantines a list that shows nothing new and goes on further than the depth limit allows; also a calendar that does so in both
   * directions and leads nowhere else, whatever its text. Returns true if the end should be searched for.
   */
  #checkEndless({ kind, template }: TrapSuspicion, history: TemplateHistory): boolean {
    if (kind !== "trap.pagination" && kind !== "trap.calendar") return false;
    const isCandidate = (other: TemplateHistory) => (kind === "trap.pagination" ? other.hasNoNewText : other.leadsNowhere);
    if (!isCandidate(history)) return false;
    const relatedTemplates = kind === "trap.pagination" ? [template] : this.#relatedTemplates(template);
    const visits = relatedTemplates.reduce((sum, other) => sum + (this.#histories.get(other)?.visits ?? 0), 0);
    if (visits < VISITS_BEFORE_SEARCH) return false;
    const isEndless = kind === "trap.pagination" ? history.isEndless : history.isEndlessBothWays;
    if (!isEndless) return true;
    if (visits >= MAX_ENDLESS_VISITS) for (const other of relatedTemplates) this.#quarantine(other);
    return false;
  }

  /** A calendar and the closed templates it leads on to: months and their days. */
  #relatedTemplates(template: string): readonly string[] {
    const onward = new Set([template]);
    for (const other of onward) for (const next of this.#histories.get(other)?.onward ?? []) onward.add(next);
    return [...onward].filter((other) => this.#histories.get(other)?.leadsNowhere);
  }

  /** The templates reachable from this one that were hardly visited; undefined if any reachable one still brings news. */
  #untriedTemplates(template: string): readonly string[] | undefined {
    const untriedTemplates: string[] = [];
    const onward = new Set([template]);
    for (const other of onward) {
      if (this.#quarantined.has(other)) continue;
      const history = this.#histories.get(other);
      if (other !== template) {
        if (!history || history.visits < MIN_VISITS) untriedTemplates.push(other);
        else if (!history.hasNoNewText) return undefined;
      }
      for (const next of history?.onward ?? []) onward.add(next);
    }
    return untriedTemplates;
  }

  snapshot(): TrapMemory {
    const templates = [...this.#histories]
      .slice(-MAX_STORED_TEMPLATES)
      .map(([template, history]) => [template, history.snapshot()] as const);
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
      const history = TemplateHistory.from(plain);
      this.#histories.set(template, history);
      this.#blocksInAll += history.size;
    }
    for (const template of memory.quarantined) this.#quarantined.add(template);
    this.#words.restore(memory.words);
    this.#selections.restore(memory.filters);
    this.#copies.restore(memory.copies);
    this.#evictOldest();
  }

  #quarantine(template: string): void {
    this.#removeTemplate(template);
    this.#quarantined.add(template);
  }

  #removeTemplate(template: string): void {
    this.#blocksInAll -= this.#histories.get(template)?.size ?? 0;
    this.#histories.delete(template);
  }

  #evictOldest(): void {
    const { maxTemplates, maxBlocksInAll } = this.#limits;
    for (const template of this.#histories.keys()) {
      if (this.#histories.size <= maxTemplates && this.#blocksInAll <= maxBlocksInAll) break;
      this.#removeTemplate(template);
    }
    // Quarantined templates are only names, so ten times as many are kept.
    for (const template of this.#quarantined) {
      if (this.#quarantined.size <= 10 * maxTemplates) break;
      this.#quarantined.delete(template);
    }
  }
}
