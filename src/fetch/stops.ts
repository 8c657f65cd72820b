const stopsBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * The calls to make when a signal aborts. A run has one signal and hundreds of requests under it: one listener for all of them,
 * because a signal searches its list of listeners for each one added and taken away.
 */
export function stopsOf(signal: AbortSignal): Set<() => void> {
  let stops = stopsBySignal.get(signal);
  if (stops === undefined) {
    const made = new Set<() => void>();
    signal.addEventListener("abort", () => {
      for (const stop of made) stop();
      made.clear();
    });
    stopsBySignal.set(signal, made);
    stops = made;
  }
  return stops;
}
