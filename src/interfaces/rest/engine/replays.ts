/**
 * Requests with an Idempotency-Key: a client that does not know whether its first request arrived sends it again and gets the first answer.
 */
import { createHash } from "node:crypto";
import type { SavedResponse } from "../../../store/index.ts";
import { Problem } from "../problem.ts";

export const requestHash = (route: string, input: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify([route, input]))
    .digest("hex");

/** Keys are separate per client: the same key from another client is another request. */
export const replayKey = (clientId: string, key: string): string =>
  createHash("sha256")
    .update(JSON.stringify([clientId, key]))
    .digest("hex");

/** Requests in progress; a concurrent second one with the same key is told to retry. */
export class Replays {
  readonly #inProgress = new Set<string>();

  async answer(
    key: string,
    asked: string,
    { find, make }: { readonly find: () => Promise<SavedResponse | undefined>; readonly make: () => Promise<SavedResponse> },
  ): Promise<{ readonly kept: SavedResponse; readonly isReplayed: boolean }> {
    if (this.#inProgress.has(key)) throw new Problem("conflict", "a request with this Idempotency-Key is under way", { retryAfter: 1 });
    this.#inProgress.add(key);
    try {
      const earlier = await find();
      if (earlier && earlier.asked !== asked) throw new Problem("conflict", "this Idempotency-Key was used for another request");
      return earlier ? { kept: earlier, isReplayed: true } : { kept: await make(), isReplayed: false };
    } finally {
      this.#inProgress.delete(key);
    }
  }
}
