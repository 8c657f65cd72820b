import type { BlockHashes } from "../records.ts";
import type { TrapSuspicion } from "./suspect.ts";

export interface TrapGuardOptions {
  /** Visits to a template before it may be judged. */
  readonly freeVisits?: number;
  readonly maxTemplates?: number;
  /** Text blocks remembered per template, and over all templates. */
  readonly maxBlocks?: number;
  readonly maxBlocksInAll?: number;
}

/** Plain data, so that a resumed run remembers. Not for the next run: there, a page read before is no trap. */
export interface TrapMemory {
  readonly templates: readonly {
    readonly template: string;
    readonly visits: number;
    readonly selections: readonly string[];
    readonly raw: { readonly novel: readonly boolean[]; readonly blocks: readonly number[] };
    readonly masked: { readonly novel: readonly boolean[]; readonly blocks: readonly number[] };
  }[];
  readonly quarantined: readonly string[];
}

interface Novelty {
  /** Of the latest visits: did it bring something new? */
  readonly novel: boolean[];
  readonly blocks: Set<number>;
}

interface Template {
  visits: number;
  /** The sets of filters seen. */
  readonly selections: Set<string>;
  readonly raw: Novelty;
  readonly masked: Novelty;
}

const WINDOW = 16;
/** One visit of the window may still be new: the first one always is. */
const NOVEL_VISITS_OF_A_TRAP = 1;
/** A changing quote or counter on an otherwise known page is not news. */
const NEWS_SHARE = 0.05;
/** So many different sets of filters are a program that combines them, not pages that happen to have two parameters. */
const SELECTIONS_OF_A_FILTER = 3;

/**
 * Tells archives from traps by what they bring: once a template has had its free visits, it stays open as long as its pages show
 * text that its earlier pages did not. How many pages it has is never asked. What is oldest is forgotten first.
 */
export class TrapGuard {
  readonly #limits: Required<TrapGuardOptions>;
  readonly #templates = new Map<string, Template>();
  readonly #quarantined = new Set<string>();
  #blocksInAll = 0;

  constructor(options: TrapGuardOptions = {}) {
    this.#limits = { freeVisits: 12, maxTemplates: 1000, maxBlocks: 8192, maxBlocksInAll: 262_144, ...options };
  }

  /** May a URL under this suspicion be visited? */
  admit(suspicion: TrapSuspicion): boolean {
    return !this.#quarantined.has(suspicion.template);
  }

  /** To be told of every visit under suspicion; a page without text brings no blocks. */
  learn(suspicion: TrapSuspicion, blocks: BlockHashes): void {
    const { template: name } = suspicion;
    if (this.#quarantined.has(name)) return;
    const template = this.#templates.get(name) ?? { visits: 0, selections: new Set(), raw: newNovelty(), masked: newNovelty() };
    this.#templates.delete(name);
    this.#templates.set(name, template);
    template.visits++;
    if (suspicion.selection !== undefined && template.selections.size < SELECTIONS_OF_A_FILTER)
      template.selections.add(suspicion.selection);
    this.#remember(template.raw, blocks.raw);
    this.#remember(template.masked, blocks.masked);
    if (template.visits >= this.#limits.freeVisits && isBarren(template, suspicion)) this.#quarantine(name);
    this.#forgetOldest();
  }

  snapshot(): TrapMemory {
    const plain = ({ novel, blocks }: Novelty) => ({ novel: [...novel], blocks: [...blocks] });
    const templates = [...this.#templates].map(([template, { visits, selections, raw, masked }]) => ({
      template,
      visits,
      selections: [...selections],
      raw: plain(raw),
      masked: plain(masked),
    }));
    return { templates, quarantined: [...this.#quarantined] };
  }

  restore(memory: TrapMemory): void {
    const revive = ({ novel, blocks }: TrapMemory["templates"][number]["raw"]): Novelty => {
      this.#blocksInAll += blocks.length;
      return { novel: [...novel], blocks: new Set(blocks) };
    };
    for (const { template, visits, selections, raw, masked } of memory.templates) {
      this.#templates.set(template, { visits, selections: new Set(selections), raw: revive(raw), masked: revive(masked) });
    }
    for (const template of memory.quarantined) this.#quarantined.add(template);
    this.#forgetOldest();
  }

  #remember(novelty: Novelty, blocks: Uint32Array): void {
    const onPage = new Set(blocks);
    let news = 0;
    for (const block of onPage) {
      // A block seen again moves to the end: what every page shows must not be the first to be forgotten.
      if (!novelty.blocks.delete(block)) news++;
      novelty.blocks.add(block);
    }
    this.#blocksInAll += news;
    for (const oldest of novelty.blocks) {
      if (novelty.blocks.size <= this.#limits.maxBlocks) break;
      novelty.blocks.delete(oldest);
      this.#blocksInAll--;
    }
    novelty.novel.push(news > 0 && news >= onPage.size * NEWS_SHARE);
    if (novelty.novel.length > WINDOW) novelty.novel.shift();
  }

  #quarantine(name: string): void {
    this.#drop(name);
    this.#quarantined.add(name);
  }

  #drop(name: string): void {
    const template = this.#templates.get(name);
    if (template) this.#blocksInAll -= template.raw.blocks.size + template.masked.blocks.size;
    this.#templates.delete(name);
  }

  #forgetOldest(): void {
    const { maxTemplates, maxBlocksInAll } = this.#limits;
    for (const name of this.#templates.keys()) {
      if (this.#templates.size <= maxTemplates && this.#blocksInAll <= maxBlocksInAll) break;
      this.#drop(name);
    }
    // Names alone are small, so more of them are kept than of open templates.
    for (const name of this.#quarantined) {
      if (this.#quarantined.size <= 10 * maxTemplates) break;
      this.#quarantined.delete(name);
    }
  }
}

const newNovelty = (): Novelty => ({ novel: [], blocks: new Set() });

/**
 * In a calendar other dates are nothing new, and in a shop other words for the same selection; elsewhere a number may be all that
 * tells two pages apart.
 */
function isBarren({ raw, masked, selections }: Template, { kind }: TrapSuspicion): boolean {
  const { novel } = kind === "trap.calendar" || selections.size >= SELECTIONS_OF_A_FILTER ? masked : raw;
  return novel.filter(Boolean).length <= NOVEL_VISITS_OF_A_TRAP;
}
