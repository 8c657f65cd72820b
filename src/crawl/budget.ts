import type { Sharing } from "../frontier/index.ts";

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

/** So many are taken at once from what all together may fetch. */
const CHUNK = 8;

/** Of a run that several processes are at work in: what each may fetch it takes from what is left for all, some at a time. */
export class SharedBudget {
  readonly #sharing: Pick<Sharing, "takePages" | "lives">;
  #most: number;
  #held = 0;
  #life = 0;
  #out = 0;
  /** Whether all know that nothing is held for us. */
  #isTold = true;
  #taking: Promise<number | undefined> | undefined;

  constructor(sharing: Pick<Sharing, "takePages" | "lives">, most: number) {
    this.#sharing = sharing;
    this.#most = most;
  }

  /** "later" while others hold what is left. */
  async take(): Promise<"yes" | "later" | "spent"> {
    if (this.#most === Number.POSITIVE_INFINITY) return "yes";
    while (this.#holdsNothing()) {
      this.#taking ??= this.#takeSome();
      const granted = await this.#taking;
      if (granted === undefined || (granted === 0 && this.#out > 0)) return "later";
      if (granted === 0) return "spent";
    }
    this.#held -= 1;
    this.#out += 1;
    return "yes";
  }

  #holdsNothing(): boolean {
    if (this.#life !== this.#sharing.lives()) this.#held = 0;
    this.#life = this.#sharing.lives();
    return this.#held === 0;
  }

  /** One at a time: each tells how many are out. */
  async #takeSome(): Promise<number | undefined> {
    try {
      const granted = await this.#sharing.takePages(CHUNK, this.#most, this.#out);
      this.#held += granted ?? 0;
      this.#isTold = false;
      return granted;
    } finally {
      this.#taking = undefined;
    }
  }

  /** One that was taken is on disk as a page, or none came of it and whoever takes some next may have it. */
  settle(): void {
    if (this.#most !== Number.POSITIVE_INFINITY) this.#out -= 1;
  }

  /** What is not needed goes back to all; what was fetched since is no longer held for us. */
  async giveBack(): Promise<void> {
    if (this.#isTold) return;
    this.#held = 0;
    this.#isTold = true;
    await this.#sharing.takePages(0, this.#most, this.#out);
  }

  resize(most: number): void {
    this.#most = most;
  }
}
