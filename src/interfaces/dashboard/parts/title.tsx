import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface TitleProps {
  readonly children: ComponentChildren;
  /** Title of the browser tab, bookmarks and history. */
  readonly tab: string;
}

/** The heading of a screen; also sets the title of the browser tab. */
export function Title({ children, tab }: TitleProps) {
  useEffect(() => {
    document.title = `${tab} · Nuthatch`;
  }, [tab]);
  return <h1>{children}</h1>;
}
