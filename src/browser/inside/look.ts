import type { DomDocument, DomGlobal, DomRoot } from "./dom.ts";

/** A document at one moment. */
export interface Look {
  readonly isLoaded: boolean;
  readonly elements: number;
  readonly links: number;
  readonly isScrolling: boolean;
  /** In pixels. */
  readonly height: number;
  /** Where it says it is: scripts may have changed that. */
  readonly url: string;
  /** Whether it asks to be left for another page, which its reader sees by itself. */
  readonly hasRefresh: boolean;
}

/** Counts what a document holds, shadow roots and frames included, up to a bound. Runs inside the page: it may use nothing from outside itself. */
export function look(): string {
  const { window: world, nuthatch } = globalThis as unknown as DomGlobal;
  const MOST = 100_000;
  const { document } = world;
  const roots: DomRoot[] = [document];
  let elements = 0;
  let links = 0;
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const all = root.querySelectorAll("*");
    const end = Math.min(all.length, MOST - elements);
    elements += all.length;
    for (let at = 0; at < end; at += 1) {
      const element = all[at]!;
      if (element.localName === "a") links += 1;
      if (element.shadowRoot) roots.push(element.shadowRoot);
      if (element.localName !== "iframe") continue;
      const inner: DomDocument | null | undefined = element.contentDocument;
      if (inner) roots.push(inner);
    }
  }
  const result: Look = {
    isLoaded: document.readyState === "complete",
    elements,
    links,
    isScrolling: nuthatch?.isScrolling ?? false,
    height: (document.scrollingElement ?? document.documentElement)?.scrollHeight ?? 0,
    url: document.URL,
    hasRefresh: document.querySelector("meta[http-equiv=refresh i]") !== null,
  };
  return JSON.stringify(result);
}
