import type { Hash64, LinkKind, Reading } from "../records.ts";
import type { LinkToKeep, SaidWord } from "../store/index.ts";
import type { SaidOfLinks } from "./hooks.ts";
import { unpackLinks } from "./link-document.ts";

/** A page that names itself leads nowhere. */
const SELF: ReadonlySet<LinkKind> = new Set(["canonical", "refresh"]);

const NOTHING: SaidOfLinks = new Map();

export interface KeepSetup {
  /** Whether links are kept that no word applies to. */
  readonly keepsAll: boolean;
  readonly seed: Hash64;
  readonly words: readonly string[];
}

type Matches = readonly (readonly [place: number, match: number])[];

/** Of one page. Writing the matches of more would hold up the whole crawl, and nobody reads so many finds. */
const MOST_MATCHED = 2000;

/** The links of a page that keywords apply to, with their matches; of too many the best. */
export function mostMatched(matched: ReadonlyMap<number, Matches>): ReadonlyMap<number, Matches> {
  if (matched.size <= MOST_MATCHED) return matched;
  const best = ([, matches]: readonly [number, Matches]) => matches.reduce((most, [, match]) => Math.max(most, match), 0);
  return new Map([...matched].sort((a, b) => best(b) - best(a)).slice(0, MOST_MATCHED));
}

/** Less is the neighbourhood of a link, not the link: one in seventy of such matches is right. It may guide the way, but is no find. */
const LEAST = 0.32;

/** What is kept of a match: two digits, so that pages that say nearly the same of a link say the same. */
export const keptMatch = (match: number): number => (match < LEAST ? 0 : Math.round(Math.min(1, match) * 100) / 100);

/** The links of a page that are kept as rows: all, or those that a keyword applies to. */
export function keptLinks({ packedLinks, matches }: Reading, given: KeepSetup, said: SaidOfLinks = NOTHING): LinkToKeep[] {
  const { keepsAll, seed, words } = given;
  const found = new Map<number, [place: number, match: number][]>();
  for (const [index, link] of matches?.links.entries() ?? []) {
    const match = keptMatch(matches!.matches[index]!);
    if (match === 0) continue;
    const known = found.get(link);
    if (known) known.push([matches!.words[index]!, match]);
    else found.set(link, [[matches!.words[index]!, match]]);
  }
  const matched = mostMatched(found);
  if (!keepsAll && matched.size + said.size === 0) return [];
  const wanted = keepsAll ? undefined : new Set([...matched.keys(), ...said.keys()]);
  return unpackLinks(packedLinks, seed, wanted)
    .filter(({ kind }) => keepsAll || !SELF.has(kind))
    .map((link) => {
      const own = SELF.has(link.kind) ? [] : (matched.get(link.position) ?? []);
      const isMore = ({ word, match }: SaidWord) => !own.some(([place, found]) => words[place] === word && found >= match);
      return { ...link, matches: own, said: said.get(link.position)?.filter(isMore) };
    });
}
