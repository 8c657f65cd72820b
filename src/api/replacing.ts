/** Opened as late as this after the one before, who ends again at once does not keep the machine busy. */
const BETWEEN = 1000;

/** At once for the first in a while; what fails again and again is opened once a second. */
export function replacing(open: () => void, isClosing: () => boolean): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const wait = Math.max(0, last + BETWEEN - performance.now());
    last = performance.now() + wait;
    if (wait > 0) setTimeout(() => isClosing() || open(), wait);
    else if (!isClosing()) open();
  };
}
