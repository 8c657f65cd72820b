const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Callbacks for the abort of a signal. A run has one signal and hundreds of requests under it: one listener serves all, because adding or
 * removing a listener searches the signal's whole list.
 */
export function abortCallbacksOf(signal: AbortSignal): Set<() => void> {
  let callbacks = callbacksBySignal.get(signal);
  if (callbacks === undefined) {
    const created = new Set<() => void>();
    signal.addEventListener("abort", () => {
      for (const callback of created) callback();
      created.clear();
    });
    callbacksBySignal.set(signal, created);
    callbacks = created;
  }
  return callbacks;
}
