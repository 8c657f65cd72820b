/** Where a piece of a rule next occurs in a path. */
export type Find = (piece: string, from: number) => number;

/** Below this many comparisons the engine's own search is faster than preparing for the worst. */
const CHEAP = 2_000_000;

/**
 * Finding every piece of a hostile file in a hostile path by plain search costs path × file. A suffix automaton of the path
 * answers in the length of the piece, whatever both contain.
 */
export function finderIn(path: string, fileSize: number): Find {
  if (path.length * fileSize <= CHEAP) return (piece, from) => path.indexOf(piece, from);
  let automaton: SuffixAutomaton | undefined;
  return (piece, from) => {
    if (piece === "") return from;
    automaton ??= new SuffixAutomaton(path);
    return automaton.find(piece, from);
  };
}

/** Blumer et al., "The smallest automaton recognizing the subwords of a text" (1985), with the ends of each class of subwords. */
class SuffixAutomaton {
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #link: number[] = [-1];
  readonly #length: number[] = [0];
  /** Where a state first ends; -1 for clones, which end where their children do. */
  readonly #end: number[] = [-1];
  readonly #ends: Int32Array;
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #sorted = new Map<number, Int32Array>();

  constructor(text: string) {
    this.#ends = new Int32Array(text.length);
    let last = 0;
    for (let at = 0; at < text.length; at++) last = this.#append(text.charCodeAt(at), at, last);
    this.#layOut();
  }

  find(piece: string, from: number): number {
    let state = 0;
    for (let at = 0; at < piece.length; at++) {
      const next = this.#next[state]!.get(piece.charCodeAt(at));
      if (next === undefined) return -1;
      state = next;
    }
    const ends = this.#endsOf(state);
    const wanted = from + piece.length - 1;
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low < ends.length ? ends[low]! - piece.length + 1 : -1;
  }

  #add(length: number, link: number, end: number, next: Map<number, number>): number {
    this.#length.push(length);
    this.#link.push(link);
    this.#end.push(end);
    return this.#next.push(next) - 1;
  }

  #append(char: number, at: number, last: number): number {
    const added = this.#add(this.#length[last]! + 1, 0, at, new Map());
    let state = last;
    for (; state >= 0 && !this.#next[state]!.has(char); state = this.#link[state]!) this.#next[state]!.set(char, added);
    if (state < 0) return added;
    const target = this.#next[state]!.get(char)!;
    if (this.#length[target] === this.#length[state]! + 1) {
      this.#link[added] = target;
      return added;
    }
    const clone = this.#add(this.#length[state]! + 1, this.#link[target]!, -1, new Map(this.#next[target]));
    for (; state >= 0 && this.#next[state]!.get(char) === target; state = this.#link[state]!) this.#next[state]!.set(char, clone);
    this.#link[target] = clone;
    this.#link[added] = clone;
    return added;
  }

  /** All ends of a state lie side by side in one array: its own and those of the states that link to it. */
  #layOut(): void {
    const byLength = [...this.#length.keys()].sort((a, b) => this.#length[a]! - this.#length[b]!);
    const count = this.#end.map((end) => (end < 0 ? 0 : 1));
    for (const state of byLength.toReversed()) if (state > 0) count[this.#link[state]!]! += count[state]!;
    const free: number[] = [];
    for (const state of byLength) {
      const link = this.#link[state]!;
      const from = state === 0 ? 0 : free[link]!;
      if (state > 0) free[link] = from + count[state]!;
      this.#from[state] = from;
      this.#to[state] = from + count[state]!;
      free[state] = from;
      if (this.#end[state]! >= 0) this.#ends[free[state]++] = this.#end[state]!;
    }
  }

  #endsOf(state: number): Int32Array {
    const known = this.#sorted.get(state);
    if (known) return known;
    const sorted = this.#ends.slice(this.#from[state], this.#to[state]).sort();
    this.#sorted.set(state, sorted);
    return sorted;
  }
}
