import type { DomDocument, DomGlobal, DomRoot } from "./dom.ts";

/** A document at one moment. */
export interface PageState {
  readonly isLoaded: boolean;
  readonly elements: number;
  readonly links: number;
  readonly isScrolling: boolean;
  /** In pixels. */
  readonly height: number;
  /** The document's current URL, which scripts may have changed. */
  readonly url: string;
  /** Whether it has a meta refresh, which the page reader handles itself. */
  readonly hasRefresh: boolean;
}

/** Counts the elements of a document, including shadow roots and frames, up to a limit. Runs inside the page: must be self-contained. */
export function look(): string {
  const { window: world, nuthatch } = globalThis as unknown as DomGlobal;
  const MAX_ELEMENTS = 100_000;
  const { document } = world;
  const roots: DomRoot[] = [document];
  let elements = 0;
  let links = 0;
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const all = root.querySelectorAll("*");
    const end = Math.min(all.length, MAX_ELEMENTS - elements);
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
  const result: PageState = {
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
