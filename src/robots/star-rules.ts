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
const MOST_WORK = 12_000;
const PRICE = 16;

/** Rules are indexed by four consecutive characters that they require (as a hash); by two or one if no piece is longer. */
const FOURS = 2 ** 16;
const PAIRS = 128 * 128;
const NOTHING = FOURS + PAIRS + 128;
const fourOf = (letters: number) => Math.imul(letters & 0xfffffff, 0x9e3779b1) >>> 16;
const pairOf = (letters: number) => FOURS + (letters & 0x3fff);
const oneOf = (letters: number) => FOURS + PAIRS + (letters & 127);
/** Shifts one more character into the window. */
const joined = (letters: number, text: string, at: number) => (letters << 7) | (text.charCodeAt(at) & 127);

const NEEDED = 1;
const FOUND = 2;

/**
 * The rules with stars of one file. A path is compared only with rules whose rarest characters it contains, and only up to the work limit
 * of one URL: a file at the size limit can hold 14,000 rules that nearly match everything.
 */
export class StarRules<Rule extends StarRule> {
  readonly count: number;
  /** By required characters, the most specific rule first. */
  readonly #byLetters = new Map<number, Rule[]>();
  /** Marks the characters that some rule needs, and during a search those found in the path. */
  readonly #lookedUp = new Uint8Array(NOTHING + 1);
  readonly #beats: (a: Rule, b: Rule | undefined) => boolean;

  constructor(rules: Iterable<Rule>, beats: (a: Rule, b: Rule | undefined) => boolean) {
    const sorted = [...rules].sort((a, b) => b.octets - a.octets || Number(b.allow) - Number(a.allow));
    this.count = sorted.length;
    this.#beats = beats;
    const counts = new Uint32Array(NOTHING);
    for (const { pieces } of sorted) eachLetters(pieces, (letters) => counts[letters]!++);
    for (const rule of sorted) {
      const letters = rarestOf(rule.pieces, counts);
      const known = this.#byLetters.get(letters);
      if (known) known.push(rule);
      else this.#byLetters.set(letters, [rule]);
      this.#lookedUp[letters] = NEEDED;
    }
  }

  /** The best matching rule that beats `best`; "too much work" if the work limit is reached. */
  find(path: string, best: Rule | undefined): Rule | undefined | "too much work" {
    const search: Search<Rule> = { path, best, left: MOST_WORK };
    if (this.count === 0) return best;
    for (const letters of this.#lettersOf(path)) {
      for (const rule of this.#byLetters.get(letters)!) {
        if (search.best && rule.octets < search.best.octets) break;
        search.left -= PRICE;
        if (rule.length <= path.length && this.#beats(rule, search.best) && fits(rule, search)) search.best = rule;
        if (search.left < 0) return "too much work";
      }
    }
    return search.best;
  }

  /** The indexed characters that the path contains, each once. */
  #lettersOf(path: string): number[] {
    const found = this.#lookedUp[NOTHING] === NEEDED ? [NOTHING] : [];
    let letters = 0;
    for (let at = 0; at < path.length; at++) {
      letters = joined(letters, path, at);
      this.#lookUp(oneOf(letters), found);
      if (at > 0) this.#lookUp(pairOf(letters), found);
      if (at > 2) this.#lookUp(fourOf(letters), found);
    }
    for (const known of found) this.#lookedUp[known] = NEEDED;
    return found;
  }

  #lookUp(letters: number, found: number[]): void {
    if (this.#lookedUp[letters] !== NEEDED) return;
    this.#lookedUp[letters] = FOUND;
    found.push(letters);
  }
}

function eachLetters(pieces: readonly string[], heard: (letters: number) => void): void {
  const longest = pieces.reduce((most, { length }) => Math.max(most, length), 0);
  const [size, kind] = longest >= 4 ? [4, fourOf] : longest >= 2 ? [2, pairOf] : [1, oneOf];
  for (const piece of pieces) {
    let letters = 0;
    for (let at = 0; at < piece.length; at++) {
      letters = joined(letters, piece, at);
      if (at >= size - 1) heard(kind(letters));
    }
  }
}

function rarestOf(pieces: readonly string[], counts: Uint32Array): number {
  let rarest = NOTHING;
  eachLetters(pieces, (letters) => {
    if (rarest === NOTHING || counts[letters]! <= counts[rarest]!) rarest = letters;
  });
  return rarest;
}

interface Search<Rule> {
  readonly path: string;
  best: Rule | undefined;
  /** The work left for this URL. */
  left: number;
}

/** Each piece is matched as early as possible: if that fails, no other position can succeed. */
function fits({ pieces, isAnchored }: StarRule, search: Search<unknown>): boolean {
  const { path } = search;
  const head = pieces[0]!;
  const tail = pieces.at(-1)!;
  if (!path.startsWith(head) || (isAnchored && !path.endsWith(tail))) return false;
  search.left -= head.length + tail.length;
  let at = head.length;
  const last = isAnchored ? pieces.length - 1 : pieces.length;
  for (let index = 1; index < last && search.left >= 0; index++) {
    const piece = pieces[index]!;
    const found = path.indexOf(piece, at);
    search.left -= PRICE + piece.length + (found < 0 ? path.length : found) - at;
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isAnchored || path.length - tail.length >= at;
}
