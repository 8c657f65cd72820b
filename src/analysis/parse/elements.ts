/** Properties of elements for the page reader. Elements that are not listed are treated as inline text. */

import { NameTable } from "./name-table.ts";

export interface ElementKind {
  readonly name: string;
  readonly id: number;
  /** Starts and ends a block of text. */
  readonly isBlock: boolean;
  /** Is kept on the stack while open, so that its end is known. */
  readonly isStacked: boolean;
  /** Its text is navigation and the like, not main text. */
  readonly isChrome: boolean;
  /** Its text is never visible. */
  readonly isMute: boolean;
  /** Its links are ignored too. */
  readonly isInert: boolean;
  /** Its content is raw text up to its own end tag. */
  readonly isRaw: boolean;
  readonly hasAttributes: boolean;
  /** Its next start tag closes the previous one, unless another element is open in between. */
  readonly endsItself: boolean;
  readonly isHeading: boolean;
}

type Trait = "block" | "stacked" | "chrome" | "mute" | "inert" | "raw" | "attributes" | "self-ending" | "heading";

const traits: [names: string, traits: Trait[]][] = [
  [
    "article blockquote body center details dialog dir div dl fieldset figcaption figure form main menu ol pre section summary table",
    ["block", "stacked"],
  ],
  ["tbody tfoot thead ul caption legend address", ["block", "stacked"]],
  ["p li dt dd tr td th", ["block", "stacked", "self-ending"]],
  ["h1 h2 h3 h4 h5 h6", ["block", "stacked", "heading"]],
  ["hr", ["block"]],
  ["br", []],
  ["nav aside footer header", ["block", "stacked", "chrome"]],
  // The header of an article is part of the article; only the page's own header is chrome. The name contains a
  // slash, so no tag can match it.
  ["header/article", ["block", "stacked"]],
  ["button select datalist label noscript object", ["block", "stacked", "chrome"]],
  ["option optgroup", ["block"]],
  ["svg", ["stacked", "mute"]],
  ["template", ["stacked", "mute", "inert"]],
  ["script", ["raw", "attributes"]],
  ["title style textarea noembed noframes", ["raw"]],
  ["iframe", ["raw", "attributes"]],
  ["html a area link meta base img", ["attributes"]],
];

export function elementsWith(listed: readonly [names: string, traits: readonly Trait[]][]): ReadonlyMap<string, ElementKind> {
  const named = listed.flatMap(([names, has]) => names.split(" ").map((name) => ({ name, has: new Set(has) })));
  return new Map(
    named.map(({ name, has }, id) => [
      name,
      {
        name,
        id,
        isBlock: has.has("block"),
        isStacked: has.has("stacked"),
        isChrome: has.has("chrome"),
        isMute: has.has("mute"),
        isInert: has.has("inert"),
        isRaw: has.has("raw"),
        hasAttributes: has.has("attributes"),
        endsItself: has.has("self-ending"),
        isHeading: has.has("heading"),
      },
    ]),
  );
}

export const elements = elementsWith(traits);

const table = new NameTable(elements.values());

export const elementNamed = (codes: Uint8Array, start: number, end: number, hash: number): ElementKind | undefined =>
  table.find(codes, start, end, hash);

/** Depth limit: deeper trees are not real content, and hostile ones have no end. */
const MAX_DEPTH = 512;

/** The stack of open elements, as forgiving as a browser: an end tag closes everything above its start tag, or nothing. */
export class OpenElements {
  readonly #stack: ElementKind[] = [];
  readonly #counts = new Uint16Array(elements.size);
  #flattened = 0;
  chrome = 0;
  mute = 0;
  inert = 0;

  has(kind: ElementKind): boolean {
    return this.count(kind) > 0;
  }

  count(kind: ElementKind): number {
    return this.#counts[kind.id]!;
  }

  get top(): ElementKind | undefined {
    return this.#stack.at(-1);
  }

  push(kind: ElementKind): void {
    if (this.#stack.length >= MAX_DEPTH) {
      this.#flattened += 1;
      return;
    }
    this.#stack.push(kind);
    this.#tally(kind, 1);
  }

  popTo(kind: ElementKind): void {
    if (this.#flattened > 0) {
      this.#flattened -= 1;
      return;
    }
    if (!this.has(kind)) return;
    for (let open = this.#stack.pop(); open !== undefined; open = this.#stack.pop()) {
      this.#tally(open, -1);
      if (open === kind) return;
    }
  }

  #tally(kind: ElementKind, by: number): void {
    this.#counts[kind.id]! += by;
    if (kind.isChrome) this.chrome += by;
    if (kind.isMute) this.mute += by;
    if (kind.isInert) this.inert += by;
  }
}

const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 60;

/** Kinds of elements that are not listed, such as custom elements: inline text, which styles can hide as well. */
export class OtherElements {
  readonly #kinds = new Map<string, ElementKind>();

  named(codes: Uint8Array, start: number, end: number): ElementKind {
    return this.kind(end - start > MAX_NAME_LENGTH || this.#kinds.size > MAX_NAMES ? "unknown" : nameIn(codes, start, end));
  }

  kind(name: string): ElementKind {
    let kind = this.#kinds.get(name);
    if (!kind) {
      kind = elementsWith([[name, ["stacked", "attributes"]]]).get(name)!;
      this.#kinds.set(name, kind);
    }
    return kind;
  }
}

function nameIn(codes: Uint8Array, start: number, end: number): string {
  let name = "";
  for (let at = start; at < end; at += 1) {
    const code = codes[at]!;
    name += String.fromCharCode(code >= 65 && code <= 90 ? code + 32 : code);
  }
  return name;
}
