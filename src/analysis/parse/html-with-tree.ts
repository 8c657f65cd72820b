/** Reads a page and builds its tree in one scan, for callers that need both, at little more than the cost of one. */
import type { Attributes } from "./attributes.ts";
import type { ParsedDocument } from "./document.ts";
import { type ElementKind, elements, OtherElements } from "./elements.ts";
import { type HtmlOptions, PageReader } from "./html.ts";
import { type HtmlListener, readHtml } from "./html-tokens.ts";
import { TreeBuilder, treeElements } from "./html-tree.ts";
import { NameTable } from "./name-table.ts";

export function parseHtmlWithTree(utf8: Uint8Array, options: HtmlOptions): ParsedDocument {
  const reader = new PageReader(options);
  const tree = new TreeBuilder({ guide: reader });
  const ownOthers = new OtherElements();
  const shared = new Map<ElementKind, SharedKind>();
  const other = (kind: ElementKind): SharedKind => {
    const known = shared.get(kind) ?? { ...kind, inPage: undefined, inTree: kind, isOther: true };
    shared.set(kind, known);
    return known;
  };
  readHtml(
    utf8,
    new Both(reader, tree),
    (codes, start, end, hash) =>
      table.find(codes, start, end, hash) ?? (tree.isForeign ? undefined : other(ownOthers.named(codes, start, end))),
  );
  return { ...reader.finish(options.url, options.charset), tree: tree.root };
}

/** An element with the kinds that each listener knows; each gets only the events of elements it knows. */
interface SharedKind extends ElementKind {
  readonly inPage: ElementKind | undefined;
  readonly inTree: ElementKind;
  /** Whether the tree does not list it: the tree leaves it out of drawings and formulas. */
  readonly isOther: boolean;
}

const others = new OtherElements();

const table = new NameTable(
  [...new Set([...elements.keys(), ...treeElements.keys()])].map((name): SharedKind => {
    const inPage = elements.get(name);
    const listed = treeElements.get(name);
    const inTree = listed ?? others.kind(name);
    return {
      ...(inPage ?? inTree),
      hasAttributes: inPage?.hasAttributes === true || inTree.hasAttributes,
      inPage,
      inTree,
      isOther: !listed,
    };
  }),
);

/**
 * Forwards events to both listeners. If they disagree on the state, the reader decides: results must not depend on
 * whether a tree is built.
 */
class Both implements HtmlListener {
  readonly #reader: PageReader;
  readonly #tree: TreeBuilder;

  constructor(reader: PageReader, tree: TreeBuilder) {
    this.#reader = reader;
    this.#tree = tree;
  }

  get isForeign(): boolean {
    return this.#reader.isForeign;
  }

  get wantsText(): boolean {
    return this.#reader.wantsText || this.#tree.wantsText;
  }

  /** Scripts in templates are ignored by the reader, but stay verbatim in the tree. */
  get isVerbatim(): boolean {
    return this.#reader.isVerbatim || this.#tree.isVerbatim;
  }

  open(kind: ElementKind, attributes: Attributes): void {
    const { inPage, inTree, isOther } = kind as SharedKind;
    if (inPage !== undefined) this.#reader.open(inPage, attributes);
    if (!isOther || !this.#tree.isForeign) this.#tree.open(inTree, attributes);
  }

  close(kind: ElementKind): void {
    const { inPage, inTree, isOther } = kind as SharedKind;
    if (inPage !== undefined) this.#reader.close(inPage);
    if (!isOther || !this.#tree.isForeign) this.#tree.close(inTree);
  }

  text(source: string, start: number, end: number): void {
    this.#reader.text(source, start, end);
    this.#tree.text(source, start, end);
  }
}
