/** A compiled rule with stars. */
export interface StarRule {
  /** The literal text between its stars. */
  readonly pieces: readonly string[];
  readonly isAnchored: boolean;
  /** Specificity: its length as written. */
  readonly octets: number;
  /** Total length of its pieces; no shorter path can match. */
  readonly length: number;
  readonly allow: boolean;
}

/**
 * Work limit for one URL: characters compared, plus a fixed price for each piece and rule. A unit takes about two nanoseconds, so 20,000
 * links take less than a second whatever the file; ordinary files need some hundreds of units.
 */
const MAX_WORK = 12_000;
const STEP_COST = 16;

/** Rules are indexed by four consecutive characters that they require (as a hash); by two or one if no piece is longer. */
const FOUR_CHAR_KEYS = 2 ** 16;
const PAIR_KEYS = 128 * 128;
const NO_KEY = FOUR_CHAR_KEYS + PAIR_KEYS + 128;
const fourCharKeyOf = (letters: number) => Math.imul(letters & 0xfffffff, 0x9e3779b1) >>> 16;
const pairKeyOf = (letters: number) => FOUR_CHAR_KEYS + (letters & 0x3fff);
const singleKeyOf = (letters: number) => FOUR_CHAR_KEYS + PAIR_KEYS + (letters & 127);
/** Shifts one more character into the window. */
const shiftIn = (letters: number, text: string, at: number) => (letters << 7) | (text.charCodeAt(at) & 127);

const NEEDED = 1;
const FOUND = 2;

/**
 * The rules with stars of one file. A path is compared only with rules whose rarest characters it contains, and only up to the work limit
 * of one URL: a file at the size limit can hold 14,000 rules that nearly match everything.
 */
export class StarRules<Rule extends StarRule> {
  readonly count: number;
  /** By required characters, the most specific rule first. */
  readonly #rulesByKey = new Map<number, Rule[]>();
  /** Marks the characters that some rule needs, and during a search those found in the path. */
  readonly #keyStates = new Uint8Array(NO_KEY + 1);
  readonly #isStronger: (a: Rule, b: Rule | undefined) => boolean;

  constructor(rules: Iterable<Rule>, isStronger: (a: Rule, b: Rule | undefined) => boolean) {
    const sorted = [...rules].sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
    this.count = sorted.length;
    this.#isStronger = isStronger;
    const counts = new Uint32Array(NO_KEY);
    for (const { pieces } of sorted) forEachKey(pieces, (letters) => counts[letters]!++);
    for (const rule of sorted) {
      const letters = rarestKeyOf(rule.pieces, counts);
      const known = this.#rulesByKey.get(letters);
      if (known) known.push(rule);
      else this.#rulesByKey.set(letters, [rule]);
      this.#keyStates[letters] = NEEDED;
    }
  }

  /** The best matching rule that beats `best`; "too much work" if the work limit is reached. */
  find(path: string, best: Rule | undefined): Rule | undefined | "too much work" {
    const search: Search<Rule> = { path, best, workLeft: MAX_WORK };
    if (this.count === 0) return best;
    for (const letters of this.#keysIn(path)) {
      for (const rule of this.#rulesByKey.get(letters)!) {
        if (search.best && rule.octets < search.best.octets) break;
        search.workLeft -= STEP_COST;
        if (rule.length <= path.length && this.#isStronger(rule, search.best) && matchesPath(rule, search)) search.best = rule;
        if (search.workLeft < 0) return "too much work";
      }
    }
    return search.best;
  }

  /** The indexed characters that the path contains, each once. */
  #keysIn(path: string): number[] {
    const found = this.#keyStates[NO_KEY] === NEEDED ? [NO_KEY] : [];
    let letters = 0;
    for (let at = 0; at < path.length; at++) {
      letters = shiftIn(letters, path, at);
      this.#collectKey(singleKeyOf(letters), found);
      if (at > 0) this.#collectKey(pairKeyOf(letters), found);
      if (at > 2) this.#collectKey(fourCharKeyOf(letters), found);
    }
    for (const known of found) this.#keyStates[known] = NEEDED;
    return found;
  }

  #collectKey(letters: number, found: number[]): void {
    if (this.#keyStates[letters] !== NEEDED) return;
    this.#keyStates[letters] = FOUND;
    found.push(letters);
  }
}

function forEachKey(pieces: readonly string[], onKey: (letters: number) => void): void {
  const longest = pieces.reduce((most, { length }) => Math.max(most, length), 0);
  const [size, kind] = longest >= 4 ? [4, fourCharKeyOf] : longest >= 2 ? [2, pairKeyOf] : [1, singleKeyOf];
  for (const piece of pieces) {
    let letters = 0;
    for (let at = 0; at < piece.length; at++) {
      letters = shiftIn(letters, piece, at);
      if (at >= size - 1) onKey(kind(letters));
    }
  }
}

function rarestKeyOf(pieces: readonly string[], counts: Uint32Array): number {
  let rarest = NO_KEY;
  forEachKey(pieces, (letters) => {
    if (rarest === NO_KEY || counts[letters]! <= counts[rarest]!) rarest = letters;
  });
  return rarest;
}

interface Search<Rule> {
  readonly path: string;
  best: Rule | undefined;
  /** The work left for this URL. */
  workLeft: number;
}

/** Each piece is matched as early as possible: if that fails, no other position can succeed. */
function matchesPath({ pieces, isAnchored }: StarRule, search: Search<unknown>): boolean {
  const { path } = search;
  const head = pieces[0]!;
  const tail = pieces.at(-1)!;
  if (!path.startsWith(head) || (isAnchored && !path.endsWith(tail))) return false;
  search.workLeft -= head.length + tail.length;
  let at = head.length;
  const last = isAnchored ? pieces.length - 1 : pieces.length;
  for (let index = 1; index < last && search.workLeft >= 0; index++) {
    const piece = pieces[index]!;
    const found = path.indexOf(piece, at);
    search.workLeft -= STEP_COST + piece.length + (found < 0 ? path.length : found) - at;
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isAnchored || path.length - tail.length >= at;
}
