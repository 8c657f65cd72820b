/**
 * Enough for calls about the same URLs at the same time; a larger cache costs the garbage collector more than computing the answer again.
 */
const MAX_ENTRIES = 128;
const MAX_URL_LENGTH = 2048;

/** Caches the answers for the latest URLs: scope, traps, ordering and politeness examine the same URL one after the other. */
export function withRecentCache<T>(compute: (url: string) => T): (url: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (url) => {
    const cached = recent.get(url);
    if (cached !== undefined) return cached;
    const found = older.get(url) ?? compute(url);
    if (recent.size >= MAX_ENTRIES) {
      older = recent;
      recent = new Map();
    }
    if (url.length < MAX_URL_LENGTH) recent.set(url, found);
    return found;
  };
}
