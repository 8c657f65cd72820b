/** Longer texts hardly come twice. */
const LONGEST = 500;
const MOST = 5000;

/**
 * Remembers what was found in short texts: pages of a site have their classes, menus and notices in common. All is forgotten when it is full.
 * The texts are kept as copies, because one that was cut out of a page would keep the page; so must be what was found, if it is cut out of the text.
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

/** Joining makes a text of its own, and what is cut out of that keeps nothing else. */
export const copyOf = (text: string) => ` ${text}`.slice(1);
