/** A page as a tree of its meaningful elements, for conversion to other formats and for metadata. Following links needs no tree. */
import { type Attributes, type AttributeValues, NO_ATTRIBUTES } from "./attributes.ts";
import { type ElementKind, elementsWith, OtherElements } from "./elements.ts";
import { type HtmlListener, readHtml } from "./html-tokens.ts";
import { NameTable } from "./name-table.ts";

export interface HtmlElement {
  readonly name: string;
  readonly attributes: AttributeValues;
  readonly parent: HtmlElement | undefined;
  children: HtmlNode[];
  readonly isBlock: boolean;
  /** Whether there is a block, or a table, among its descendants. */
  hasBlock: boolean;
  hasTable: boolean;
  /** Of a copy: the element in the page, among its siblings. */
  readonly original?: HtmlElement | undefined;
}
export type HtmlNode = HtmlElement | string;

export const treeElements = elementsWith([
  [
    "html body main article section div center fieldset form hgroup search address figure figcaption details dialog",
    ["block", "attributes"],
  ],
  ["nav aside header footer p h1 h2 h3 h4 h5 h6 blockquote pre ul ol menu dir li dl dt dd", ["block", "attributes"]],
  ["summary legend table caption thead tbody tfoot tr td th hr", ["block", "attributes"]],
  ["a img abbr b strong i em cite code kbd samp tt var del s strike q sub sup br span label", ["attributes"]],
  ["time small ins mark data meter font u", ["attributes"]],
  ["head base meta link source picture video audio button input", ["attributes"]],
  ["math annotation", ["attributes"]],
  ["mfrac mi mn mo mover mroot mrow msqrt msub msubsup msup mtable mtd mtext mtr munder munderover", ["attributes"]],
  ["svg template noscript object canvas select datalist", ["attributes"]],
  ["script iframe", ["raw", "attributes"]],
  ["style", ["raw", "attributes"]],
  ["textarea title noembed noframes", ["raw"]],
]);
const table = new NameTable(treeElements.values());

const empty = new Set("br hr img base meta link source input area col embed frame keygen param track wbr basefont bgsound".split(" "));
/** Raw texts that are kept as the only child of their element, because they contain machine-readable data. */
const keptRaw = new Set(["script", "style", "title"]);
/** Elements allowed in a head; any other ends it (WHATWG HTML §13.2.6.4.4). */
const headParts = new Set(["head", "base", "meta", "link", "noscript", "template"]);
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
/** End tags and start tags of siblings do not close elements beyond these. */
const walls = new Set(["table", "td", "th", "caption"]);
const tableParts = new Set(["table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"]);

/** What a start tag closes, and the elements that stop the search (WHATWG HTML §13.2.6.4.7, only the visible effects). */
const ends: Readonly<Record<string, { readonly open: ReadonlySet<string>; readonly within: ReadonlySet<string> }>> = {
  li: { open: new Set(["li"]), within: new Set(["ul", "ol", "menu", "dir"]) },
  dt: { open: new Set(["dt", "dd"]), within: new Set(["dl"]) },
  dd: { open: new Set(["dt", "dd"]), within: new Set(["dl"]) },
  tr: { open: new Set(["tr"]), within: new Set(["table"]) },
  td: { open: new Set(["td", "th"]), within: new Set(["table", "tr"]) },
  th: { open: new Set(["td", "th"]), within: new Set(["table", "tr"]) },
  thead: { open: new Set(["thead", "tbody", "tfoot", "caption"]), within: new Set(["table"]) },
  tbody: { open: new Set(["thead", "tbody", "tfoot", "caption"]), within: new Set(["table"]) },
  tfoot: { open: new Set(["thead", "tbody", "tfoot", "caption"]), within: new Set(["table"]) },
  a: { open: new Set(["a"]), within: walls },
};

/** Depth limit: deeper trees are not real content, and hostile ones have no end. */
const MAX_DEPTH = 256;

/** Twice as many as the largest real pages have. This also bounds the work of callers that visit every element. */
const MAX_ELEMENTS = 20_000;

/** After `most` elements, tags are ignored; their contents are kept as text. */
export function readTree(html: string, most = MAX_ELEMENTS): HtmlElement {
  const builder = new TreeBuilder({ most });
  const others = new OtherElements();
  readHtml(
    Buffer.from(html),
    builder,
    (codes, start, end, hash) => table.find(codes, start, end, hash) ?? (builder.isForeign ? undefined : others.named(codes, start, end)),
  );
  return builder.root;
}

const newElement = (name: string, attributes: AttributeValues, parent: HtmlElement | undefined, isBlock: boolean): HtmlElement => ({
  name,
  attributes,
  parent,
  children: NO_CHILDREN,
  isBlock,
  hasBlock: false,
  hasTable: false,
  original: undefined,
});

/** A copy with other children. */
export const withChildren = (element: HtmlElement, children: HtmlNode[]): HtmlElement => ({
  ...element,
  children,
  original: element.original ?? element,
});

/**
 * Shared by all elements without children. It was not empty at first, because V8 uses another elements kind for arrays
 * that never held anything.
 */
const NO_CHILDREN: HtmlNode[] = [""];
NO_CHILDREN.pop();

/** Most elements have one child. `[child]` is allocated for one entry, but pushing to an empty array reserves space for seventeen. */
function addChild(parent: HtmlElement, child: HtmlNode): void {
  if (parent.children === NO_CHILDREN) parent.children = [child];
  else parent.children.push(child);
}

export class TreeBuilder implements HtmlListener {
  readonly root = newElement("html", NO_ATTRIBUTES, undefined, true);
  readonly #stack: HtmlElement[] = [this.root];
  #raw: ElementKind | undefined;
  #rawElement: HtmlElement | undefined;
  #foreign = 0;
  #flattened = 0;
  #left: number;
  readonly #guide: { readonly isForeign: boolean };

  /** `guide` is the other listener of a shared scan: it decides whether a script is raw text, as it does for the scanner. */
  constructor({ most = MAX_ELEMENTS, guide }: { readonly most?: number; readonly guide?: { readonly isForeign: boolean } } = {}) {
    this.#left = most;
    this.#guide = guide ?? this;
  }

  get isForeign(): boolean {
    return this.#foreign > 0;
  }

  get wantsText(): boolean {
    return this.#raw === undefined || this.#rawElement !== undefined;
  }

  get isVerbatim(): boolean {
    return this.#raw !== undefined && this.#raw.name !== "title" && this.#raw.name !== "textarea";
  }

  text(source: string, start: number, end: number): void {
    if (this.#raw !== undefined) {
      if (this.#rawElement) addChild(this.#rawElement, source.slice(start, end));
      return;
    }
    const text = source.slice(start, end);
    if (this.#stack.at(-1)!.name === "head" && /\S/.test(text)) this.#stack.pop();
    const parent = this.#stack.at(-1)!;
    const { children } = parent;
    if (typeof children.at(-1) === "string") children[children.length - 1] += text;
    else addChild(parent, text);
  }

  open(kind: ElementKind, attributes: Attributes): void {
    if (kind.isRaw) {
      this.#openRaw(kind, attributes);
      return;
    }
    if (this.#stack.at(-1)!.name === "head" && !headParts.has(kind.name)) this.#stack.pop();
    if (kind.isBlock) {
      if (this.#foreign > 0) this.#endForeign();
      this.#endParagraph(kind.name);
    }
    const ending = ends[kind.name];
    if (ending) this.#popWithin(ending.open, ending.within);
    const parent = this.#stack.at(-1)!;
    if (this.#left <= 0 || (this.#stack.length >= MAX_DEPTH && !empty.has(kind.name))) {
      this.#flatten(kind);
      return;
    }
    const element = newElement(kind.name, kind.hasAttributes ? attributes.all() : NO_ATTRIBUTES, parent, kind.isBlock);
    this.#left -= 1;
    this.#mark(element);
    addChild(parent, element);
    if (empty.has(kind.name)) return;
    this.#stack.push(element);
    if (kind.name === "svg" || kind.name === "math") this.#foreign += 1;
  }

  close(kind: ElementKind): void {
    if (this.#raw !== undefined) {
      if (kind === this.#raw) this.#raw = this.#rawElement = undefined;
    } else if (kind.isRaw || empty.has(kind.name)) return;
    else if (this.#flattened > 0) this.#flattened -= 1;
    else this.#end(kind.name);
  }

  /** Beyond the limits, the contents of an element go to its parent; blocks still start on a new line. */
  #flatten(kind: ElementKind): void {
    if (kind.isBlock || kind.name === "br") this.text("\n", 0, 1);
    if (!empty.has(kind.name)) this.#flattened += 1;
  }

  #openRaw(kind: ElementKind, attributes: Attributes): void {
    if (this.#guide.isForeign) return;
    this.#raw = kind;
    if (!keptRaw.has(kind.name) || this.#left <= 0) return;
    this.#left -= 1;
    const parent = this.#stack.at(-1)!;
    this.#rawElement = newElement(kind.name, kind.hasAttributes ? attributes.all() : NO_ATTRIBUTES, parent, false);
    addChild(parent, this.#rawElement);
  }

  /** HTML block elements close an SVG that was left open (WHATWG HTML §13.2.6.5). */
  #endForeign(): void {
    this.#popTo(this.#stack.findIndex(({ name }) => name === "svg" || name === "math"));
  }

  /** A block closes the open paragraph or heading. */
  #endParagraph(name: string): void {
    const at = this.#stack.findLastIndex(({ isBlock }) => isBlock);
    const block = this.#stack[at]!;
    if (block.name === "p" || (headings.has(block.name) && headings.has(name))) this.#popTo(at);
  }

  #end(name: string): void {
    const isPart = tableParts.has(name);
    for (let at = this.#stack.length - 1; at > 0; at -= 1) {
      const open = this.#stack[at]!.name;
      if (open === name) this.#popTo(at);
      if (open === name || (isPart ? open === "table" : walls.has(open))) return;
    }
  }

  #popWithin(open: ReadonlySet<string>, within: ReadonlySet<string>): void {
    for (let at = this.#stack.length - 1; at > 0; at -= 1) {
      const { name } = this.#stack[at]!;
      if (open.has(name)) this.#popTo(at);
      if (open.has(name) || within.has(name)) return;
    }
  }

  #popTo(at: number): void {
    while (this.#stack.length > at) {
      const { name } = this.#stack.pop()!;
      if (name === "svg" || name === "math") this.#foreign -= 1;
    }
  }

  #mark({ isBlock, name }: HtmlElement): void {
    for (let at = this.#stack.length - 1; isBlock && at >= 0 && !this.#stack[at]!.hasBlock; at -= 1) this.#stack[at]!.hasBlock = true;
    for (let at = this.#stack.length - 1; name === "table" && at >= 0 && !this.#stack[at]!.hasTable; at -= 1)
      this.#stack[at]!.hasTable = true;
  }
}
