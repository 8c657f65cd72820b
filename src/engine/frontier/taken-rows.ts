/** Ledger rows taken from a queue and not settled yet: on disk they are still queued. */
export class TakenRows {
  readonly #ids = new Set<number>();
  readonly #awaiting: (() => void)[] = [];

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  add(id: number): void {
    this.#ids.add(id);
  }

  delete(id: number): void {
    this.#ids.delete(id);
    if (this.#awaiting.length === 0) return;
    for (const resolve of this.#awaiting.splice(0)) resolve();
  }

  /** Resolves when none of these is taken any more. */
  async waitUntilSettled(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      while (this.#ids.has(id)) await new Promise<void>((resolve) => this.#awaiting.push(resolve));
    }
  }
}
