/** Shorter beginnings match too many words. */
const MIN_PREFIX_LENGTH = 3;

/** The known word closest to a mistyped one, if it is close enough; else the only word that begins with it. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let minDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase());
    if (distance < minDistance) [best, minDistance] = [candidate, distance];
  }
  const longer = word.length < MIN_PREFIX_LENGTH ? [] : known.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()));
  return best ?? (longer.length === 1 ? longer[0] : undefined);
}

/** Edit distance with insertions, deletions, substitutions and transpositions (optimal string alignment). */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let minDistance = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        minDistance = Math.min(minDistance, beforeLast[column - 2]! + 1);
      }
      current.push(minDistance);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}
