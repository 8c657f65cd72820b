/**
 * With a shared database a batch costs about the same for one visit as for ten, so results that arrive within this many milliseconds are
 * settled together.
 */
const GATHER_MS = 40;

interface Waiting<T> {
  readonly entry: T;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

export interface BatchQueueSetup<T> {
  /** Settles a batch completely, or rolls it back completely. */
  readonly settle: (batch: readonly T[]) => Promise<void>;
  /** Called for each entry before its batch begins; true defers the entry to the next batch. */
  readonly mustDefer: (entry: T) => boolean;
  /** Number of visits in flight that could join the batch. Undefined without a shared database: then a batch does not wait. */
  readonly inFlight: (() => number) | undefined;
}

/**
 * Passes queued entries on in batches, one at a time. A batch begins when the previous one has ended and waiting for visits in flight is
 * no longer worth it.
 */
export class BatchQueue<T> {
  readonly #setup: BatchQueueSetup<T>;
  #waiting: Waiting<T>[] = [];
  #isBusy = false;
  #isUrgent = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: BatchQueueSetup<T>) {
    this.#setup = setup;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Resolves when the entry is on disk. An urgent entry does not wait for visits in flight. */
  add(entry: T, isUrgent = false): Promise<void> {
    this.#isUrgent ||= isUrgent;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      if (!this.#isBusy) this.#scheduleBatch();
      else if (this.#timer && this.#isComplete()) this.#startBatch();
    });
  }

  #isComplete(): boolean {
    const { inFlight } = this.#setup;
    return inFlight === undefined || this.#isUrgent || this.#waiting.length >= inFlight();
  }

  #scheduleBatch(): void {
    this.#isBusy = true;
    if (this.#isComplete()) this.#startBatch();
    else this.#timer = setTimeout(() => this.#startBatch(), GATHER_MS);
  }

  #startBatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    setImmediate(() => void this.#settleBatch());
  }

  async #settleBatch(): Promise<void> {
    const batch: Waiting<T>[] = [];
    const deferred: Waiting<T>[] = [];
    const entries: T[] = [];
    for (const waiting of this.#waiting) {
      if (this.#setup.mustDefer(waiting.entry)) deferred.push(waiting);
      else {
        batch.push(waiting);
        entries.push(waiting.entry);
      }
    }
    this.#waiting = deferred;
    this.#isUrgent = false;
    try {
      await this.#setup.settle(entries);
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
    if (this.#waiting.length > 0) this.#scheduleBatch();
    else this.#isBusy = false;
  }
}
