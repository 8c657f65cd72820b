/** Signs of blocks, column by column. A column that is the same for all blocks is known by its least and greatest alone, and may not be written out. */
export interface Signs {
  readonly count: number;
  readonly values: Float32Array;
  readonly least: Float32Array;
  readonly greatest: Float32Array;
}

/** The same, while they are written block by block. */
export class SignTable implements Signs {
  readonly count: number;
  readonly values: Float32Array;
  readonly least: Float32Array;
  readonly greatest: Float32Array;
  #columns = 0;
  /** Where the next value of the block that is written goes. */
  #at = 0;

  constructor(width: number, count: number) {
    this.count = count;
    this.values = new Float32Array(width * count);
    this.least = new Float32Array(width);
    this.greatest = new Float32Array(width);
  }

  /** What is put from now on are the next columns of this block. */
  begin(block: number): void {
    this.#at = this.#columns * this.count + block;
  }

  put(value: number): void {
    this.values[this.#at] = value;
    this.#at += this.count;
  }

  /** So many columns have been put for every block. */
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

  /** The next column is the same for all. */
  fill(value: number): void {
    this.least[this.#columns] = value;
    this.greatest[this.#columns] = value;
    this.#columns += 1;
  }
}
