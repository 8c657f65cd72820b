/** Always open on wide screens; collapsed on narrow ones, so that the main content comes first. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface FoldProps {
  readonly name: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

const wide = matchMedia("(min-width: 60rem)");

export function Fold({ name, note = "", children }: FoldProps) {
  const [isWide, setWide] = useState(wide.matches);
  useEffect(() => {
    const update = () => setWide(wide.matches);
    wide.addEventListener("change", update);
    return () => wide.removeEventListener("change", update);
  }, []);
  if (isWide) return <>{children}</>;
  return (
    <details class="fold">
      <summary>
        {name} {note && <span class="faint small">{note}</span>}
      </summary>
      {children}
    </details>
  );
}
