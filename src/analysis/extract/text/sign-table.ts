/**
 * Signs of blocks, stored by column. A column with the same value for all blocks is given by its minimum and maximum,
 * and may be missing from `values`.
 */
export interface Signs {
  readonly count: number;
  readonly values: Float32Array;
  readonly least: Float32Array;
  readonly greatest: Float32Array;
}

/** A table of signs that is written block by block. */
export class SignTable implements Signs {
  readonly count: number;
  readonly values: Float32Array;
  readonly least: Float32Array;
  readonly greatest: Float32Array;
  #columns = 0;
  /** Index of the next value of the current block. */
  #at = 0;

  constructor(width: number, count: number) {
    this.count = count;
    this.values = new Float32Array(width * count);
    this.least = new Float32Array(width);
    this.greatest = new Float32Array(width);
  }

  /** Starts a block: the following values go into the next columns. */
  begin(block: number): void {
    this.#at = this.#columns * this.count + block;
  }

  put(value: number): void {
    this.values[this.#at] = value;
    this.#at += this.count;
  }

  /** Ends a group of columns after all blocks were written, and computes minimum and maximum. */
  end(columns: number): void {
    const { count, values } = this;
    for (const last = this.#columns + columns; this.#columns < last; this.#columns += 1) {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      const start = this.#columns * count;
      for (let at = start; at < start + count; at += 1) {
        const value = values[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.least[this.#columns] = low;
      this.greatest[this.#columns] = high;
    }
  }

  /** Sets the next column to one value for all blocks. */
  fill(value: number): void {
    this.least[this.#columns] = value;
    this.greatest[this.#columns] = value;
    this.#columns += 1;
  }
}
