import { useEffect, useState } from "preact/hooks";
import { ago } from "../words.ts";

const TICK = 5000;
const ticking = new Set<() => void>();
setInterval(() => {
  if (!document.hidden) for (const tick of ticking) tick();
}, TICK);

/** Local time, with UTC in the tooltip. The relative time is updated while it is shown. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const again = () => tick((times) => times + 1);
    ticking.add(again);
    return () => void ticking.delete(again);
  }, []);
  if (!at) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={`${at} (UTC)\n${new Date(at).toLocaleString()} (here)`}>
      {ago(at)}
    </time>
  );
}
