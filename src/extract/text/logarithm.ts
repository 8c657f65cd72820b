const SMALL = 4096;
let known: Float64Array | undefined;

/** Math.log1p, looked up for small whole numbers: lengths and counts are mostly such, and it is asked for them dozens of times a block. */
export function log1p(value: number): number {
  const whole = value >>> 0;
  // A place that is no whole number would be looked up by name.
  if (whole !== value || whole >= SMALL) return Math.log1p(value);
  known ??= Float64Array.from({ length: SMALL }, (_, number) => Math.log1p(number));
  return known[whole]!;
}
