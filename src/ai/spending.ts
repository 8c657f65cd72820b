/** What was used, or may be. */
export interface Tokens {
  readonly read: number;
  readonly written: number;
}

/** Dollars for a million tokens. */
export type Price = Tokens;

export interface Limits {
  readonly tokens: number;
  readonly usd: number;
  readonly price: Price | undefined;
}

/** Where nobody told the price a budget in dollars is kept as if the model were among the dearest. */
const DEAREST: Price = { read: 15, written: 75 };

const UNPRICED = `, counted at $${DEAREST.read} and $${DEAREST.written} for a million tokens: --llm-price was not given`;

/** `0.15,0.6`, as --llm-price has it. */
export function parsePrice(text: string): Price {
  const [read = 0, written = 0] = text.split(",").map(Number);
  return { read, written };
}

const cost = ({ read, written }: Tokens, price: Price) => (read * price.read + written * price.written) / 1e6;

/**
 * What a model has cost so far, and whether one more call may be made. What a call will cost is set aside before it is made, so that calls
 * under way at once cannot spend the same cent, and a call that turned out dear makes us expect the same of the next.
 */
export class Spending {
  readonly #limits: Limits;
  #aside: Tokens = { read: 0, written: 0 };
  #ratio: Tokens = { read: 0, written: 0 };
  #most: Tokens = { read: 0, written: 0 };
  readonly #waiting: (() => void)[] = [];
  calls = 0;
  read = 0;
  written = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Unknown without a price. */
  get usd(): number | undefined {
    return this.#limits.price && cost(this, this.#limits.price);
  }

  /** Whether a call is under way: it may turn out cheaper than was feared. */
  get isOpen(): boolean {
    return this.#aside.read + this.#aside.written > 0;
  }

  /** Until a call that is under way has ended. */
  ended(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sets aside what a call is expected to take; if that is more than is left, answers what is not enough, in words for people. */
  begin(expected: Tokens): ((used: Tokens, calls: number) => void) | string {
    const more = this.#feared(expected);
    const total = sum(sum(this, this.#aside), more);
    const { tokens, usd, price = DEAREST } = this.#limits;
    if (total.read + total.written > tokens) return `--llm-tokens ${tokens}`;
    if (cost(total, price) > usd) return `--llm-budget ${usd}${this.#limits.price ? "" : UNPRICED}`;
    this.#aside = sum(this.#aside, more);
    return (used, calls) => {
      this.#aside = sum(this.#aside, { read: -more.read, written: -more.written });
      this.calls += calls;
      this.read += used.read;
      this.written += used.written;
      for (const go of this.#waiting.splice(0)) go();
      this.#most = greatest(this.#most, used);
      this.#ratio = greatest(this.#ratio, { read: used.read / expected.read, written: used.written / expected.written });
    };
  }

  /** As dear as calls so far turned out at most: beside what was expected of them, and on the whole. */
  #feared({ read, written }: Tokens): Tokens {
    return {
      read: Math.ceil(Math.max(read * Math.max(1, this.#ratio.read), this.#most.read)),
      written: Math.ceil(Math.max(written * Math.max(1, this.#ratio.written), this.#most.written)),
    };
  }
}

const greatest = (a: Tokens, b: Tokens): Tokens => ({ read: Math.max(a.read, b.read), written: Math.max(a.written, b.written) });

const sum = (a: Tokens, b: Tokens): Tokens => ({ read: a.read + b.read, written: a.written + b.written });
