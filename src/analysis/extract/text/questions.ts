/**
 * The questions of a tree that must be asked for each row. Mostly there are two or three; asking them in one loop takes
 * half as long as one loop for each.
 */
export class TreeQuestions {
  count = 0;
  readonly #signs: Float32Array;
  readonly #answers: Float32Array;
  readonly #sums: Float64Array;
  /** For each question: the start of its column, its threshold, and the bit that a yes sets. */
  readonly #starts: number[] = [0, 0, 0];
  readonly #thresholds: number[] = [0.5, 0.5, 0.5];
  readonly #bits: number[] = [0, 0, 0];
  /** Answer bits of the fourth and later questions. */
  readonly #otherBits: Uint8Array;

  constructor(signs: Float32Array, answers: Float32Array, sums: Float64Array) {
    this.#signs = signs;
    this.#answers = answers;
    this.#sums = sums;
    this.#otherBits = new Uint8Array(sums.length);
  }

  add(start: number, threshold: number, bit: number): void {
    this.#starts[this.count] = start;
    this.#thresholds[this.count] = threshold;
    this.#bits[this.count] = bit;
    this.count += 1;
  }

  /** Adds the tree's answer to the sum of each row. `first` is the index of the answer for no to all questions. */
  ask(first: number): void {
    if (this.count === 1) this.#askOne(first);
    else if (this.count === 2) this.#askTwo(first);
    else this.#askMore(first);
    this.count = 0;
  }

  #askOne(first: number): void {
    const [signs, answers, sums] = [this.#signs, this.#answers, this.#sums];
    const [start, threshold, bit] = [this.#starts[0]!, this.#thresholds[0]!, this.#bits[0]!];
    for (let at = 0; at < sums.length; at += 1) sums[at] = sums[at]! + answers[first + (Number(signs[start + at]! > threshold) << bit)]!;
  }

  #askTwo(first: number): void {
    const [signs, answers, sums] = [this.#signs, this.#answers, this.#sums];
    const [startA, boundA, bitA] = [this.#starts[0]!, this.#thresholds[0]!, this.#bits[0]!];
    const [startB, boundB, bitB] = [this.#starts[1]!, this.#thresholds[1]!, this.#bits[1]!];
    for (let at = 0; at < sums.length; at += 1) {
      const answer = (Number(signs[startA + at]! > boundA) << bitA) | (Number(signs[startB + at]! > boundB) << bitB);
      sums[at] = sums[at]! + answers[first + answer]!;
    }
  }

  #askMore(first: number): void {
    const [signs, answers, sums, otherBits] = [this.#signs, this.#answers, this.#sums, this.#otherBits];
    for (let nth = 3; nth < this.count; nth += 1) this.#askLater(this.#starts[nth]!, this.#thresholds[nth]!, this.#bits[nth]!);
    const [startA, boundA, bitA] = [this.#starts[0]!, this.#thresholds[0]!, this.#bits[0]!];
    const [startB, boundB, bitB] = [this.#starts[1]!, this.#thresholds[1]!, this.#bits[1]!];
    const [startC, boundC, bitC] = [this.#starts[2]!, this.#thresholds[2]!, this.#bits[2]!];
    for (let at = 0; at < sums.length; at += 1) {
      const answer =
        (Number(signs[startA + at]! > boundA) << bitA) |
        (Number(signs[startB + at]! > boundB) << bitB) |
        (Number(signs[startC + at]! > boundC) << bitC);
      sums[at] = sums[at]! + answers[first + (answer | otherBits[at]!)]!;
      otherBits[at] = 0;
    }
  }

  #askLater(start: number, threshold: number, bit: number): void {
    const [signs, otherBits] = [this.#signs, this.#otherBits];
    for (let at = 0; at < otherBits.length; at += 1) otherBits[at] = otherBits[at]! | (Number(signs[start + at]! > threshold) << bit);
  }
}
