import type { RenderingShelf, TemplateGain } from "../store/index.ts";
import { templateOf } from "../url/index.ts";

/** `render`: pages of its template say more in a browser. `sample`: whether they do is to be found out with it. `wait`: others are finding out. */
export type Showing = "render" | "sample" | "wait" | "leave";

/** A template is tried so often in the first run that meets it, and once in every later one if nothing came of it. */
const SAMPLES = 3;
/** Tries in vain, over the whole run: these at first, and then a share of the pages. The first page of a template is worth more than its second. */
const AT_FIRST = { first: 10, further: 3 };
const SHARE = 0.05;
/** A template whose pages gain less often than this is not worth it. */
const WORTH = 1 / 5;
/** Shells that stay empty are taken for what they are after so many. */
const EMPTY_SHELLS = 5;
/** What was long ago counts half, so that a template can become another. */
const MOST_COUNTED = 50;
/** So many are held in memory; all of them are on disk. */
const MOST_TEMPLATES = 5000;

interface Known {
  shown: number;
  gained: number;
  /** Of this run: pages that are out as samples, and all that were. */
  out: number;
  tried: number;
  /** Whether it was tried in vain before this run. */
  readonly isOld: boolean;
  readonly waiting: (() => void)[];
}

const isWorth = ({ shown, gained }: TemplateGain) => gained > 0 && gained >= WORTH * shown;

/** Which templates gain by being shown to a browser. Whatever is learned is on disk at once. */
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

  /** What is to be done with a page that has scripts; `isShell` if it has little else. */
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

  /** What came of showing a page. */
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
    // Another page of the template may have been quicker.
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
