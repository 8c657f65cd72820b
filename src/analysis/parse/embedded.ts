/** Links in script data of pages: Drupal's settings, framework state, schema.org. Only URLs that clearly are pages. */

import { type Fields, labelOf, roleOf } from "./embedded-fields.ts";
import { wellFormed } from "./markdown/tidy.ts";
import { isDoubtful, looksLikePage } from "./page-address.ts";
import { parseJson, type ScriptKind, statesIn } from "./script-state.ts";

const MAX_NODES = 100_000;
const MAX_LINKS = 1000;
/** Limit on JSON strings nested in JSON, as SvelteKit stores fetched data. */
const MAX_NESTED = 50;

export interface EmbeddedLink {
  readonly href: string;
  readonly text: string;
}

/** The label of an object, computed only if the object has a link, because few objects do. */
class Label {
  readonly #fields: Fields;
  /** The enclosing object's label, if this object belongs to it and may share the label. */
  readonly #around: Label | undefined;
  #text: string | undefined;

  constructor(fields: Fields, around: Label | undefined) {
    this.#fields = fields;
    this.#around = around;
  }

  get text(): string {
    this.#text ??= labelOf(this.#fields) || (this.#around?.text ?? "");
    return this.#text;
  }
}

/** A value to visit, with its key and the label of the enclosing object. */
interface Node {
  readonly value: unknown;
  readonly key: string;
  readonly label: Label | undefined;
}

export function embeddedLinks(text: string, kind: ScriptKind): EmbeddedLink[] {
  const walk = new Walk(kind === "ld");
  for (const state of statesIn(text, kind)) walk.go(state);
  return Array.from(walk.found, ([href, text]) => ({ href, text }));
}

class Walk {
  readonly found = new Map<string, string>();
  readonly #isLinkedData: boolean;
  /** Numbered references may form a cycle. */
  readonly #seen = new Set<object>();
  #nodes = 0;
  #nested = 0;

  constructor(isLinkedData: boolean) {
    this.#isLinkedData = isLinkedData;
  }

  go(root: unknown): void {
    const pending: Node[] = [{ value: root, key: "", label: undefined }];
    while (pending.length > 0 && this.#nodes < MAX_NODES && this.found.size < MAX_LINKS) {
      const node = pending.pop()!;
      const { value } = node;
      if (typeof value !== "object" || value === null || this.#seen.has(value)) continue;
      this.#seen.add(value);
      const children = Array.isArray(value) ? this.#list(value, node) : this.#object(value as Fields, node);
      for (let at = children.length - 1; at >= 0; at -= 1) pending.push(children[at]!);
    }
  }

  /** Items of a list have labels of their own. A pair of a text and a URL is a link. */
  #list(items: readonly unknown[], { key, label }: Node): Node[] {
    this.#nodes += items.length + 1;
    const [first, second] = items;
    if (items.length === 2 && typeof first === "string" && typeof second === "string") {
      const [href, text] = looksLikePage(first) ? [first, second] : [second, first];
      if (looksLikePage(href) && !looksLikePage(text) && /\p{L}/u.test(text)) {
        this.#keep(href, labelOf({ text }));
        return [];
      }
    }
    const isListOfLinks = /^(?:urls|links|pages|hrefs|permalinks)$/i.test(key) && !this.#isLinkedData;
    const children: Node[] = [];
    for (const item of items.slice(0, MAX_NODES)) {
      if (typeof item === "object") children.push({ value: item, key, label: items.length === 1 ? label : undefined });
      else if (isListOfLinks && typeof item === "string" && looksLikePage(item) && !isDoubtful(item)) this.#keep(item, "");
    }
    return children;
  }

  #object(fields: Fields, node: Node): Node[] {
    if (this.#isLinkedData && isMedia(fields["@type"])) return [];
    const keys = Object.keys(fields);
    this.#nodes += keys.length + 1;
    const label = new Label(fields, node.label && roleOf(node.key).isPart ? node.label : undefined);
    if (this.#isLinkedData) this.#sideBySide(fields);
    const children: Node[] = [];
    for (const key of keys) {
      const child = fields[key];
      if (roleOf(key).isAsset) continue;
      if (typeof child === "string") this.#text(key, child, label, children);
      else if (typeof child === "object" && child !== null) {
        children.push({ value: child, key, label });
        if (looksLikePage(key) && !Array.isArray(child)) this.#keepNamed(key, labelOf(child as Fields));
      }
    }
    return children;
  }

  #text(key: string, text: string, label: Label, children: Node[]): void {
    if (/^\s*[{[]/.test(text)) {
      if (this.#nested++ < MAX_NESTED) children.push({ value: parseJson(text), key, label: undefined });
    } else if (this.#isLinkedData) {
      if (isPageOfThing(key, text) && looksLikePage(text)) this.#keep(text, label.text);
    } else {
      const { isLink, mayBeLink } = roleOf(key);
      if (!(isLink || mayBeLink) || !looksLikePage(text)) return;
      if (label.text !== "" || (isLink && !isDoubtful(text))) this.#keep(text, label.text);
    }
  }

  /** `SiteNavigationElement` with a list of names and a parallel list of URLs. */
  #sideBySide({ name, url }: Fields): void {
    if (!Array.isArray(name) || !Array.isArray(url) || name.length !== url.length) return;
    for (const [at, href] of url.entries()) {
      if (typeof href === "string" && looksLikePage(href)) this.#keep(href, labelOf({ name: name[at] }));
    }
  }

  #keepNamed(href: string, text: string): void {
    if (text !== "" && !isDoubtful(href)) this.#keep(href, text);
  }

  #keep(href: string, text: string): void {
    const address = wellFormed(href.trim());
    if (!this.found.get(address)) this.found.set(address, text);
  }
}

const linkedDataKeys = new Set(["url", "item", "mainEntityOfPage", "relatedLink", "significantLink", "@id"]);

/** In linked data every name is a URL; only few keys denote a page, and an @id with a fragment names a thing. */
const isPageOfThing = (key: string, value: string) => linkedDataKeys.has(key) && !(key === "@id" && value.includes("#"));

const isMedia = (type: unknown) => typeof type === "string" && /^(?:(?:Image|Video|Audio|Media)Object|EntryPoint|SearchAction)$/.test(type);
