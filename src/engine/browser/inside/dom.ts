/** The parts of the DOM used inside pages. TypeScript's DOM library would declare all browser globals for the whole program. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly baseURI: string;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
  readonly shadowRoot: DomRoot | null;
  readonly assignedSlot: DomElement | null;
  readonly contentDocument?: DomDocument | null;
  readonly clientHeight: number;
  readonly scrollHeight: number;
  scrollTop: number;
  readonly parentElement: DomElement | null;
  getRootNode(): { readonly host?: DomElement };
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  assignedNodes?(): readonly DomNode[];
}

export interface DomRoot extends DomNode {
  querySelectorAll(selector: string): ArrayLike<DomElement>;
  querySelector(selector: string): DomElement | null;
}

export interface DomDocument extends DomRoot {
  readonly URL: string;
  readonly readyState: "loading" | "interactive" | "complete";
  readonly documentElement: DomElement | null;
  readonly scrollingElement: DomElement | null;
  readonly body: DomElement | null;
}

export interface DomStyle {
  readonly display: string;
  readonly visibility: string;
  readonly opacity: string;
  readonly overflowX: string;
  readonly overflowY: string;
  readonly fontSize: string;
  readonly textIndent: string;
  readonly position: string;
  readonly clip: string;
  readonly clipPath: string;
  readonly color: string;
  readonly backgroundColor: string;
  readonly backgroundImage: string;
}

export interface DomWindow {
  readonly document: DomDocument;
  readonly innerHeight: number;
  readonly scrollX: number;
  readonly scrollY: number;
  name: string;
  scrollTo(place: { top: number; behavior: "instant" }): void;
  getComputedStyle(element: DomElement): DomStyle;
  requestAnimationFrame(call: () => void): unknown;
  setTimeout(call: () => void, after: number): unknown;
}

/** The global object that our programs run with. It need not be the window itself. */
export interface DomGlobal {
  readonly window: DomWindow;
  /** State kept between calls on the same document. */
  nuthatch?: { isScrolling: boolean };
}
