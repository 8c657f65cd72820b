/**
 * Requests with an Idempotency-Key: a client that does not know whether its first request arrived sends it again and gets the first answer.
 */
import { createHash } from "node:crypto";
import type { Replay } from "../store/index.ts";
import { Problem } from "./problem.ts";

export const askedHash = (route: string, input: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify([route, input]))
    .digest("hex");

/** Keys are separate per client: the same key from another client is another request. */
export const replayKey = (asker: string, key: string): string =>
  createHash("sha256")
    .update(JSON.stringify([asker, key]))
    .digest("hex");

/** Requests in progress; a concurrent second one with the same key is told to retry. */
export class Replays {
  readonly #open = new Set<string>();

  async answer(
    key: string,
    asked: string,
    { find, make }: { readonly find: () => Promise<Replay | undefined>; readonly make: () => Promise<Replay> },
  ): Promise<{ readonly kept: Replay; readonly isReplayed: boolean }> {
    if (this.#open.has(key)) throw new Problem("conflict", "a request with this Idempotency-Key is under way", { retryAfter: 1 });
    this.#open.add(key);
    try {
      const known = await find();
      if (known && known.asked !== asked) throw new Problem("conflict", "this Idempotency-Key was used for another request");
      return known ? { kept: known, isReplayed: true } : { kept: await make(), isReplayed: false };
    } finally {
      this.#open.delete(key);
    }
  }
}
