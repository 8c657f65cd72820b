import { type NoiseMemory, numberOf, type Sighting } from "./noise-memory.ts";
import type { Place } from "./places.ts";

/** "doubt": another fetch, moments later, could decide. */
export type PlaceVerdict = "noise" | "news" | "doubt";

export interface NoiseKnown {
  /** What was learned on pages of the template, and on the whole site. */
  readonly template: NoiseMemory;
  readonly site: NoiseMemory;
}

/** Decides for each place where a page differs whether it is noise. */
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

/** The verdict on each block; where it differs in more than one place, the strongest. */
function verdictsOfBlocks(verdicts: ReadonlyMap<Place, PlaceVerdict>): Map<string, PlaceVerdict> {
  const said = new Map<string, PlaceVerdict>();
  for (const [{ blocks }, verdict] of verdicts) {
    for (const block of [...blocks.before, ...blocks.now].map((each) => each.slice(0, CONTEXT)))
      if (LOUDNESS[verdict] >= LOUDNESS[said.get(block) ?? "noise"]) said.set(block, verdict);
  }
  return said;
}

/** A link in a block that differs gets the block's verdict. */
function linksVerdict(place: Place, verdictAt: (block: string) => PlaceVerdict | undefined, known: NoiseKnown, looks: Looks): PlaceVerdict {
  const blocks = [...place.blocks.before, ...place.blocks.now];
  const ofBlock = place.isOfBlock ? verdictAt(blocks[0]!) : undefined;
  if (ofBlock) return ofBlock;
  const left = (items: readonly string[], blocks: readonly string[]) => items.filter((_, at) => verdictAt(blocks[at]!) !== "noise");
  const [before, now] = [left(place.before, place.blocks.before), left(place.now, place.blocks.now)];
  return before.length + now.length === 0 ? "noise" : verdictOf({ ...place, before, now }, known, looks);
}

/** Links keep the beginning of their block, up to this length. */
const CONTEXT = 200;

/** `looks`: the places where fetches of this same page, moments apart, differed. */
function verdictOf(place: Place, known: NoiseKnown, looks: Looks): PlaceVerdict {
  // Directives for robots take effect at once, and no page changes them by chance.
  if (place.fact === "robots") return "news";
  if (place.keys.some((key) => looks.get(key)?.some((look) => isSamePlace(place, look)))) return "noise";
  if (isMoving(place, known.template, 1) || isMoving(place, known.site, 2)) return "noise";
  if (isWorn(place, known.template) || isWorn(place, known.site)) return "noise";
  return hasStood(place, known.template) ? "news" : "doubt";
}

/** Indexed by key: a page may differ in as many places as it has blocks, and so may a second look, so comparing all pairs would be slow. */
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

/** Whether the place moved between two looks at this page. Earlier content is accepted as noise too, if it looks similar. */
function isSamePlace(place: Place, look: Place): boolean {
  if (place.kind !== look.kind) return false;
  if (place.kind === "value") return true;
  const seen = new Set([...look.before, ...look.now]);
  let longest = 0;
  for (const { length } of seen) longest = Math.max(longest, length);
  const areAsMany = [place.form, place.formBefore].every((form) => form === look.form || form === look.formBefore);
  return areAsMany && place.before.every(({ length }) => length <= 3 * longest) && place.now.every((item) => seen.has(item));
}

/** Second looks at pages of this kind showed that this place changes on its own. */
function isMoving(place: Place, memory: NoiseMemory, least: number): boolean {
  return place.keys.some((key, rank) => {
    const sighting = memory.get(key);
    if (!sighting || sighting.moved < least || sighting.stood > 2 * sighting.moved) return false;
    return place.kind === "value" ? isUsual(place, sighting) : belongs(place, sighting, rank === 0);
  });
}

/**
 * The place changed on nearly every page in earlier runs, and its new content is no news: a plain value, or one of a few recurring items.
 */
function isWorn(place: Place, memory: NoiseMemory): boolean {
  return place.keys.some((key, rank) => {
    const sighting = memory.get(key);
    if (!sighting || !memory.changesAlways(key, place.kind)) return false;
    if (place.kind === "value") return isUsual(place, sighting) && (!place.isMoney || comesAgain(sighting));
    if (rank === 0 && memory.isShared(key) && isUsual(place, sighting)) return true;
    return belongs(place, sighting, comesAgain(sighting) && (rank === 0 || sighting.stayed * 10 <= sighting.changed));
  });
}

/** Content that is new each time and differs per page is what those pages are for; so are prices. Only recurring content is noise. */
const comesAgain = ({ came, again }: Sighting): boolean => again * 5 >= came;

/**
 * Known values are always noise. An unseen value is noise only at the exact position, and only while that position still produces new
 * values.
 */
function belongs(place: Place, sighting: Sighting, isExact: boolean): boolean {
  if (!isUsual(place, sighting)) return false;
  if ([...place.before, ...place.now].every((item) => sighting.pool.has(numberOf(item)))) return true;
  // Where a banner comes and goes, a notice may be written, and links of one heading may be two lists.
  const isOptional = place.kind === "links" || sighting.shapes.has("0");
  const bringsNews = sighting.seen < 10 ? !isOptional : sighting.fresh * 4 >= sighting.seen;
  return isExact && bringsNews;
}

/** Whether it has the usual form: a word in place of numbers, or two blocks in place of one, does not. */
function isUsual(place: Place, { shapes, longest }: Sighting): boolean {
  const total = [...shapes.values()].reduce((sum, times) => sum + times, 0);
  const isCommon = (shape: string) => (shapes.get(shape) ?? 0) * 10 >= total && shapes.has(shape);
  if (place.kind === "value") return isCommon(place.form) || [...shapes.keys()].some((shape) => isLooseFit(place.form, shape));
  return isCommon(place.form) && isCommon(place.formBefore) && [...place.before, ...place.now].every(({ length }) => length <= 3 * longest);
}

/** A token of letters and digits may consist of digits only by chance. */
const isLooseFit = (form: string, seen: string) => seen.includes("x") && form.replace(/[nd]/g, "x") === seen.replace(/[nd]/g, "x");

/** Words can be equal at two looks by chance, values hardly, so words need three looks without a change. */
function hasStood(place: Place, memory: NoiseMemory): boolean {
  const sighting = memory.get(place.keys[0] ?? "");
  return sighting !== undefined && sighting.moved === 0 && sighting.stood >= (place.kind === "value" ? 2 : 3);
}
