/** Time is an argument, so that tests can replace it (nuthatch/testing). */
export interface Clock {
  /** Monotonic, so that setting the system clock back changes no delay. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Calls back once after this many milliseconds; the returned function cancels it. */
  after(milliseconds: number, call: () => void): () => void;
  /** Calls back repeatedly until cancelled, without keeping the process alive. If absent, real time is used. */
  every?(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Required<Clock> = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  every: (milliseconds, call) => {
    const timer = setInterval(call, milliseconds).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Polls until cancelled. The interval counts from the end of the last poll, so that slow polls do not pile up. A poll that fails is
 * retried without a message: use it only for following, where the work itself meets and reports errors of the database. Does not keep
 * the process alive.
 */
export function pollEvery(milliseconds: number, poll: () => Promise<unknown>): () => void {
  let isCancelled = false;
  let timer: NodeJS.Timeout;
  const next = () => {
    if (!isCancelled) timer = setTimeout(() => void poll().then(next, next), milliseconds).unref();
  };
  next();
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}
