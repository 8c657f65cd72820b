/** Runs N workers until all have ended. More can join meanwhile. */
export class Crew {
  readonly #work: () => Promise<void>;
  readonly #ends: Promise<PromiseSettledResult<void>>[] = [];
  #isAtWork = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when the last worker has ended, with the first failure if there was one. */
  async work(workers: number): Promise<PromiseRejectedResult | undefined> {
    this.#ends.length = 0;
    this.#isAtWork = true;
    this.#join(workers);
    let failure: PromiseRejectedResult | undefined;
    for (const end of this.#ends) {
      const ended = await end;
      if (ended.status === "rejected") failure ??= ended;
    }
    this.#isAtWork = false;
    return failure;
  }

  /** Only grows: surplus workers block on the frontier's concurrency limit. */
  grow(workers: number): void {
    if (this.#isAtWork) this.#join(workers - this.#ends.length);
  }

  #join(workers: number): void {
    for (let more = 0; more < workers; more++) this.#ends.push(Promise.allSettled([this.#work()]).then(([end]) => end!));
  }
}
