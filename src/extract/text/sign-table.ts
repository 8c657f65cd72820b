/** Signs of blocks, column by column, written block by block. */
export class SignTable {
  readonly values: Float32Array;
  readonly #count: number;
  #columns = 0;
  /** Where the next value of the block that is written goes. */
  #at = 0;

  constructor(width: number, count: number) {
    this.values = new Float32Array(width * count);
    this.#count = count;
  }

  /** The next columns: `write` puts a value for each of them. */
  each(columns: number, write: (at: number) => void): void {
    for (let at = 0; at < this.#count; at += 1) {
      this.#at = this.#columns * this.#count + at;
      write(at);
    }
    this.#columns += columns;
  }

  put(value: number): void {
    this.values[this.#at] = value;
    this.#at += this.#count;
  }

  /** The next column is the same for all. */
  fill(value: number): void {
    const start = this.#columns * this.#count;
    this.values.fill(value, start, start + this.#count);
    this.#columns += 1;
  }
}
