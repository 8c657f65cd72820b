/** Time comes in as an argument: a test can bring its own (nuthatch/testing). */
export interface Clock {
  /** Monotonic, so that a clock set back cannot make us wait or hurry. */
  now(): number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Calls back once, so many milliseconds from now; the answer calls it off. */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
