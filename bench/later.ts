/** Does each thing `delay` milliseconds after it was given. All wait equally long, so one queue and one timer are enough for any number. */
export function openLater<T>(delay: number, act: (item: T) => void): (item: T) => void {
  let waiting: { at: number; item: T }[] = [];
  let first = 0;
  const wake = () => {
    const now = performance.now();
    while (first < waiting.length && waiting[first]!.at <= now) act(waiting[first++]!.item);
    if (first === waiting.length) {
      waiting = [];
      first = 0;
      return;
    }
    if (first > 4096) {
      waiting = waiting.slice(first);
      first = 0;
    }
    setTimeout(wake, Math.max(1, waiting[first]!.at - now));
  };
  return (item) => {
    if (waiting.length === 0) setTimeout(wake, delay);
    waiting.push({ at: performance.now() + delay, item });
  };
}
