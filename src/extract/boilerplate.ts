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
