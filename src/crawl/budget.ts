/** How many more pages a run may fetch. A worker takes one before it asks for work and gives it back if no page came of it. */
export class Budget {
  #left: number;
  #out = 0;
  #spent = 0;
  readonly #waiting: ((granted: boolean) => void)[] = [];

  constructor(pages: number) {
    this.#left = pages;
  }

  /** False when the budget is spent and nobody who holds some can give it back. */
  take(): Promise<boolean> {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#out += 1;
      return Promise.resolve(true);
    }
    if (this.#out === 0) return Promise.resolve(false);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** So many in all, counted from the start. */
  resize(pages: number): void {
    this.#left = pages - this.#spent - this.#out;
    for (let room = this.#left; room > 0 && this.#waiting.length > 0; room--) void this.take().then(this.#waiting.shift()!);
  }

  giveBack(): void {
    this.#out -= 1;
    this.#left += 1;
    const next = this.#waiting.shift();
    if (next) void this.take().then(next);
  }

  spend(): void {
    this.#out -= 1;
    this.#spent += 1;
    if (this.#out === 0 && this.#left <= 0) for (const refuse of this.#waiting.splice(0)) refuse(false);
  }
}
