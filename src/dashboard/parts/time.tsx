import { ago } from "../words.ts";

/** Local time, with UTC for whoever points at it. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={`${at} (UTC)\n${new Date(at).toLocaleString()} (here)`}>
      {ago(at)}
    </time>
  );
}
