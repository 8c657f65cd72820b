interface Draw {
  (below: number): number;
  <T>(from: readonly T[]): T;
}

/** A stream of choices of its own for each list of seeds (site, page, purpose): splitmix32 over a mix of them. */
export function draw(...seeds: number[]): Draw {
  let state = seeds.reduce((mix, seed) => scramble(mix ^ scramble(seed)), 0x2545f491);
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    return (scramble(state) >>> 0) / 2 ** 32;
  };
  return ((choice: number | readonly unknown[]) =>
    typeof choice === "number" ? Math.floor(next() * choice) : choice[Math.floor(next() * choice.length)]) as Draw;
}

function scramble(bits: number): number {
  let mixed = (bits + 0x9e3779b9) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
