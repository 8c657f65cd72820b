import {
  type ChangedPlace,
  type ComparedBy,
  type Content,
  contentOf,
  judgePlaces,
  maskOf,
  NoiseMemory,
  placeKeysIn,
  placesBetween,
  withoutIgnored,
} from "../../../analysis/recrawl/index.ts";
import { folderTemplateOf, templateOf } from "../../../analysis/url/index.ts";
import type { Reading, Remembered, Visit } from "../../../core/records.ts";
import type { IgnoredPart, Store } from "../../../store/index.ts";
import type { Reader } from "../read/reader.ts";

export interface NoiseDetectorSetup {
  readonly store: Store;
  readonly reader: Reader;
  readonly runId: number;
  readonly comparedBy: ComparedBy;
  readonly clock: { wall(): number };
}

/** "head": only facts in the head have changed. "doubt": fetch it again in its host's turn. */
export type NoiseVerdict = "same" | "changed" | "head" | "doubt";

/** Second looks are requests too. After this many that showed no noise, per template or per site, a changed page counts as changed. */
const MAX_FRUITLESS = { template: 3, site: 20 };
const MAX_REFETCHES = 8;
/** While second looks are in flight, more pages of the template may wait for their results, up to this number. */
const MAX_REFETCHES_AT_ONCE = 40;
/** On a page where something moves: rotating words can be equal twice by chance, so look at it up to this many times. */
const MAX_FETCHES_PER_PAGE = 4;

/** Templates held in memory. */
const MAX_TEMPLATES = 500;

/** A page with more different blocks or links than this has changed: noise is limited to a few places. */
const MAX_DIFFERENCES = 2000;

function differTooMuch(before: Content, now: Content): boolean {
  const partsOf = ({ blocks, links }: Content) => [...blocks, ...links.map(({ url, text }) => `${url} ${text}`)];
  const known = new Set(partsOf(before));
  return partsOf(now).filter((part) => !known.has(part)).length > MAX_DIFFERENCES;
}

interface NoiseEvidence {
  readonly template: NoiseMemory;
  readonly site: NoiseMemory;
  /** What is left to spend on second looks at pages of this template. */
  readonly refetches: { started: number; inFlight: number; fruitless: number };
}

interface Memory {
  readonly siteId: number;
  /** A template of folders (`folderTemplateOf`), or the whole site. */
  readonly template: string;
  readonly memory: NoiseMemory;
}

/** Template name for what was learned on the whole site. */
const WHOLE_SITE = "*";

/**
 * Tells noise from news on pages that differ from their stored version. Evidence comes from earlier runs; where there is none, from a
 * second look at a few pages of each template. The content of the first look is held in memory until then.
 */
export class NoiseDetector {
  readonly #setup: NoiseDetectorSetup;
  readonly #memories = new Map<string, Memory>();
  /** Pages with a look in flight, by the key of their memory. */
  readonly #awaited = new Map<number, string>();
  readonly #refetches = new Map<string, NoiseEvidence["refetches"]>();
  readonly #earlierContents = new Map<number, Content[]>();
  readonly #noisyTemplates = new Map<number, ReadonlySet<string>>();
  readonly #ignored = new Map<number, readonly IgnoredPart[]>();

  constructor(setup: NoiseDetectorSetup) {
    this.#setup = setup;
  }

  isRefetch(visit: Visit): boolean {
    return this.#earlierContents.has(visit.id);
  }

  /** An identical page shows no noise. That is recorded for the site, and for its template if the template has known noise. */
  async recordUnchanged({ url, siteId }: Visit): Promise<void> {
    const template = folderTemplateOf(url);
    const isKnown = this.#memories.has(`${siteId} ${template}`) || (await this.#templatesOf(siteId)).has(template);
    if (isKnown) (await this.#memoryOf(siteId, template)).recordUnchanged();
    (await this.#memoryOf(siteId, WHOLE_SITE)).recordUnchanged();
  }

  /** `change`: the answer if the stored body cannot be read, or if one of the two contents is too large to compare part by part. */
  async judge(visit: Visit, reading: Reading, remembered: Remembered, change: "same" | "changed"): Promise<NoiseVerdict> {
    const { comparedBy, clock } = this.#setup;
    const stored = reading.parts && (await this.#storedContent(visit, remembered));
    if (!stored) {
      this.#endRefetch(visit, await this.#evidenceOf(visit), false);
      return change;
    }
    const [before, now] = await this.#withoutIgnored(remembered, [stored, contentOf(reading.parts!, visit.url)]);
    const earlier = this.#earlierContents.get(visit.id) ?? [];
    if (differTooMuch(before, now)) {
      this.#endRefetch(visit, await this.#evidenceOf(visit), false);
      return change;
    }
    const at = clock.wall();
    const places = placesBetween(before, now, comparedBy, { before: remembered.readAt ?? at, now: at });
    const moved = earlier.flatMap((look) => placesBetween(look, now, comparedBy, { before: at, now: at }));
    const evidence = await this.#evidenceOf(visit);
    const last = earlier.at(-1);
    if (last)
      learnFromRefetch(evidence, places, moved, placesBetween(before, last, comparedBy, { before: remembered.readAt ?? at, now: at }));
    const verdicts = judgePlaces(places, evidence, moved);
    const isNews = [...verdicts.values()].includes("news");
    const isDoubtful = !isNews && [...verdicts.values()].includes("doubt");
    if (isDoubtful && this.#mayRefetch(evidence, earlier.length, moved.length > 0)) {
      this.#earlierContents.set(visit.id, [...earlier, now]);
      this.#awaited.set(visit.id, `${visit.siteId} ${folderTemplateOf(visit.url)}`);
      return "doubt";
    }
    this.#endRefetch(visit, evidence, moved.length > 0);
    const noise = places.filter((place) => verdicts.get(place) === "noise");
    const possible = placeKeysIn(now);
    for (const memory of [evidence.template, evidence.site]) {
      memory.recordChange(visit.key, places, possible);
      for (const place of noise) memory.recordNoise(place);
    }
    if (noise.length === places.length) return "same";
    return places.every((place) => place.fact !== undefined || verdicts.get(place) === "noise") ? "head" : "changed";
  }

  /** Writes what was learned for later runs. */
  async save(): Promise<void> {
    for (const { siteId, template, memory } of this.#memories.values()) {
      await this.#write(siteId, template, memory);
    }
  }

  async #write(siteId: number, template: string, memory: NoiseMemory): Promise<void> {
    const text = memory.hasUnsaved ? memory.toText() : undefined;
    if (text !== undefined) await this.#setup.store.saveNoise(siteId, template, text);
  }

  #mayRefetch({ refetches }: NoiseEvidence, earlier: number, hasMoved: boolean): boolean {
    if (earlier > 0) return hasMoved && earlier < MAX_FETCHES_PER_PAGE - 1;
    const fruitless = [...this.#refetches.values()].reduce((sum, each) => sum + each.fruitless, 0);
    if (refetches.fruitless >= MAX_FRUITLESS.template || fruitless >= MAX_FRUITLESS.site) return false;
    if (refetches.started >= (refetches.inFlight > 0 ? MAX_REFETCHES_AT_ONCE : MAX_REFETCHES)) return false;
    refetches.started += 1;
    refetches.inFlight += 1;
    return true;
  }

  #endRefetch(visit: Visit, { refetches }: NoiseEvidence, hasMoved: boolean): void {
    this.#awaited.delete(visit.id);
    if (!this.#earlierContents.delete(visit.id)) return;
    refetches.inFlight -= 1;
    if (!hasMoved) refetches.fruitless += 1;
  }

  async #evidenceOf({ url, siteId }: Visit): Promise<NoiseEvidence> {
    const template = folderTemplateOf(url);
    const key = `${siteId} ${templateOf(url)}`;
    const refetches = this.#refetches.get(key) ?? { started: 0, inFlight: 0, fruitless: 0 };
    this.#refetches.set(key, refetches);
    return { template: await this.#memoryOf(siteId, template), site: await this.#memoryOf(siteId, WHOLE_SITE), refetches };
  }

  async #memoryOf(siteId: number, template: string): Promise<NoiseMemory> {
    const key = `${siteId} ${template}`;
    const known = this.#memories.get(key);
    if (known) return known.memory;
    const memory = new NoiseMemory(await this.#setup.store.noise(siteId, template), this.#setup.runId);
    // A concurrent call for the same template may have set it while the store was read.
    if (!this.#memories.has(key)) this.#memories.set(key, { siteId, template, memory });
    await this.#evictOldest();
    return this.#memories.get(key)?.memory ?? memory;
  }

  /** Writes and evicts the oldest memories; those of whole sites stay, and those with looks in flight. */
  async #evictOldest(): Promise<void> {
    if (this.#memories.size <= MAX_TEMPLATES) return;
    const awaited = new Set(this.#awaited.values());
    for (const [key, { siteId, template, memory }] of this.#memories) {
      if (this.#memories.size <= MAX_TEMPLATES) return;
      if (template === WHOLE_SITE || awaited.has(key)) continue;
      this.#memories.delete(key);
      await this.#write(siteId, template, memory);
    }
  }

  async #templatesOf(siteId: number): Promise<ReadonlySet<string>> {
    const known = this.#noisyTemplates.get(siteId) ?? new Set(await this.#setup.store.noisyTemplates(siteId));
    this.#noisyTemplates.set(siteId, known);
    return known;
  }

  /** Parts that people ignore are not compared. */
  async #withoutIgnored({ siteId, pageId }: Remembered, contents: readonly [Content, Content]): Promise<readonly [Content, Content]> {
    const known = this.#ignored.get(siteId) ?? (await this.#setup.store.userData.ignored(siteId));
    this.#ignored.set(siteId, known);
    const mask = maskOf(known.filter((part) => (part.pageId ?? pageId) === pageId));
    return mask ? [withoutIgnored(contents[0], mask), withoutIgnored(contents[1], mask)] : contents;
  }

  async #storedContent({ url }: Visit, { bodyHash, contentType }: Remembered): Promise<Content | undefined> {
    const { store, reader } = this.#setup;
    const bytes = bodyHash === undefined ? undefined : await store.body(bodyHash);
    if (!bytes) return undefined;
    const job = { bytes: Uint8Array.from(bytes), contentType, robotsTags: [], url, as: "page", now: 0, partsUnless: "" } as const;
    const result = await reader.read(job);
    return "reading" in result && result.reading.parts ? contentOf(result.reading.parts, url) : undefined;
  }
}

/**
 * What differs between two looks moves without a change of content. A difference from the last run that is the same at both looks is
 * stable.
 */
function learnFromRefetch(
  { template, site }: NoiseEvidence,
  places: readonly ChangedPlace[],
  moved: readonly ChangedPlace[],
  earlier: readonly ChangedPlace[],
): void {
  for (const place of moved) {
    template.recordMove(place);
    site.recordMove(place);
  }
  const nameOf = ({ keys, now }: ChangedPlace) => JSON.stringify([keys[0], now]);
  const known = new Set(earlier.map(nameOf));
  for (const place of places) if (known.has(nameOf(place))) template.recordStable(place);
}
