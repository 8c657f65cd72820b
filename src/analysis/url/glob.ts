/** Globs without RegExp: all positions the pattern may be in are followed at once, so time is text × pattern whatever they contain. */

// Steps from zero up are literal characters.
const STAR = -1;
const GLOBSTAR = -2;
const ANY_CHAR = -3;
/** A globstar that is a whole segment with its slash: zero or more directories. Always followed by IN_DIRS. */
const DIRS = -4;
const IN_DIRS = -5;
const SLASH = 47;

const firstWildcardIn = (glob: string) => glob.search(/[*?]/);

/** Number of pattern positions that are followed per character; 0 if a string comparison is enough. */
export function globSize(glob: string): number {
  const wildcardAt = firstWildcardIn(glob);
  return wildcardAt < 0 || glob.slice(wildcardAt) === "**" ? 0 : glob.length - wildcardAt;
}

export function compileGlob(glob: string): (text: string) => boolean {
  const wildcardAt = firstWildcardIn(glob);
  if (wildcardAt < 0) return (text) => text === glob;
  const prefix = glob.slice(0, wildcardAt);
  if (globSize(glob) === 0) return (text) => text.startsWith(prefix);
  const steps = stepsOf(glob.slice(wildcardAt), wildcardAt === 0 || prefix.endsWith("/"));
  return (text) => text.startsWith(prefix) && matches(steps, text, prefix.length);
}

function stepsOf(glob: string, opensSegment: boolean): number[] {
  const steps: number[] = [];
  for (let at = 0; at < glob.length; at++) {
    const wholeSegment = at === 0 ? opensSegment : glob[at - 1] === "/";
    if (glob.startsWith("**", at)) {
      while (glob[at + 1] === "*") at++;
      if (wholeSegment && glob[at + 1] === "/") {
        steps.push(DIRS, IN_DIRS);
        at++;
      } else steps.push(GLOBSTAR);
    } else if (glob[at] === "*") steps.push(STAR);
    else if (glob[at] === "?") steps.push(ANY_CHAR);
    else steps.push(glob.charCodeAt(at));
  }
  return steps;
}

function matches(steps: readonly number[], text: string, from: number): boolean {
  let current = new Uint8Array(steps.length + 1);
  let next = new Uint8Array(steps.length + 1);
  markReachable(current, steps, 0);
  for (let at = from; at < text.length; at++) {
    next.fill(0);
    if (!advance(current, next, steps, text.charCodeAt(at))) return false;
    [current, next] = [next, current];
  }
  return current[steps.length] === 1;
}

function advance(current: Uint8Array, next: Uint8Array, steps: readonly number[], char: number): boolean {
  let isAlive = false;
  for (let position = 0; position < steps.length; position++) {
    if (current[position] === 0) continue;
    const step = steps[position]!;
    const canStay = step === GLOBSTAR || step === IN_DIRS || (step === STAR && char !== SLASH);
    const canAdvance = step === char || (step === ANY_CHAR && char !== SLASH) || (step === IN_DIRS && char === SLASH);
    if (canStay) markReachable(next, steps, position);
    if (canAdvance) markReachable(next, steps, position + 1);
    isAlive ||= canStay || canAdvance;
  }
  return isAlive;
}

/** Marks a position and all that are reachable from it without reading a character. */
function markReachable(positions: Uint8Array, steps: readonly number[], from: number): void {
  let position = from;
  while (positions[position] === 0) {
    positions[position] = 1;
    const step = steps[position];
    if (step === DIRS) {
      positions[position + 1] = 1;
      position += 2;
    } else if (step === STAR || step === GLOBSTAR) position += 1;
    else return;
  }
}
