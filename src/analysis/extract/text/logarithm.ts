const TABLE_SIZE = 4096;
let table: Float64Array | undefined;

/** Math.log1p with a table for small integers: most lengths and counts are such, and it is called dozens of times per block. */
export function log1p(value: number): number {
  const whole = value >>> 0;
  // A non-integer index would be a slow property lookup by name.
  if (whole !== value || whole >= TABLE_SIZE) return Math.log1p(value);
  table ??= Float64Array.from({ length: TABLE_SIZE }, (_, number) => Math.log1p(number));
  return table[whole]!;
}
