import type { Hash64, LinkKind, Reading } from "../records.ts";
import type { LinkToKeep } from "../store/index.ts";
import { unpackLinks } from "./link-document.ts";

/** A page that names itself leads nowhere. */
const SELF: ReadonlySet<LinkKind> = new Set(["canonical", "refresh"]);

type Matches = [place: number, match: number][];

/** Two digits, so that pages that say nearly the same of a link say the same. */
export const rounded = (match: number): number => Math.round(Math.min(1, match) * 100) / 100;

/** The links of a page that are kept as rows: all, or those that a keyword applies to. */
export function keptLinks({ packedLinks, matches }: Reading, keepsAll: boolean, seed: Hash64): LinkToKeep[] {
  const matched = new Map<number, Matches>();
  for (const [index, link] of matches?.links.entries() ?? []) {
    const match = rounded(matches!.matches[index]!);
    if (match === 0) continue;
    const known = matched.get(link);
    if (known) known.push([matches!.words[index]!, match]);
    else matched.set(link, [[matches!.words[index]!, match]]);
  }
  if (!keepsAll && matched.size === 0) return [];
  return unpackLinks(packedLinks, seed, keepsAll ? undefined : matched)
    .filter(({ kind }) => keepsAll || !SELF.has(kind))
    .map((link) => ({ ...link, matches: SELF.has(link.kind) ? [] : (matched.get(link.position) ?? []) }));
}
