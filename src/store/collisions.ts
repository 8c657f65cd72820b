const MOST_TRIES = 10;

/** A deadlock or a serialization failure (SQLSTATE 40P01 and 40001). SQLite has neither. */
const isCollision = (cause: unknown): boolean => /^40(P01|001)$/.test(String((cause as { code?: unknown } | undefined)?.code));

/** Repeats the work up to `MOST_TRIES` times if the error may pass. */
export function repeated<T>(work: () => T, isWorthIt: (cause: unknown) => boolean = isCollision): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (cause) {
      if (tries >= MOST_TRIES || !isWorthIt(cause)) throw cause;
    }
  }
}
