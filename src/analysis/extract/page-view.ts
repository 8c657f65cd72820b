/** A page as extraction uses it: its tree, flat lists for frequent lookups, and its machine-readable data. */
import { baseInForce, createResolver, HiddenText, type HtmlElement, type Resolve, readTree, sheetOf, tidy } from "../parse/index.ts";
import type { SourceMemory } from "./source-memory.ts";
import { type SchemaItem, schemaItems } from "./structured/schema-items.ts";
import type { Trust } from "./weigh.ts";

export { openingOf, textOf } from "./element-text.ts";

export interface PageView {
  readonly url: string;
  readonly resolve: Resolve;
  readonly root: HtmlElement;
  /** All elements in document order, each with its parent. */
  readonly elements: readonly HtmlElement[];
  /** Which text of the page is invisible. */
  readonly hidden: HiddenText;
  /** Contents of meta elements in document order, keyed by lowercase name, property, itemprop or http-equiv. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** schema.org items from JSON-LD, microdata and RDFa. A nested item is a property of the outer one and not in this list. */
  readonly items: readonly SchemaItem[];
  /** The parsed JSON-LD documents. */
  readonly jsonLd: readonly unknown[];
  /** The current time; no date of the page can be later. */
  readonly now: number;
  /** How far each source is trusted on this host, if that has been learned. */
  readonly memory: SourceMemory | undefined;
  /** Filled by `cachedPerPage`. */
  readonly answers: Map<symbol, unknown>;
}

/**
 * Caches a result that several fields need of the same page. The cache is on the page and not in a WeakMap: V8's minor garbage
 * collections keep what a WeakMap in the old generation holds, so whole trees would be promoted before they are freed.
 */
export function cachedPerPage<Answer extends object>(find: (page: PageView) => Answer): (page: PageView) => Answer {
  const cacheKey = Symbol(find.name);
  return (page) => {
    let answer = page.answers.get(cacheKey) as Answer | undefined;
    if (answer === undefined) {
      answer = find(page);
      page.answers.set(cacheKey, answer);
    }
    return answer;
  };
}

export interface ViewInput {
  readonly url: string;
  readonly charset?: string;
  readonly now: number;
  readonly memory?: SourceMemory | undefined;
}

/** How far a source of a field is trusted on the page's host. */
export const trustFor =
  ({ memory }: PageView, field: string): Trust =>
  (source) =>
    memory?.get(`${field}:${source}`) ?? 0;

export const viewPage = (html: string, input: ViewInput): PageView => viewTree(readTree(html), input);

export function viewTree(root: HtmlElement, { url, charset = "utf-8", now, memory }: ViewInput): PageView {
  const elements: HtmlElement[] = [];
  collect(root, elements);
  const metas = new Map<string, string[]>();
  const sheets: string[] = [];
  let baseHref: string | undefined;
  for (const element of elements) {
    if (element.name === "meta") addMeta(metas, element);
    else if (element.name === "base") baseHref ??= element.attributes.href;
    const sheet = sheetOf(element);
    if (sheet !== undefined) sheets.push(sheet);
  }
  const resolve = createResolver(baseInForce(url, baseHref, charset), charset);
  const hidden = new HiddenText(root, sheets);
  return { url, resolve, root, elements, hidden, metas, ...schemaItems(elements, resolve), now, memory, answers: new Map() };
}

function collect(element: HtmlElement, output: HtmlElement[]): void {
  output.push(element);
  for (const child of element.children) if (typeof child === "object") collect(child, output);
}

function addMeta(metas: Map<string, string[]>, { attributes }: HtmlElement): void {
  const content = tidy(attributes.content ?? "");
  if (content === "") return;
  for (const name of new Set([attributes.name, attributes.property, attributes.itemprop, attributes["http-equiv"]])) {
    const key = name?.trim().toLowerCase();
    if (key === undefined || key === "") continue;
    const known = metas.get(key);
    if (known) known.push(content);
    else metas.set(key, [content]);
  }
}

/** The nearest element with one of these names, starting with the element itself. */
export function closest(element: HtmlElement, names: ReadonlySet<string>): HtmlElement | undefined {
  let at: HtmlElement | undefined = element;
  while (at !== undefined && !names.has(at.name)) at = at.parent;
  return at;
}
