/** Where others share the database, a batch costs the same for one visit as for ten: what comes back within so many milliseconds goes together. */
const GATHER = 40;

interface Waiting<T> {
  readonly entry: T;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

export interface GatheringSetup<T> {
  /** Settles a batch, or takes all of it back. */
  readonly settle: (batch: readonly T[]) => Promise<void>;
  /** Asked of each entry before its batch begins: whether it has to wait for the next. */
  readonly mustWait: (entry: T) => boolean;
  /** How many are out who could join. Where nobody shares the database, nobody is waited for. */
  readonly out: (() => number) | undefined;
}

/** Hands over what waits in batches, one at a time. A batch begins when the one before has ended, and when nobody is out whom it is worth waiting for. */
export class Gathering<T> {
  readonly #setup: GatheringSetup<T>;
  #waiting: Waiting<T>[] = [];
  #isBusy = false;
  #isUrgent = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: GatheringSetup<T>) {
    this.#setup = setup;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Resolves when it is on disk. What is urgent waits for nobody. */
  add(entry: T, isUrgent = false): Promise<void> {
    this.#isUrgent ||= isUrgent;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      if (!this.#isBusy) this.#gather();
      else if (this.#timer && this.#isAllHere()) this.#begin();
    });
  }

  #isAllHere(): boolean {
    const { out } = this.#setup;
    return out === undefined || this.#isUrgent || this.#waiting.length >= out();
  }

  #gather(): void {
    this.#isBusy = true;
    if (this.#isAllHere()) this.#begin();
    else this.#timer = setTimeout(() => this.#begin(), GATHER);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    const batch: Waiting<T>[] = [];
    const later: Waiting<T>[] = [];
    const entries: T[] = [];
    for (const waiting of this.#waiting) {
      if (this.#setup.mustWait(waiting.entry)) later.push(waiting);
      else {
        batch.push(waiting);
        entries.push(waiting.entry);
      }
    }
    this.#waiting = later;
    this.#isUrgent = false;
    try {
      await this.#setup.settle(entries);
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
    if (this.#waiting.length > 0) this.#gather();
    else this.#isBusy = false;
  }
}
