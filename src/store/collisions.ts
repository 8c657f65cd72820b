const MOST_TRIES = 10;

/** A deadlock, or two that cannot have come one after the other (SQLSTATE 40P01 and 40001). SQLite knows neither. */
const isCollision = (cause: unknown): boolean => /^40(P01|001)$/.test(String((cause as { code?: unknown } | undefined)?.code));

/** Does the work again, some times, where what went wrong is worth it. */
export function repeated<T>(work: () => T, isWorthIt: (cause: unknown) => boolean = isCollision): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (cause) {
      if (tries >= MOST_TRIES || !isWorthIt(cause)) throw cause;
    }
  }
}
