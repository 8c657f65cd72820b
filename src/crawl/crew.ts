/** Workers that all do the same until there is nothing left to do. More can join while they are at it. */
export class Crew {
  readonly #work: () => Promise<void>;
  readonly #ends: Promise<PromiseSettledResult<void>>[] = [];
  #isAtWork = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when the last has ended, with the first failure if there was one. */
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

  /** Those who are too many stay and get nothing to do. */
  grow(workers: number): void {
    if (this.#isAtWork) this.#join(workers - this.#ends.length);
  }

  #join(workers: number): void {
    for (let more = 0; more < workers; more++) this.#ends.push(Promise.allSettled([this.#work()]).then(([end]) => end!));
  }
}
