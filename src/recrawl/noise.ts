import { type NoiseMemory, numberOf, type Sighting } from "./noise-memory.ts";
import type { Place } from "./places.ts";

/** "doubt": another look, moments later, could tell. */
export type PlaceVerdict = "noise" | "news" | "doubt";

export interface NoiseKnown {
  /** What the pages of the template have taught, and those of the whole site. */
  readonly template: NoiseMemory;
  readonly site: NoiseMemory;
}

/** Whether a page that differs in these places says anything new, and which places are noise. */
export function judgePlaces(places: readonly Place[], known: NoiseKnown, seen: readonly Place[] = []): Map<Place, PlaceVerdict> {
  const looks = byKey(seen);
  const verdicts = new Map<Place, PlaceVerdict>();
  for (const place of places) if (place.kind !== "links") verdicts.set(place, verdictOf(place, known, looks));
  const said = verdictsOfBlocks(verdicts);
  const verdictAt = (block: string) => said.get(block.slice(0, CONTEXT));
  const isQuiet = (block: string) => verdictAt(block) === "noise";
  for (const place of places) {
    if (place.kind === "links") verdicts.set(place, linksVerdict(place, verdictAt, known, looks));
    else if (place.keys[0]!.startsWith("V href") && place.blocks.now.length > 0 && place.blocks.now.every(isQuiet))
      verdicts.set(place, "noise");
  }
  return verdicts;
}

const LOUDNESS: Readonly<Record<PlaceVerdict, number>> = { noise: 0, doubt: 1, news: 2 };

/** What is said of each block; where it differs in more than one place, the loudest. */
function verdictsOfBlocks(verdicts: ReadonlyMap<Place, PlaceVerdict>): Map<string, PlaceVerdict> {
  const said = new Map<string, PlaceVerdict>();
  for (const [{ blocks }, verdict] of verdicts) {
    for (const block of [...blocks.before, ...blocks.now].map((each) => each.slice(0, CONTEXT)))
      if (LOUDNESS[verdict] >= LOUDNESS[said.get(block) ?? "noise"]) said.set(block, verdict);
  }
  return said;
}

/** A link in a block that differs is part of it. */
function linksVerdict(place: Place, verdictAt: (block: string) => PlaceVerdict | undefined, known: NoiseKnown, looks: Looks): PlaceVerdict {
  const blocks = [...place.blocks.before, ...place.blocks.now];
  const ofBlock = place.isOfBlock ? verdictAt(blocks[0]!) : undefined;
  if (ofBlock) return ofBlock;
  const left = (items: readonly string[], blocks: readonly string[]) => items.filter((_, at) => verdictAt(blocks[at]!) !== "noise");
  const [before, now] = [left(place.before, place.blocks.before), left(place.now, place.blocks.now)];
  return before.length + now.length === 0 ? "noise" : verdictOf({ ...place, before, now }, known, looks);
}

/** As much of a block as its links keep. */
const CONTEXT = 200;

/** `looks`: where looks at this very page, moments apart, differed. */
function verdictOf(place: Place, known: NoiseKnown, looks: Looks): PlaceVerdict {
  // What a page asks of robots is obeyed at once, and no page changes it by chance.
  if (place.fact === "robots") return "news";
  if (place.keys.some((key) => looks.get(key)?.some((look) => isSamePlace(place, look)))) return "noise";
  if (isMoving(place, known.template, 1) || isMoving(place, known.site, 2)) return "noise";
  if (isWorn(place, known.template) || isWorn(place, known.site)) return "noise";
  return hasStood(place, known.template) ? "news" : "doubt";
}

/** By each of their names: a page may differ in as many places as it has blocks, and so may a look at it. */
type Looks = ReadonlyMap<string, readonly Place[]>;

function byKey(places: readonly Place[]): Looks {
  const found = new Map<string, Place[]>();
  for (const place of places) {
    for (const key of place.keys) {
      const known = found.get(key);
      if (known) known.push(place);
      else found.set(key, [place]);
    }
  }
  return found;
}

/** What moved between two looks at this page: whatever stood there before is taken for another of its kind, if it looks like one. */
function isSamePlace(place: Place, look: Place): boolean {
  if (place.kind !== look.kind) return false;
  if (place.kind === "value") return true;
  const seen = new Set([...look.before, ...look.now]);
  let longest = 0;
  for (const { length } of seen) longest = Math.max(longest, length);
  const areAsMany = [place.form, place.formBefore].every((form) => form === look.form || form === look.formBefore);
  return areAsMany && place.before.every(({ length }) => length <= 3 * longest) && place.now.every((item) => seen.has(item));
}

/** A second look at pages of this kind showed that nothing stands still here. */
function isMoving(place: Place, memory: NoiseMemory, least: number): boolean {
  return place.keys.some((key, rank) => {
    const sighting = memory.get(key);
    if (!sighting || sighting.moved < least || sighting.stood > 2 * sighting.moved) return false;
    return place.kind === "value" ? isUsual(place, sighting) : belongs(place, sighting, rank === 0);
  });
}

/** It has changed on nearly every page in earlier runs, and what comes there is no news: a mere value, or one of a few things that come again. */
function isWorn(place: Place, memory: NoiseMemory): boolean {
  return place.keys.some((key, rank) => {
    const sighting = memory.get(key);
    if (!sighting || !memory.changesAlways(key, place.kind)) return false;
    if (place.kind === "value") return isUsual(place, sighting) && (!place.isMoney || comesAgain(sighting));
    if (rank === 0 && memory.isShared(key) && isUsual(place, sighting)) return true;
    return belongs(place, sighting, comesAgain(sighting) && (rank === 0 || sighting.stayed * 10 <= sighting.changed));
  });
}

/** Pages that say something new each time, each of them something else, are there for that; so are prices. */
const comesAgain = ({ came, again }: Sighting): boolean => again * 5 >= came;

/** What was seen there before may stand there. Only the exact place may bring what never was, and only while new things keep coming. */
function belongs(place: Place, sighting: Sighting, isExact: boolean): boolean {
  if (!isUsual(place, sighting)) return false;
  if ([...place.before, ...place.now].every((item) => sighting.pool.has(numberOf(item)))) return true;
  const bringsNews = sighting.seen < 10 || sighting.fresh * 4 >= sighting.seen;
  return isExact && bringsNews;
}

/** It looks as it does there: a word where there were numbers does not, nor do two blocks where there was one. */
function isUsual(place: Place, { shapes, longest }: Sighting): boolean {
  const total = [...shapes.values()].reduce((sum, times) => sum + times, 0);
  const isCommon = (shape: string) => (shapes.get(shape) ?? 0) * 10 >= total && shapes.has(shape);
  if (place.kind === "value") return isCommon(place.form) || [...shapes.keys()].some((shape) => isLooseFit(place.form, shape));
  return isCommon(place.form) && isCommon(place.formBefore) && [...place.before, ...place.now].every(({ length }) => length <= 3 * longest);
}

/** A token of letters and digits may have only digits once. */
const isLooseFit = (form: string, seen: string) => seen.includes("x") && form.replace(/[nd]/g, "x") === seen.replace(/[nd]/g, "x");

/** Words may by chance be the same at two looks, values hardly. */
function hasStood(place: Place, memory: NoiseMemory): boolean {
  const sighting = memory.get(place.keys[0] ?? "");
  return sighting !== undefined && sighting.moved === 0 && sighting.stood >= (place.kind === "value" ? 2 : 3);
}
