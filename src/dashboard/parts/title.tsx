import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface TitleProps {
  readonly children: ComponentChildren;
  /** As tabs, bookmarks and the history have it. */
  readonly tab: string;
}

/** The heading of a screen, which names the browser's tab as well. */
export function Title({ children, tab }: TitleProps) {
  useEffect(() => {
    document.title = `${tab} · Nuthatch`;
  }, [tab]);
  return <h1>{children}</h1>;
}
