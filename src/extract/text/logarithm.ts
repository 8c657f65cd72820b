const SMALL = 4096;
let known: Float64Array | undefined;

/** Math.log1p with a table for small integers: most lengths and counts are such, and it is called dozens of times per block. */
export function log1p(value: number): number {
  const whole = value >>> 0;
  // A non-integer index would be a slow property lookup by name.
  if (whole !== value || whole >= SMALL) return Math.log1p(value);
  known ??= Float64Array.from({ length: SMALL }, (_, number) => Math.log1p(number));
  return known[whole]!;
}
