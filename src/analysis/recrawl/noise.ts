import type { ChangedPlace } from "./changed-places.ts";
import { hashNumber, type NoiseMemory, type PlaceStats } from "./noise-memory.ts";

/** "doubt": another fetch, moments later, could decide. */
export type PlaceVerdict = "noise" | "news" | "doubt";

export interface NoiseKnowledge {
  /** What was learned on pages of the template, and on the whole site. */
  readonly template: NoiseMemory;
  readonly site: NoiseMemory;
}

/** Decides for each place where a page differs whether it is noise. */
export function judgePlaces(
  places: readonly ChangedPlace[],
  known: NoiseKnowledge,
  seen: readonly ChangedPlace[] = [],
): Map<ChangedPlace, PlaceVerdict> {
  const looks = byKey(seen);
  const verdicts = new Map<ChangedPlace, PlaceVerdict>();
  for (const place of places) if (place.kind !== "links") verdicts.set(place, verdictOf(place, known, looks));
  const verdictByBlock = verdictsOfBlocks(verdicts);
  const verdictAt = (block: string) => verdictByBlock.get(block.slice(0, CONTEXT_LENGTH));
  const isNoiseBlock = (block: string) => verdictAt(block) === "noise";
  for (const place of places) {
    if (place.kind === "links") verdicts.set(place, linksVerdict(place, verdictAt, known, looks));
    else if (place.keys[0]!.startsWith("V href") && place.blocks.now.length > 0 && place.blocks.now.every(isNoiseBlock))
      verdicts.set(place, "noise");
  }
  return verdicts;
}

const VERDICT_RANK: Readonly<Record<PlaceVerdict, number>> = { noise: 0, doubt: 1, news: 2 };

/** The verdict on each block; where it differs in more than one place, the strongest. */
function verdictsOfBlocks(verdicts: ReadonlyMap<ChangedPlace, PlaceVerdict>): Map<string, PlaceVerdict> {
  const verdictByBlock = new Map<string, PlaceVerdict>();
  for (const [{ blocks }, verdict] of verdicts) {
    for (const block of [...blocks.before, ...blocks.now].map((each) => each.slice(0, CONTEXT_LENGTH)))
      if (VERDICT_RANK[verdict] >= VERDICT_RANK[verdictByBlock.get(block) ?? "noise"]) verdictByBlock.set(block, verdict);
  }
  return verdictByBlock;
}

/** A link in a block that differs gets the block's verdict. */
function linksVerdict(
  place: ChangedPlace,
  verdictAt: (block: string) => PlaceVerdict | undefined,
  known: NoiseKnowledge,
  looks: PlacesByKey,
): PlaceVerdict {
  const blocks = [...place.blocks.before, ...place.blocks.now];
  const ofBlock = place.isOfBlock ? verdictAt(blocks[0]!) : undefined;
  if (ofBlock) return ofBlock;
  const left = (items: readonly string[], blocks: readonly string[]) => items.filter((_, at) => verdictAt(blocks[at]!) !== "noise");
  const [before, now] = [left(place.before, place.blocks.before), left(place.now, place.blocks.now)];
  return before.length + now.length === 0 ? "noise" : verdictOf({ ...place, before, now }, known, looks);
}

/** Links keep the beginning of their block, up to this length. */
const CONTEXT_LENGTH = 200;

/** `looks`: the places where fetches of this same page, moments apart, differed. */
function verdictOf(place: ChangedPlace, known: NoiseKnowledge, looks: PlacesByKey): PlaceVerdict {
  // Directives for robots take effect at once, and no page changes them by chance.
  if (place.fact === "robots") return "news";
  if (place.keys.some((key) => looks.get(key)?.some((look) => hasMovedAgain(place, look)))) return "noise";
  if (movesByItself(place, known.template, 1) || movesByItself(place, known.site, 2)) return "noise";
  if (isRoutineChange(place, known.template) || isRoutineChange(place, known.site)) return "noise";
  return hasStayedStable(place, known.template) ? "news" : "doubt";
}

/** Indexed by key: a page may differ in as many places as it has blocks, and so may a second look, so comparing all pairs would be slow. */
type PlacesByKey = ReadonlyMap<string, readonly ChangedPlace[]>;

function byKey(places: readonly ChangedPlace[]): PlacesByKey {
  const found = new Map<string, ChangedPlace[]>();
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
function hasMovedAgain(place: ChangedPlace, look: ChangedPlace): boolean {
  if (place.kind !== look.kind) return false;
  if (place.kind === "value") return true;
  const seen = new Set([...look.before, ...look.now]);
  let longest = 0;
  for (const { length } of seen) longest = Math.max(longest, length);
  const isSameCount = [place.form, place.formBefore].every((form) => form === look.form || form === look.formBefore);
  return isSameCount && place.before.every(({ length }) => length <= 3 * longest) && place.now.every((item) => seen.has(item));
}

/** Second looks at pages of this kind showed that this place changes on its own. */
function movesByItself(place: ChangedPlace, memory: NoiseMemory, minMoves: number): boolean {
  return place.keys.some((key, rank) => {
    const stats = memory.get(key);
    if (!stats || stats.moved < minMoves || stats.stable > 2 * stats.moved) return false;
    return place.kind === "value" ? hasUsualForm(place, stats) : isExpectedContent(place, stats, rank === 0);
  });
}

/**
 * The place changed on nearly every page in earlier runs, and its new content is no news: a plain value, or one of a few recurring items.
 */
function isRoutineChange(place: ChangedPlace, memory: NoiseMemory): boolean {
  return place.keys.some((key, rank) => {
    const stats = memory.get(key);
    if (!stats || !memory.alwaysChanges(key, place.kind)) return false;
    if (place.kind === "value") return hasUsualForm(place, stats) && (!place.isMoney || isRecurring(stats));
    if (rank === 0 && memory.isShared(key) && hasUsualForm(place, stats)) return true;
    return isExpectedContent(place, stats, isRecurring(stats) && (rank === 0 || stats.stayed * 10 <= stats.changed));
  });
}

/** Content that is new each time and differs per page is what those pages are for; so are prices. Only recurring content is noise. */
const isRecurring = ({ replacements, recurred }: PlaceStats): boolean => recurred * 5 >= replacements;

/**
 * Known values are always noise. An unseen value is noise only at the exact position, and only while that position still produces new
 * values.
 */
function isExpectedContent(place: ChangedPlace, stats: PlaceStats, isExact: boolean): boolean {
  if (!hasUsualForm(place, stats)) return false;
  if ([...place.before, ...place.now].every((item) => stats.pool.has(hashNumber(item)))) return true;
  // Where a banner comes and goes, a notice may be written, and links of one heading may be two lists.
  const isOptional = place.kind === "links" || stats.shapes.has("0");
  const bringsNewItems = stats.seen < 10 ? !isOptional : stats.fresh * 4 >= stats.seen;
  return isExact && bringsNewItems;
}

/** Whether it has the usual form: a word in place of numbers, or two blocks in place of one, does not. */
function hasUsualForm(place: ChangedPlace, { shapes, longest }: PlaceStats): boolean {
  const total = [...shapes.values()].reduce((sum, times) => sum + times, 0);
  const isCommon = (shape: string) => (shapes.get(shape) ?? 0) * 10 >= total && shapes.has(shape);
  if (place.kind === "value") return isCommon(place.form) || [...shapes.keys()].some((shape) => isSimilarForm(place.form, shape));
  return isCommon(place.form) && isCommon(place.formBefore) && [...place.before, ...place.now].every(({ length }) => length <= 3 * longest);
}

/** A token of letters and digits may consist of digits only by chance. */
const isSimilarForm = (form: string, seen: string) => seen.includes("x") && form.replace(/[nd]/g, "x") === seen.replace(/[nd]/g, "x");

/** Words can be equal at two looks by chance, values hardly, so words need three looks without a change. */
function hasStayedStable(place: ChangedPlace, memory: NoiseMemory): boolean {
  const stats = memory.get(place.keys[0] ?? "");
  return stats !== undefined && stats.moved === 0 && stats.stable >= (place.kind === "value" ? 2 : 3);
}
