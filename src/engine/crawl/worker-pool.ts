/** Runs N workers until all have ended. More can join meanwhile. */
export class WorkerPool {
  readonly #run: () => Promise<void>;
  readonly #ends: Promise<PromiseSettledResult<void>>[] = [];
  #isRunning = false;

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when the last worker has ended, with the first failure if there was one. */
  async run(workers: number): Promise<PromiseRejectedResult | undefined> {
    this.#ends.length = 0;
    this.#isRunning = true;
    this.#start(workers);
    let failure: PromiseRejectedResult | undefined;
    for (const end of this.#ends) {
      const ended = await end;
      if (ended.status === "rejected") failure ??= ended;
    }
    this.#isRunning = false;
    return failure;
  }

  /** Only grows: surplus workers block on the frontier's concurrency limit. */
  grow(workers: number): void {
    if (this.#isRunning) this.#start(workers - this.#ends.length);
  }

  #start(workers: number): void {
    for (let more = 0; more < workers; more++) this.#ends.push(Promise.allSettled([this.#run()]).then(([end]) => end!));
  }
}
