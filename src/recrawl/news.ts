import { hunksBetween } from "../alignment.ts";
import type { Moments } from "./clock-noise.ts";
import { nameOf } from "./link-places.ts";
import { judgePlaces, type NoiseKnown } from "./noise.ts";
import { type Content, type ContentLink, type Place, placesBetween } from "./places.ts";

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

export interface News {
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
export function newsBetween(before: Content, now: Content, at: Moments, known: NoiseKnown | undefined): News {
  const places = placesBetween(before, now, "both", at);
  const verdicts = known ? judgePlaces(places, known) : new Map<Place, string>();
  const loud = places.filter((place) => verdicts.get(place) !== "noise");
  const blocksIn = (some: readonly Place[], side: "before" | "now") => new Set(some.flatMap(({ blocks }) => blocks[side]));
  const shown = (side: "before" | "now") => {
    const blocks = blocksIn(loud.filter(isText), side);
    return (block: string) => !known || blocks.has(block);
  };
  const text = textHunks(before.blocks, now.blocks, shown("before"), shown("now"));
  const links = { before: linksShown(before.links, now.links), now: linksShown(now.links, before.links) };
  const isLoud = (side: "before" | "now") => {
    const names = new Set(loud.filter((place) => !isText(place)).flatMap((place) => place[side]));
    const quiet = blocksIn(
      places.filter((place) => isText(place) && verdicts.get(place) === "noise"),
      side,
    );
    return (link: ContentLink) => !known || (names.has(nameOf(link)) && !quiet.has(link.block));
  };
  return {
    text,
    linksAdded: links.now.filter(isLoud("now")),
    linksRemoved: links.before.filter(isLoud("before")),
    fields: loud.flatMap(({ fact, before: [was = null], now: [is = null] }) =>
      fact === undefined ? [] : [{ field: fact, before: was, now: is }],
    ),
    words: text.reduce((sum, hunk) => sum + wordsApart(hunk), 0),
    masked: places.length - loud.length + passedBetween(before, now),
  };
}

const isText = ({ kind, keys, fact }: Place) => kind !== "links" && fact === undefined && !keys[0]!.startsWith("V href");

/** The number of differing blocks among those that are not compared. */
function passedBetween({ hidden = [] }: Content, { hidden: fresh = [] }: Content): number {
  const [old, young] = [new Set(hidden), new Set(fresh)];
  const came = fresh.filter((block) => !old.has(block)).length;
  return Math.max(came, hidden.filter((block) => !young.has(block)).length);
}

function linksShown(links: readonly ContentLink[], others: readonly ContentLink[]): ContentLink[] {
  const known = new Set(others.map(nameOf));
  return links.filter((link) => !known.has(nameOf(link)));
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

function wordsApart({ removed, added }: TextHunk): number {
  const words = (blocks: readonly string[]) => blocks.flatMap((block) => block.split(" "));
  const [old, fresh] = [words(removed), words(added)];
  return hunksBetween(old, fresh).reduce((sum, { from, to }) => sum + (from[1] - from[0]) + (to[1] - to[0]), 0);
}
