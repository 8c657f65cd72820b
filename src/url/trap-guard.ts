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
  readonly templates: readonly { template: string; visits: number; novel: readonly boolean[]; blocks: readonly number[] }[];
  readonly quarantined: readonly string[];
}

interface Template {
  visits: number;
  /** Of the latest visits: did it bring something new? */
  readonly novel: boolean[];
  readonly blocks: Set<number>;
}

const WINDOW = 16;
/** One visit of the window may still be new: the first one always is. */
const NOVEL_VISITS_OF_A_TRAP = 1;
/** A changing quote or counter on an otherwise known page is not news. */
const NEWS_SHARE = 0.05;

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

  /** To be told of every visit under suspicion; a visit that failed brings no blocks. */
  learn(suspicion: TrapSuspicion, blocks: Uint32Array): void {
    const { template: name } = suspicion;
    if (this.#quarantined.has(name)) return;
    const template = this.#templates.get(name) ?? { visits: 0, novel: [], blocks: new Set() };
    this.#templates.delete(name);
    this.#templates.set(name, template);
    this.#remember(template, blocks);
    if (template.visits >= this.#limits.freeVisits && template.novel.filter(Boolean).length <= NOVEL_VISITS_OF_A_TRAP)
      this.#quarantine(name);
    this.#forgetOldest();
  }

  snapshot(): TrapMemory {
    const templates = [...this.#templates].map(([template, { visits, novel, blocks }]) => ({
      template,
      visits,
      novel: [...novel],
      blocks: [...blocks],
    }));
    return { templates, quarantined: [...this.#quarantined] };
  }

  restore(memory: TrapMemory): void {
    for (const { template, visits, novel, blocks } of memory.templates) {
      this.#templates.set(template, { visits, novel: [...novel], blocks: new Set(blocks) });
      this.#blocksInAll += blocks.length;
    }
    for (const template of memory.quarantined) this.#quarantined.add(template);
    this.#forgetOldest();
  }

  #remember(template: Template, blocks: Uint32Array): void {
    const onPage = new Set(blocks);
    let news = 0;
    for (const block of onPage) {
      // A block seen again moves to the end: what every page shows must not be the first to be forgotten.
      if (!template.blocks.delete(block)) news++;
      template.blocks.add(block);
    }
    this.#blocksInAll += news;
    for (const oldest of template.blocks) {
      if (template.blocks.size <= this.#limits.maxBlocks) break;
      template.blocks.delete(oldest);
      this.#blocksInAll--;
    }
    template.visits++;
    template.novel.push(news > 0 && news >= onPage.size * NEWS_SHARE);
    if (template.novel.length > WINDOW) template.novel.shift();
  }

  #quarantine(name: string): void {
    this.#drop(name);
    this.#quarantined.add(name);
  }

  #drop(name: string): void {
    this.#blocksInAll -= this.#templates.get(name)?.blocks.size ?? 0;
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
