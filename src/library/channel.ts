/** Things on their way to a reader. While somebody reads, the crawl waits for them; when nobody does, nothing is kept. */
export class Channel<T> {
  /** How many may wait for a slow reader before the crawl itself waits. */
  readonly #ahead: number;
  readonly #items: T[] = [];
  #isRead = false;
  #isEnded = false;
  #reader: (() => void) | undefined;
  #room: (() => void)[] = [];

  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  get isRead(): boolean {
    return this.#isRead && !this.#isEnded;
  }

  open(): void {
    this.#isRead = true;
  }

  put(item: T): void {
    if (!this.isRead) return;
    this.#items.push(item);
    this.#reader?.();
  }

  async take(): Promise<T | undefined> {
    while (this.#items.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#reader = resolve;
      });
    }
    const item = this.#items.shift();
    if (this.#items.length < this.#ahead) this.#wakeAll();
    return item;
  }

  /** A promise while another visit would be too many. */
  room(): Promise<void> | undefined {
    if (!this.isRead || this.#items.length < this.#ahead) return undefined;
    return new Promise((resolve) => this.#room.push(resolve));
  }

  end(): void {
    this.#isEnded = true;
    this.#reader?.();
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#room.splice(0)) wake();
  }
}
