import type { Hash64, LinkKind, Reading } from "../../../core/records.ts";
import type { GivenMatch, LinkToStore } from "../../../store/index.ts";
import type { PluginLinkScores } from "../hooks.ts";
import { unpackLinks } from "./link-document.ts";

/** Links to the page itself, which are no finds. */
const SELF_KINDS: ReadonlySet<LinkKind> = new Set(["canonical", "refresh"]);

const NO_SCORES: PluginLinkScores = new Map();

export interface KeepSetup {
  /** Whether links without any match are kept too. */
  readonly keepsAll: boolean;
  readonly seed: Hash64;
  readonly words: readonly string[];
}

type Matches = readonly (readonly [place: number, match: number])[];

/** Limit per page: writing more matches would block the crawl, and nobody reads so many finds. */
const MAX_MATCHED_LINKS = 2000;

/** The links with matches; if there are too many, the best ones. */
export function bestMatched(matched: ReadonlyMap<number, Matches>): ReadonlyMap<number, Matches> {
  if (matched.size <= MAX_MATCHED_LINKS) return matched;
  const best = ([, matches]: readonly [number, Matches]) => matches.reduce((most, [, match]) => Math.max(most, match), 0);
  return new Map([...matched].sort((a, b) => best(b) - best(a)).slice(0, MAX_MATCHED_LINKS));
}

/**
 * A lower match comes from the link's surroundings, not from the link: one in seventy of these is right. It may guide the crawl, but is
 * not stored as a find.
 */
const MIN_MATCH = 0.32;

/** A match as stored: rounded to two digits, so that nearly equal readings of a link are equal. */
export const storedMatch = (match: number): number => (match < MIN_MATCH ? 0 : Math.round(Math.min(1, match) * 100) / 100);

/** The links of a page that are kept as rows: all, or those that a keyword applies to. */
export function linksToKeep({ packedLinks, matches }: Reading, given: KeepSetup, said: PluginLinkScores = NO_SCORES): LinkToStore[] {
  const { keepsAll, seed, words } = given;
  const found = new Map<number, [place: number, match: number][]>();
  for (const [index, link] of matches?.links.entries() ?? []) {
    const match = storedMatch(matches!.matches[index]!);
    if (match === 0) continue;
    const known = found.get(link);
    if (known) known.push([matches!.words[index]!, match]);
    else found.set(link, [[matches!.words[index]!, match]]);
  }
  const matched = bestMatched(found);
  if (!keepsAll && matched.size + said.size === 0) return [];
  const wanted = keepsAll ? undefined : new Set([...matched.keys(), ...said.keys()]);
  return unpackLinks(packedLinks, seed, wanted)
    .filter(({ kind }) => keepsAll || !SELF_KINDS.has(kind))
    .map((link) => {
      const own = SELF_KINDS.has(link.kind) ? [] : (matched.get(link.position) ?? []);
      const isHigher = ({ word, match }: GivenMatch) => !own.some(([place, found]) => words[place] === word && found >= match);
      return { ...link, matches: own, said: said.get(link.position)?.filter(isHigher) };
    });
}
