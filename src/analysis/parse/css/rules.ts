/** The rules of a page's own style sheets, in the order of the cascade. */
import type { AttributeValues } from "../attributes.ts";
import { isContainerInForce, isMediaForSome, isMediaInForce, isSupported } from "./conditions.ts";
import { type Declaration, declarationsOf } from "./declared.ts";
import { scanSheet, splitOutside, unescaped } from "./scan.ts";

/** A block of declarations. Its selectors are split only if its declarations matter. */
export interface Rule {
  /** A list, with the selectors of the rules around it. */
  readonly selectors: string;
  /** Its declarations, without comments. */
  readonly body: string;
  readonly layer: Layer;
  readonly order: number;
  /** False if it applies under conditions that an ordinary visitor does not meet. */
  readonly isInForce: boolean;
  /** Whether there are visitors on screens that it applies to. */
  readonly isForSome: boolean;
  /** Undefined until `declaredBy` parses them. */
  declared: readonly Declaration[] | undefined;
}

export const declaredBy = (rule: Rule): readonly Declaration[] => {
  rule.declared ??= declarationsOf(rule.body);
  return rule.declared;
};

export interface Layer {
  /** Later layers win over earlier ones; what is in no layer comes last. */
  rank: number;
}

export interface Rules {
  readonly rules: readonly Rule[];
  /** The declarations at the end of each animation. */
  readonly animations: ReadonlyMap<string, string>;
  /** Initial values of registered custom properties. */
  readonly initials: ReadonlyMap<string, string>;
}

/** Far more than pages have; the rest of a sheet is not read. */
const MAX_RULES = 200_000;
const MAX_DEPTH = 30;
const MAX_SELECTOR_LENGTH = 2000;
const DATA_SHEET = /^\s*(?:url\(\s*)?["']?data:text\/css[^,]{0,100},/i;

export function readRules(sheets: readonly string[]): Rules {
  const reader = new RuleReader();
  for (const sheet of sheets) reader.read(sheet);
  return reader.finish();
}

/** Whether an element's style sheet is CSS for screens. */
export const isStyleSheet = ({ type, media }: AttributeValues): boolean =>
  (type === undefined || /^\s*(?:text\/css)?\s*$/i.test(type)) && isMediaInForce(media ?? "");

/** The sheet in a `data:` URL; undefined for other URLs, which would have to be fetched. */
export function sheetInUrl(url: string): string | undefined {
  const head = DATA_SHEET.exec(url)?.[0];
  if (head === undefined) return undefined;
  const written = url.slice(head.length).replace(/["']?\s*\)?\s*;?\s*$/, "");
  if (/;base64,$/i.test(head)) return Buffer.from(written, "base64").toString();
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

interface Block {
  readonly kind: "rules" | "animation" | "frame" | "property" | "other";
  readonly selector: string | undefined;
  readonly name: string;
  readonly layer: string;
  readonly isInForce: boolean;
  readonly isForSome: boolean;
  readonly order: number;
}

const OUTERMOST: Block = { kind: "rules", selector: undefined, name: "", layer: "", isInForce: true, isForSome: true, order: 0 };

class RuleReader {
  readonly #rules: Rule[] = [];
  readonly #layers = new Map<string, Layer>();
  readonly #animations = new Map<string, string>();
  readonly #initials = new Map<string, string>();
  readonly #open: Block[] = [];
  #order = 0;

  read(sheet: string): void {
    this.#open.length = 0;
    scanSheet(sheet, {
      open: (prelude) => this.#open.push(this.#blockOf(prelude)),
      close: (body) => this.#close(this.#open.pop()!, body),
      statement: (text) => this.#statement(text),
    });
  }

  finish(): Rules {
    this.#layers.get("")!.rank = Number.MAX_SAFE_INTEGER;
    return { rules: this.#rules, animations: this.#animations, initials: this.#initials };
  }

  constructor() {
    this.#layer("");
  }

  #blockOf(written: string): Block {
    const prelude = preludeOf(written);
    this.#order += 1;
    const outer = this.#open.at(-1) ?? OUTERMOST;
    if (outer.kind === "rules" && this.#open.length <= MAX_DEPTH && !prelude.startsWith("@")) return this.#ruleBlock(prelude, outer);
    const block: Block = { ...outer, order: this.#order };
    if (this.#open.length > MAX_DEPTH || outer.kind === "other" || outer.kind === "property") return { ...block, kind: "other" };
    if (outer.kind === "animation")
      return { ...block, kind: "frame", name: /(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i.test(prelude) ? outer.name : "" };
    return prelude.startsWith("@") ? this.#atBlock(block, prelude) : this.#ruleBlock(prelude, outer);
  }

  #ruleBlock(prelude: string, { kind, selector, name, layer, isInForce, isForSome }: Block): Block {
    return { kind, selector: nested(prelude, selector), name, layer, isInForce, isForSome, order: this.#order };
  }

  #atBlock(block: Block, prelude: string): Block {
    const [, name = "", rest = ""] = /^@([\w-]+)([\s\S]*)$/.exec(prelude) ?? [];
    const when = (isInForce: boolean): Block => ({ ...block, isInForce: block.isInForce && isInForce });
    switch (name.toLowerCase().replace(/^-(?:webkit|moz|o)-/, "")) {
      case "media":
        return { ...when(isMediaInForce(rest)), isForSome: block.isForSome && isMediaForSome(rest) };
      case "supports":
        return { ...when(isSupported(rest)), isForSome: block.isForSome && isSupported(rest) };
      case "container":
        return when(isContainerInForce(rest));
      case "layer":
        return { ...block, layer: this.#layerIn(block.layer, rest.trim()) };
      case "scope":
        return { ...block, selector: nested((/^\s*\(([\s\S]*?)\)\s*(?:to\b|$)/.exec(rest)?.[1] ?? ":root").trim(), block.selector) };
      case "keyframes":
        return { ...block, kind: "animation", name: rest.trim().replace(/["']/g, "") };
      case "property":
        return { ...block, kind: "property", name: rest.trim() };
      default:
        return { ...block, kind: "other" };
    }
  }

  #close(block: Block, body: string): void {
    if (this.#rules.length >= MAX_RULES || !body.includes(":")) return;
    if (block.kind === "frame" && block.name !== "") this.#animations.set(block.name, `${this.#animations.get(block.name) ?? ""};${body}`);
    if (block.kind === "property") {
      const initial = /initial-value\s*:([^;]*)/i.exec(body)?.[1];
      if (initial !== undefined) this.#initials.set(block.name, unescaped(initial).trim());
    }
    if (block.kind !== "rules" || block.selector === undefined) return;
    const { selector: selectors, order, isInForce, isForSome } = block;
    if (selectors !== "")
      this.#rules.push({ selectors, body, layer: this.#layer(block.layer), order, isInForce, isForSome, declared: undefined });
  }

  #statement(text: string): void {
    const [, name, rest = ""] = /^\s*@(layer|import)([\s\S]*?);?\s*$/i.exec(text) ?? [];
    if (name?.toLowerCase() === "layer") for (const one of rest.split(",")) this.#layerIn(this.#open.at(-1)?.layer ?? "", one.trim());
    const sheet = name?.toLowerCase() === "import" ? sheetInUrl(rest) : undefined;
    if (sheet !== undefined && this.#open.length === 0) scanSheet(sheet, this.#nestedReader());
  }

  /** A sheet in a sheet, without imports of its own. */
  #nestedReader() {
    return {
      open: (prelude: string) => this.#open.push(this.#blockOf(prelude)),
      close: (body: string) => this.#close(this.#open.pop()!, body),
      statement: () => {},
    };
  }

  #layerIn(outer: string, name: string): string {
    const path = `${outer}/${name === "" ? `unnamed ${this.#order}` : name.replaceAll(".", "/")}`;
    this.#layer(path);
    return path;
  }

  #layer(path: string): Layer {
    let layer = this.#layers.get(path);
    if (!layer) {
      layer = { rank: this.#layers.size };
      this.#layers.set(path, layer);
    }
    return layer;
  }
}

function preludeOf(written: string): string {
  const prelude = written.trim();
  return prelude.startsWith("<!--") || prelude.startsWith("-->") ? prelude.replace(/^(?:\s|<!--|-->)+/, "") : prelude;
}

/** A selector inside of another (CSS Nesting §3). */
function nested(selector: string, outer: string | undefined): string {
  if (outer === undefined) return selector;
  if (selector.length + outer.length > MAX_SELECTOR_LENGTH) return "";
  const around = `:is(${outer})`;
  return splitOutside(selector, ",")
    .map((one) => (one.includes("&") ? one.replaceAll("&", around) : `${around} ${one.trim()}`))
    .join(",")
    .slice(0, MAX_SELECTOR_LENGTH);
}
