/** Words that anyone could have written, the same for the same seed: an endless web has to be drawn as it is asked for. */
import { createHash } from "node:crypto";

const VOCABULARY =
  "amber basket candle dapple ember fennel garnet hollow ivory juniper kestrel linden marble nettle osprey pewter quiver russet saffron tallow umber velvet willow yarrow zephyr brook cinder drift elder ferry gorse heath inlet kelp loam moor notch orchard pebble quarry reed slate thorn vale weir".split(
    " ",
  );

/** An endless row of numbers below 2³² that depends on the seed alone. */
function* numbers(seed: string): Generator<number, never> {
  for (let round = 0; ; round += 1) {
    const bytes = createHash("sha256").update(`${seed}|${round}`).digest();
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32BE(at);
  }
}

export interface Draw {
  words(count: number): string;
  number(below: number): number;
  token(length: number): string;
}

export function draw(seed: string): Draw {
  const source = numbers(seed);
  const number = (below: number) => source.next().value % below;
  return {
    number,
    words: (count) => Array.from({ length: count }, () => VOCABULARY[number(VOCABULARY.length)]!).join(" "),
    token: (length) => Array.from({ length }, () => number(36).toString(36)).join(""),
  };
}

export const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

export const anchors = (...links: readonly (readonly [href: string, text: string])[]): string =>
  links.map(([href, text]) => `<a href="${href}">${text}</a>`).join("\n");
