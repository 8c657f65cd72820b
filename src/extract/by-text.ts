/** Longer texts hardly come twice. */
const LONGEST = 500;
const PLACES = 4096;

/**
 * Remembers what was found in short texts that come again: pages of a site have their classes, menus and notices in common, but not their words.
 * Every text has one place, by its sample. Whoever comes there for the second time takes it, so that texts that come once push nobody out.
 * They are kept as copies, because one that was cut out of a page would keep the page.
 */
export function byText<Found>(find: (text: string) => Found): (text: string) => Found {
  const known = bySample(find);
  return (text) => known(sampleOf(text), text);
}

/** The same for who has the sample already. */
export function bySample<Found>(find: (text: string) => Found): (sample: number, text: string) => Found {
  const texts: (string | undefined)[] = new Array(PLACES).fill(undefined);
  const known: (Found | undefined)[] = new Array(PLACES).fill(undefined);
  const last = new Uint16Array(PLACES);
  return (sample, text) => {
    const place = (sample >>> 16) % PLACES;
    if (texts[place] === text) return known[place] as Found;
    const found = find(text);
    if (last[place] === (sample & 0xffff) && text.length <= LONGEST) {
      texts[place] = copyOf(text);
      known[place] = found;
    }
    last[place] = sample;
    return found;
  };
}

/** Joining makes a text of its own, and what is cut out of that keeps nothing else. */
const copyOf = (text: string) => ` ${text}`.slice(1);

const LETTERS = 32;

/** A number of 32 bits that tells most texts apart by some of their letters. The engine's own hash reads all of them, and takes three times as long. */
export function sampleOf(text: string): number {
  let sample = text.length;
  const step = Math.ceil(text.length / LETTERS);
  for (let at = 0; at < text.length; at += step) sample = Math.imul(sample ^ text.charCodeAt(at), 0x9e3779b1) ^ (sample >>> 15);
  return sample;
}
