import { templateOf } from "../../../analysis/url/index.ts";
import type { RenderingStore, TemplateGain } from "../../../store/index.ts";

/**
 * `render`: pages of this template gain by a browser. `sample`: render this page to find out. `wait`: samples are in progress. `leave`: do
 * not render.
 */
export type RenderDecision = "render" | "sample" | "wait" | "leave";

/** Samples per template in the first run that meets it; later runs try once if there was no gain. */
const MAX_SAMPLES = 3;
/**
 * Limit for samples without gain, over the whole run: a fixed number at first, then a share of the pages. A template's first sample is
 * worth more than further ones, so it has the larger limit.
 */
const FIRST_SAMPLE_LIMITS = { first: 10, further: 3 };
const MAX_SAMPLE_SHARE = 0.05;
/** Smallest share of pages that must gain for a template to be rendered. */
const MIN_GAIN_SHARE = 1 / 5;
/** After this many shells that stay empty in a browser, further ones are not rendered. */
const MAX_EMPTY_SHELLS = 5;
/** Above this count both counts are halved, so that old results lose weight and a template's verdict can change. */
const MAX_COUNTED = 50;
/** Templates held in memory; all are on disk. */
const MAX_TEMPLATES = 5000;

interface TemplateState {
  shown: number;
  gained: number;
  /** In this run: samples in progress, and samples begun. */
  samplesInProgress: number;
  tried: number;
  /** Whether earlier runs tried it without gain. */
  readonly gainedNothingBefore: boolean;
  readonly waiting: (() => void)[];
}

const isWorthRendering = ({ shown, gained }: TemplateGain) => gained > 0 && gained >= MIN_GAIN_SHARE * shown;

/** Learns which templates gain by rendering. Every result is written at once. */
export class RenderGains {
  readonly #store: RenderingStore;
  readonly #known = new Map<string, TemplateState>();
  #pages = 0;
  #samplesWithoutGain = 0;
  #samplesInProgress = 0;

  constructor(store: RenderingStore) {
    this.#store = store;
  }

  async isWorthRendering(siteId: number, url: string): Promise<boolean> {
    return isWorthRendering(await this.#stateOf(siteId, templateOf(url)));
  }

  /** Decides for a page with scripts; `isShell` if it has little other content. */
  async decision(siteId: number, url: string, isShell: boolean): Promise<RenderDecision> {
    this.#pages += 1;
    const known = await this.#stateOf(siteId, templateOf(url));
    for (;;) {
      const decision = this.#decision(known, isShell);
      if (decision === "sample") this.#begin(known);
      if (decision !== "wait") return decision;
      await new Promise<void>((resolve) => known.waiting.push(resolve));
    }
  }

  #decision(known: TemplateState, isShell: boolean): RenderDecision {
    if (isWorthRendering(known)) return "render";
    if (isShell && (known.gained > 0 || known.shown < MAX_EMPTY_SHELLS)) return "render";
    if (known.tried >= (known.gainedNothingBefore ? 1 : MAX_SAMPLES)) return known.samplesInProgress > 0 ? "wait" : "leave";
    const atFirst = known.tried === 0 ? FIRST_SAMPLE_LIMITS.first : FIRST_SAMPLE_LIMITS.further;
    if (this.#samplesWithoutGain + this.#samplesInProgress < Math.max(atFirst, MAX_SAMPLE_SHARE * this.#pages)) return "sample";
    return known.samplesInProgress > 0 ? "wait" : "leave";
  }

  #begin(known: TemplateState): void {
    known.tried += 1;
    known.samplesInProgress += 1;
    this.#samplesInProgress += 1;
  }

  /** Records the result of rendering a page. */
  async learn(siteId: number, url: string, decision: RenderDecision, hasGained: boolean): Promise<void> {
    const template = templateOf(url);
    const known = await this.#stateOf(siteId, template);
    if (decision === "sample") {
      known.samplesInProgress -= 1;
      this.#samplesInProgress -= 1;
      if (!hasGained) this.#samplesWithoutGain += 1;
    }
    if (known.shown >= MAX_COUNTED) {
      known.shown = Math.round(known.shown / 2);
      known.gained = Math.round(known.gained / 2);
    }
    known.shown += 1;
    if (hasGained) known.gained += 1;
    for (const resolve of known.waiting.splice(0)) resolve();
    await this.#store.saveGain(siteId, template, { shown: known.shown, gained: known.gained });
  }

  async #stateOf(siteId: number, template: string): Promise<TemplateState> {
    const key = `${siteId} ${template}`;
    const before = this.#known.get(key);
    if (before) return before;
    const stored = (await this.#store.gain(siteId, template)) ?? { shown: 0, gained: 0 };
    const gainedNothingBefore = stored.shown >= MAX_SAMPLES && !isWorthRendering(stored);
    // A concurrent call for the same template may have set it while the store was read.
    const known = this.#known.get(key) ?? { ...stored, samplesInProgress: 0, tried: 0, gainedNothingBefore, waiting: [] };
    this.#known.set(key, known);
    this.#evictOldest();
    return known;
  }

  #evictOldest(): void {
    for (const [key, { samplesInProgress }] of this.#known) {
      if (this.#known.size <= MAX_TEMPLATES) return;
      if (samplesInProgress === 0) this.#known.delete(key);
    }
  }
}
