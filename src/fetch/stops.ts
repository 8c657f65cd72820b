const stopsBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Callbacks for the abort of a signal. A run has one signal and hundreds of requests under it: one listener serves all, because adding or
 * removing a listener searches the signal's whole list.
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
