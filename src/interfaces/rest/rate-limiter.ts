/** Rate limit per client address (token bucket). Generous on purpose: it stops only clients in an endless loop. */
import { Problem } from "./problem.ts";

export interface RateLimiterSetup {
  /** Requests per minute, and the size of the burst. */
  readonly perMinute: number;
  readonly now: () => number;
}

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 10_000;

export class RateLimiter {
  readonly #setup: RateLimiterSetup;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(setup: RateLimiterSetup) {
    this.#setup = setup;
  }

  /** Takes a token; returns the rate-limit headers, or throws if there is none. */
  takeToken(address: string): Readonly<Record<string, string>> {
    const { perMinute, now } = this.#setup;
    const bucket = this.#buckets.get(address) ?? { left: perMinute, at: now() };
    bucket.left = Math.min(perMinute, bucket.left + ((now() - bucket.at) / MINUTE_MS) * perMinute);
    bucket.at = now();
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    if (this.#buckets.size > MAX_CLIENTS) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (bucket.left < 1) {
      const retryAfter = Math.ceil(((1 - bucket.left) / perMinute) * 60);
      throw new Problem("rate-limited", `more than ${perMinute} requests a minute`, { retryAfter });
    }
    bucket.left -= 1;
    const refill = Math.ceil(((perMinute - bucket.left) / perMinute) * 60);
    return {
      "ratelimit-policy": `"default";q=${perMinute};w=60`,
      ratelimit: `"default";r=${Math.floor(bucket.left)};t=${refill}`,
    };
  }
}
