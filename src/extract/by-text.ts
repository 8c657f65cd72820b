/** Longer texts rarely repeat. */
const LONGEST = 500;
const MOST = 5000;

/**
 * Caches results for short texts: pages of a site share their classes, menus and notices. The cache is cleared when it
 * is full. Keys are copied, because a substring of a page would keep the whole page in memory. For the same reason
 * `find` must copy any result that is a substring of its text.
 */
export function byText<Found>(find: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, Found>();
  return (text) => {
    if (text.length > LONGEST) return find(text);
    let found = known.get(text);
    if (found === undefined) {
      found = find(text);
      if (known.size >= MOST) known.clear();
      known.set(copyOf(text), found);
    }
    return found;
  };
}

/** Concatenation allocates a new string, so that a slice of it does not reference the original. */
export const copyOf = (text: string) => ` ${text}`.slice(1);
