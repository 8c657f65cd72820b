/** A row of small bars: what came before, at a glance. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
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
        <rect key={at} x={at * 6} width="4" y={20 - Math.max(1, (value / most) * 20)} height={Math.max(1, (value / most) * 20)} />
      ))}
    </svg>
  );
}
