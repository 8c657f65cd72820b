/** Time comes in as an argument: a test can bring its own (nuthatch/testing). */
export interface Clock {
  /** Monotonic, so that a clock set back cannot make us wait or hurry. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Calls back once, so many milliseconds from now; the answer calls it off. */
  after(milliseconds: number, call: () => void): () => void;
  /** Calls back again and again until it is called off, and keeps no process alive. Where it is left out, real time is taken. */
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
 * Looks again and again until it is called off, each time so many milliseconds after the last look has ended: what is slow does not pile up. A look that fails is
 * repeated, so it is for whoever only follows: what ails a database, the work itself meets and tells. Keeps no process alive.
 */
export function lookEvery(milliseconds: number, look: () => Promise<unknown>): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const next = () => {
    if (!isOver) timer = setTimeout(() => void look().then(next, next), milliseconds).unref();
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
