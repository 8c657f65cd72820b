// Preloaded into a crawler whose wall clock is to jump: CLOCK_JUMPS is a JSON list of [milliseconds after the start, new shift].
const jumps = JSON.parse(process.env.CLOCK_JUMPS ?? "[]");
const RealDate = Date;
const startedAt = performance.now();

function shift() {
  const age = performance.now() - startedAt;
  let shifted = 0;
  for (const [at, by] of jumps) if (age >= at) shifted = by;
  return shifted;
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift());
    else super(...given);
  }
  static now() {
    return RealDate.now() + shift();
  }
};
