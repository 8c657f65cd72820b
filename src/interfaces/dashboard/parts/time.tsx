import { useEffect, useState } from "preact/hooks";
import { ago } from "../words.ts";

const TICK_MS = 5000;
const rerenders = new Set<() => void>();
setInterval(() => {
  if (!document.hidden) for (const tick of rerenders) tick();
}, TICK_MS);

/** Local time, with UTC in the tooltip. The relative time is updated while it is shown. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const rerender = () => tick((times) => times + 1);
    rerenders.add(rerender);
    return () => void rerenders.delete(rerender);
  }, []);
  if (!at) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={`${at} (UTC)\n${new Date(at).toLocaleString()} (here)`}>
      {ago(at)}
    </time>
  );
}
