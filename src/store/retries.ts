const MAX_TRIES = 10;

/** A deadlock or a serialization failure (SQLSTATE 40P01 and 40001). SQLite has neither. */
const isWriteConflict = (cause: unknown): boolean => /^40(P01|001)$/.test(String((cause as { code?: unknown } | undefined)?.code));

/** Repeats the work up to `MAX_TRIES` times if the error may pass. */
export function withRetries<T>(work: () => T, mayRetry: (cause: unknown) => boolean = isWriteConflict): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (cause) {
      if (tries >= MAX_TRIES || !mayRetry(cause)) throw cause;
    }
  }
}
