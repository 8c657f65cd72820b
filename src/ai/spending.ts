/** Tokens used or expected. */
export interface Tokens {
  readonly read: number;
  readonly written: number;
}

/** US dollars per million tokens. */
export type Price = Tokens;

export interface Limits {
  readonly tokens: number;
  readonly usd: number;
  readonly price: Price | undefined;
}

/** Assumed for a budget in dollars if no price is given: that of the most expensive models. */
const DEAREST: Price = { read: 15, written: 75 };

const UNPRICED = `, counted at $${DEAREST.read} and $${DEAREST.written} for a million tokens: --llm-price was not given`;

/** Parses `0.15,0.6`, as in --llm-price. */
export function parsePrice(text: string): Price {
  const [read = 0, written = 0] = text.split(",").map(Number);
  return { read, written };
}

const cost = ({ read, written }: Tokens, price: Price) => (read * price.read + written * price.written) / 1e6;

/**
 * The cost of a model so far, and whether another call is allowed. The expected cost of a call is reserved before it is made, so that
 * concurrent calls cannot spend the same money. A call that costs more than expected raises the expectation for the next.
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

  /** Undefined without a price. */
  get usd(): number | undefined {
    return this.#limits.price && cost(this, this.#limits.price);
  }

  /** Whether a call is pending, which may cost less than was reserved. */
  get isOpen(): boolean {
    return this.#aside.read + this.#aside.written > 0;
  }

  /** Resolves when a pending call has ended. */
  ended(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Reserves the expected cost of a call. If too little is left, returns the exceeded limit as text for the user. */
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

  /** Worst case so far: the expected cost times the highest ratio of actual to expected, or the highest cost of any call. */
  #feared({ read, written }: Tokens): Tokens {
    return {
      read: Math.ceil(Math.max(read * Math.max(1, this.#ratio.read), this.#most.read)),
      written: Math.ceil(Math.max(written * Math.max(1, this.#ratio.written), this.#most.written)),
    };
  }
}

const greatest = (a: Tokens, b: Tokens): Tokens => ({ read: Math.max(a.read, b.read), written: Math.max(a.written, b.written) });

const sum = (a: Tokens, b: Tokens): Tokens => ({ read: a.read + b.read, written: a.written + b.written });
