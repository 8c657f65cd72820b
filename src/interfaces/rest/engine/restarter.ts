/** Minimum time between two starts, so that a worker that exits at once does not keep the CPU busy. */
const MIN_INTERVAL_MS = 1000;

/** Restarts at once if the last start is long ago; a worker that keeps failing is restarted once a second. */
export function restarter(open: () => void, isClosing: () => boolean): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const wait = Math.max(0, last + MIN_INTERVAL_MS - performance.now());
    last = performance.now() + wait;
    if (wait > 0) setTimeout(() => isClosing() || open(), wait);
    else if (!isClosing()) open();
  };
}
