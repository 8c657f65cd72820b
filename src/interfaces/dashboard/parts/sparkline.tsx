/** Small bars for a series of past values. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  // Square-root scale: next to a first run, in which every page is new, the other bars would be flat.
  const max = Math.sqrt(Math.max(1, ...values));
  const heightOf = (value: number) => Math.max(value > 0 ? 2 : 1, (Math.sqrt(value) / max) * 20);
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={`${label}: ${values.join(", ")}`}
      viewBox={`0 0 ${values.length * 6} 20`}
      width={values.length * 6}
      height="20"
    >
      <title>{`${label}: ${values.join(", ")}`}</title>
      {values.map((value, at) => (
        <rect key={at} x={at * 6} width="4" y={20 - heightOf(value)} height={heightOf(value)} />
      ))}
    </svg>
  );
}
