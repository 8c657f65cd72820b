/** What repeats on the pages of a site says nothing of any of them. */

/** A hash of 32 bits for each block of a main text (FNV-1a over its letters; case and white space do not count). */
export function blockHashes(blocks: readonly string[]): Uint32Array {
  return Uint32Array.from(blocks, (block) => {
    const text = block.toLowerCase().replace(/\s+/g, " ").trim();
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash >>> 0;
  });
}

/** On fewer pages than this a block is a coincidence. */
const FEWEST = 5;
/** Of the pages of its template. */
const SHARE = 0.2;

/** The hashes of blocks that stand on many pages of a template, sorted. */
export function repeatedBlocks(pages: Iterable<{ readonly template: string; readonly blocks: Uint32Array }>): Uint32Array {
  const templates = new Map<string, { pages: number; seen: Map<number, number> }>();
  for (const { template, blocks } of pages) {
    const known = templates.get(template) ?? { pages: 0, seen: new Map<number, number>() };
    templates.set(template, known);
    known.pages += 1;
    for (const block of new Set(blocks)) known.seen.set(block, (known.seen.get(block) ?? 0) + 1);
  }
  const repeated = new Set<number>();
  for (const { pages: total, seen } of templates.values())
    for (const [block, times] of seen) if (times >= FEWEST && times >= SHARE * total) repeated.add(block);
  return Uint32Array.from(repeated).sort();
}
