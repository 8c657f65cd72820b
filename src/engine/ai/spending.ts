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
const HIGHEST_PRICE: Price = { read: 15, written: 75 };

const NO_PRICE_NOTE = `, counted at $${HIGHEST_PRICE.read} and $${HIGHEST_PRICE.written} for a million tokens: --llm-price was not given`;

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
  #reserved: Tokens = { read: 0, written: 0 };
  #ratio: Tokens = { read: 0, written: 0 };
  #maxUsed: Tokens = { read: 0, written: 0 };
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
  get hasPendingCall(): boolean {
    return this.#reserved.read + this.#reserved.written > 0;
  }

  /** Resolves when a pending call has ended. */
  callEnded(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Reserves the expected cost of a call. If too little is left, returns the exceeded limit as text for the user. */
  reserve(expected: Tokens): ((used: Tokens, calls: number) => void) | string {
    const more = this.#worstCase(expected);
    const total = sum(sum(this, this.#reserved), more);
    const { tokens, usd, price = HIGHEST_PRICE } = this.#limits;
    if (total.read + total.written > tokens) return `--llm-tokens ${tokens}`;
    if (cost(total, price) > usd) return `--llm-budget ${usd}${this.#limits.price ? "" : NO_PRICE_NOTE}`;
    this.#reserved = sum(this.#reserved, more);
    return (used, calls) => {
      this.#reserved = sum(this.#reserved, { read: -more.read, written: -more.written });
      this.calls += calls;
      this.read += used.read;
      this.written += used.written;
      for (const wake of this.#waiting.splice(0)) wake();
      this.#maxUsed = larger(this.#maxUsed, used);
      this.#ratio = larger(this.#ratio, { read: used.read / expected.read, written: used.written / expected.written });
    };
  }

  /** Worst case so far: the expected cost times the highest ratio of actual to expected, or the highest cost of any call. */
  #worstCase({ read, written }: Tokens): Tokens {
    return {
      read: Math.ceil(Math.max(read * Math.max(1, this.#ratio.read), this.#maxUsed.read)),
      written: Math.ceil(Math.max(written * Math.max(1, this.#ratio.written), this.#maxUsed.written)),
    };
  }
}

const larger = (a: Tokens, b: Tokens): Tokens => ({ read: Math.max(a.read, b.read), written: Math.max(a.written, b.written) });

const sum = (a: Tokens, b: Tokens): Tokens => ({ read: a.read + b.read, written: a.written + b.written });
