/**
 * Enough for calls about the same URLs at the same time; a larger cache costs the garbage collector more than computing the answer again.
 */
const MOST = 128;
const LONGEST = 2048;

/** Caches the answers for the latest URLs: scope, traps, ordering and politeness examine the same URL one after the other. */
export function recently<T>(answer: (url: string) => T): (url: string) => T {
  let known = new Map<string, T>();
  let older = new Map<string, T>();
  return (url) => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const found = older.get(url) ?? answer(url);
    if (known.size >= MOST) {
      older = known;
      known = new Map();
    }
    if (url.length < LONGEST) known.set(url, found);
    return found;
  };
}
