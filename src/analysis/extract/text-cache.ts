/** Longer texts rarely repeat. */
const MAX_CACHED_LENGTH = 500;
const MAX_CACHED = 5000;

/**
 * Caches results for short texts: pages of a site share their classes, menus and notices. The cache is cleared when it
 * is full. Keys are copied, because a substring of a page would keep the whole page in memory. For the same reason
 * `find` must copy any result that is a substring of its text.
 */
export function cachedByText<Found>(compute: (text: string) => Found): (text: string) => Found {
  const cache = new Map<string, Found>();
  return (text) => {
    if (text.length > MAX_CACHED_LENGTH) return compute(text);
    let result = cache.get(text);
    if (result === undefined) {
      result = compute(text);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(copyOf(text), result);
    }
    return result;
  };
}

/** Concatenation allocates a new string, so that a slice of it does not reference the original. */
export const copyOf = (text: string) => ` ${text}`.slice(1);
