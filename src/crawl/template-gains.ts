import type { RenderingShelf, TemplateGain } from "../store/index.ts";
import { templateOf } from "../url/index.ts";

/**
 * `render`: pages of this template gain by a browser. `sample`: render this page to find out. `wait`: samples are in progress. `leave`: do
 * not render.
 */
export type Showing = "render" | "sample" | "wait" | "leave";

/** Samples per template in the first run that meets it; later runs try once if there was no gain. */
const SAMPLES = 3;
/**
 * Limit for samples without gain, over the whole run: a fixed number at first, then a share of the pages. A template's first sample is
 * worth more than further ones, so it has the larger limit.
 */
const AT_FIRST = { first: 10, further: 3 };
const SHARE = 0.05;
/** Smallest share of pages that must gain for a template to be rendered. */
const WORTH = 1 / 5;
/** After this many shells that stay empty in a browser, further ones are not rendered. */
const EMPTY_SHELLS = 5;
/** Above this count both counts are halved, so that old results lose weight and a template's verdict can change. */
const MOST_COUNTED = 50;
/** Templates held in memory; all are on disk. */
const MOST_TEMPLATES = 5000;

interface Known {
  shown: number;
  gained: number;
  /** In this run: samples in progress, and samples begun. */
  out: number;
  tried: number;
  /** Whether earlier runs tried it without gain. */
  readonly isOld: boolean;
  readonly waiting: (() => void)[];
}

const isWorth = ({ shown, gained }: TemplateGain) => gained > 0 && gained >= WORTH * shown;

/** Learns which templates gain by rendering. Every result is written at once. */
export class TemplateGains {
  readonly #shelf: RenderingShelf;
  readonly #known = new Map<string, Known>();
  #pages = 0;
  #inVain = 0;
  #out = 0;

  constructor(shelf: RenderingShelf) {
    this.#shelf = shelf;
  }

  async isWorth(siteId: number, url: string): Promise<boolean> {
    return isWorth(await this.#of(siteId, templateOf(url)));
  }

  /** Decides for a page with scripts; `isShell` if it has little other content. */
  async showing(siteId: number, url: string, isShell: boolean): Promise<Showing> {
    this.#pages += 1;
    const known = await this.#of(siteId, templateOf(url));
    for (;;) {
      const showing = this.#showing(known, isShell);
      if (showing === "sample") this.#begin(known);
      if (showing !== "wait") return showing;
      await new Promise<void>((resolve) => known.waiting.push(resolve));
    }
  }

  #showing(known: Known, isShell: boolean): Showing {
    if (isWorth(known)) return "render";
    if (isShell && (known.gained > 0 || known.shown < EMPTY_SHELLS)) return "render";
    if (known.tried >= (known.isOld ? 1 : SAMPLES)) return known.out > 0 ? "wait" : "leave";
    const atFirst = known.tried === 0 ? AT_FIRST.first : AT_FIRST.further;
    if (this.#inVain + this.#out < Math.max(atFirst, SHARE * this.#pages)) return "sample";
    return known.out > 0 ? "wait" : "leave";
  }

  #begin(known: Known): void {
    known.tried += 1;
    known.out += 1;
    this.#out += 1;
  }

  /** Records the result of rendering a page. */
  async learn(siteId: number, url: string, showing: Showing, hasGained: boolean): Promise<void> {
    const template = templateOf(url);
    const known = await this.#of(siteId, template);
    if (showing === "sample") {
      known.out -= 1;
      this.#out -= 1;
      if (!hasGained) this.#inVain += 1;
    }
    if (known.shown >= MOST_COUNTED) {
      known.shown = Math.round(known.shown / 2);
      known.gained = Math.round(known.gained / 2);
    }
    known.shown += 1;
    if (hasGained) known.gained += 1;
    for (const resolve of known.waiting.splice(0)) resolve();
    await this.#shelf.saveGain(siteId, template, { shown: known.shown, gained: known.gained });
  }

  async #of(siteId: number, template: string): Promise<Known> {
    const key = `${siteId} ${template}`;
    const before = this.#known.get(key);
    if (before) return before;
    const stored = (await this.#shelf.gain(siteId, template)) ?? { shown: 0, gained: 0 };
    const isOld = stored.shown >= SAMPLES && !isWorth(stored);
    // A concurrent call for the same template may have set it while the store was read.
    const known = this.#known.get(key) ?? { ...stored, out: 0, tried: 0, isOld, waiting: [] };
    this.#known.set(key, known);
    this.#makeRoom();
    return known;
  }

  #makeRoom(): void {
    for (const [key, { out }] of this.#known) {
      if (this.#known.size <= MOST_TEMPLATES) return;
      if (out === 0) this.#known.delete(key);
    }
  }
}
