/** A range of one sequence that replaces a range of another. */
export interface Hunk {
  readonly from: readonly [start: number, end: number];
  readonly to: readonly [start: number, end: number];
}

/** Above this many differences the rest is reported as one hunk: nobody would read them, and Myers' algorithm takes quadratic time. */
const MAX_DIFFERENCES = 1500;

/** Where two sequences differ, by the fewest removals and insertions (Myers 1986). */
export function hunksBetween(before: readonly string[], now: readonly string[]): Hunk[] {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start += 1;
  let [endA, endB] = [before.length, now.length];
  while (endA > start && endB > start && before[endA - 1] === now[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  if (start === endA && start === endB) return [];
  if (start === endA || start === endB) return [{ from: [start, endA], to: [start, endB] }];
  const kept = commonPairs(before.slice(start, endA), now.slice(start, endB));
  if (!kept) return [{ from: [start, endA], to: [start, endB] }];
  return gapsBetween(kept, { start, endA, endB });
}

/** The hunks between the elements that both sequences share. */
function gapsBetween(
  kept: readonly (readonly [number, number])[],
  { start, endA, endB }: { start: number; endA: number; endB: number },
): Hunk[] {
  const hunks: Hunk[] = [];
  let [a, b] = [start, start];
  for (const [x, y] of [...kept.map(([x, y]) => [x + start, y + start] as const), [endA, endB] as const]) {
    if (x > a || y > b) hunks.push({ from: [a, x], to: [b, y] });
    [a, b] = [x + 1, y + 1];
  }
  return hunks;
}

/** Index pairs of equal elements, in order; undefined if there are too many differences. */
function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  const maxSteps = Math.min(MAX_DIFFERENCES, a.length + b.length);
  const reach = new Int32Array(2 * maxSteps + 3);
  const middle = maxSteps + 1;
  const trace: Int32Array[] = [];
  for (let steps = 0; steps <= maxSteps; steps += 1) {
    trace.push(reach.slice(middle - steps - 1, middle + steps + 2));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const isDown = diagonal === -steps || (diagonal !== steps && reach[middle + diagonal - 1]! < reach[middle + diagonal + 1]!);
      let x = isDown ? reach[middle + diagonal + 1]! : reach[middle + diagonal - 1]! + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return undefined;
}

function walkBack(trace: readonly Int32Array[], endX: number, endY: number): [number, number][] {
  const kept: [number, number][] = [];
  let [x, y] = [endX, endY];
  for (let steps = trace.length - 1; steps >= 0; steps -= 1) {
    const reach = trace[steps]!;
    const at = (diagonal: number) => reach[diagonal + steps + 1]!;
    const diagonal = x - y;
    const isDown = diagonal === -steps || (diagonal !== steps && at(diagonal - 1) < at(diagonal + 1));
    const previous = isDown ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = steps === 0 ? [0, 0] : [at(previous), at(previous) - previous];
    while (x > fromX && y > fromY) {
      // In step 0 every element is kept; in later steps, those after the step's one removal or insertion.
      x -= 1;
      y -= 1;
      kept.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return kept.reverse();
}
