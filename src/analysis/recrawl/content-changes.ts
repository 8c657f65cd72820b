import { hunksBetween } from "../../core/alignment.ts";
import { type ChangedPlace, type Content, type ContentLink, placesBetween } from "./changed-places.ts";
import { linkName } from "./link-places.ts";
import { judgePlaces, type NoiseKnowledge } from "./noise.ts";
import type { ReadTimes } from "./time-noise.ts";

/** Removed blocks and the blocks added in their place, with the neighbouring blocks. */
export interface TextHunk {
  readonly before: string | null;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly after: string | null;
}

/** A changed value of the page's head. */
export interface HeadChange {
  readonly field: string;
  readonly before: string | null;
  readonly now: string | null;
}

export interface ContentChanges {
  readonly text: readonly TextHunk[];
  readonly linksAdded: readonly ContentLink[];
  readonly linksRemoved: readonly ContentLink[];
  readonly fields: readonly HeadChange[];
  /** Number of words added or removed. */
  readonly words: number;
  /** Number of differing places that are noise. */
  readonly masked: number;
}

/**
 * The changes of a page for people to read: whole blocks and links, without those that differ only by noise. Without `known`, all changes.
 */
export function changesBetween(before: Content, now: Content, at: ReadTimes, known: NoiseKnowledge | undefined): ContentChanges {
  const places = placesBetween(before, now, "both", at);
  const verdicts = known ? judgePlaces(places, known) : new Map<ChangedPlace, string>();
  const relevant = places.filter((place) => verdicts.get(place) !== "noise");
  const blocksIn = (some: readonly ChangedPlace[], side: "before" | "now") => new Set(some.flatMap(({ blocks }) => blocks[side]));
  const shown = (side: "before" | "now") => {
    const blocks = blocksIn(relevant.filter(isText), side);
    return (block: string) => !known || blocks.has(block);
  };
  const text = textHunks(before.blocks, now.blocks, shown("before"), shown("now"));
  const links = { before: linksNotIn(before.links, now.links), now: linksNotIn(now.links, before.links) };
  const isRelevant = (side: "before" | "now") => {
    const names = new Set(relevant.filter((place) => !isText(place)).flatMap((place) => place[side]));
    const noiseBlocks = blocksIn(
      places.filter((place) => isText(place) && verdicts.get(place) === "noise"),
      side,
    );
    return (link: ContentLink) => !known || (names.has(linkName(link)) && !noiseBlocks.has(link.block));
  };
  return {
    text,
    linksAdded: links.now.filter(isRelevant("now")),
    linksRemoved: links.before.filter(isRelevant("before")),
    fields: relevant.flatMap(({ fact, before: [was = null], now: [is = null] }) =>
      fact === undefined ? [] : [{ field: fact, before: was, now: is }],
    ),
    words: text.reduce((sum, hunk) => sum + changedWordCount(hunk), 0),
    masked: places.length - relevant.length + transientChanges(before, now),
  };
}

const isText = ({ kind, keys, fact }: ChangedPlace) => kind !== "links" && fact === undefined && !keys[0]!.startsWith("V href");

/** The number of differing blocks among those that are not compared. */
function transientChanges({ hidden = [] }: Content, { hidden: fresh = [] }: Content): number {
  const [old, young] = [new Set(hidden), new Set(fresh)];
  const addedCount = fresh.filter((block) => !old.has(block)).length;
  return Math.max(addedCount, hidden.filter((block) => !young.has(block)).length);
}

function linksNotIn(links: readonly ContentLink[], others: readonly ContentLink[]): ContentLink[] {
  const known = new Set(others.map(linkName));
  return links.filter((link) => !known.has(linkName(link)));
}

function textHunks(
  before: readonly string[],
  now: readonly string[],
  isOut: (block: string) => boolean,
  isIn: (block: string) => boolean,
): TextHunk[] {
  return hunksBetween(before, now).flatMap(({ from, to }) => {
    const [removed, added] = [before.slice(...from).filter(isOut), now.slice(...to).filter(isIn)];
    if (removed.length + added.length === 0) return [];
    return [{ before: now[to[0] - 1] ?? null, removed, added, after: now[to[1]] ?? null }];
  });
}

function changedWordCount({ removed, added }: TextHunk): number {
  const words = (blocks: readonly string[]) => blocks.flatMap((block) => block.split(" "));
  const [old, fresh] = [words(removed), words(added)];
  return hunksBetween(old, fresh).reduce((sum, { from, to }) => sum + (from[1] - from[0]) + (to[1] - to[0]), 0);
}
