/** Globs without RegExp: all positions the pattern may be in are followed at once, so time is text × pattern whatever they contain. */

// Steps from zero up are literal characters.
const STAR = -1;
const GLOBSTAR = -2;
const ONE = -3;
/** A globstar that is a whole segment with its slash: zero or more directories. Always followed by IN_DIRS. */
const DIRS = -4;
const IN_DIRS = -5;
const SLASH = 47;

const wildAtIn = (glob: string) => glob.search(/[*?]/);

/** Number of pattern positions that are followed per character; 0 if a string comparison is enough. */
export function globSize(glob: string): number {
  const wildAt = wildAtIn(glob);
  return wildAt < 0 || glob.slice(wildAt) === "**" ? 0 : glob.length - wildAt;
}

export function compileGlob(glob: string): (text: string) => boolean {
  const wildAt = wildAtIn(glob);
  if (wildAt < 0) return (text) => text === glob;
  const head = glob.slice(0, wildAt);
  if (globSize(glob) === 0) return (text) => text.startsWith(head);
  const steps = stepsOf(glob.slice(wildAt), wildAt === 0 || head.endsWith("/"));
  return (text) => text.startsWith(head) && matches(steps, text, head.length);
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
    else if (glob[at] === "?") steps.push(ONE);
    else steps.push(glob.charCodeAt(at));
  }
  return steps;
}

function matches(steps: readonly number[], text: string, from: number): boolean {
  let now = new Uint8Array(steps.length + 1);
  let next = new Uint8Array(steps.length + 1);
  enter(now, steps, 0);
  for (let at = from; at < text.length; at++) {
    next.fill(0);
    if (!advance(now, next, steps, text.charCodeAt(at))) return false;
    [now, next] = [next, now];
  }
  return now[steps.length] === 1;
}

function advance(now: Uint8Array, next: Uint8Array, steps: readonly number[], char: number): boolean {
  let alive = false;
  for (let place = 0; place < steps.length; place++) {
    if (now[place] === 0) continue;
    const step = steps[place]!;
    const stays = step === GLOBSTAR || step === IN_DIRS || (step === STAR && char !== SLASH);
    const leaves = step === char || (step === ONE && char !== SLASH) || (step === IN_DIRS && char === SLASH);
    if (stays) enter(next, steps, place);
    if (leaves) enter(next, steps, place + 1);
    alive ||= stays || leaves;
  }
  return alive;
}

/** Marks a position and all that are reachable from it without reading a character. */
function enter(places: Uint8Array, steps: readonly number[], from: number): void {
  let place = from;
  while (places[place] === 0) {
    places[place] = 1;
    const step = steps[place];
    if (step === DIRS) {
      places[place + 1] = 1;
      place += 2;
    } else if (step === STAR || step === GLOBSTAR) place += 1;
    else return;
  }
}
