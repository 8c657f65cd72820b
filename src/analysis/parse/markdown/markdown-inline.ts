/** Writes a line or paragraph as Markdown (CommonMark): emphasis, links, images, code and escaped text. */
import type { HtmlElement, HtmlNode } from "../html-tree.ts";
import type { Resolve } from "../resolve.ts";
import { formulaInMarkdown, formulaInPicture, formulaInScript, formulasInText, isFormulaPicture, isFormulaScript } from "./math-text.ts";

export interface InlineOptions {
  readonly resolve: Resolve;
  /** Plain text without Markdown syntax. */
  readonly isPlain: boolean;
  /** Headings and table cells cannot contain line breaks. */
  readonly isOneLine?: boolean;
  readonly isCell?: boolean;
}

const marks: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*", del: "~~", s: "~~", strike: "~~" };
const codes = new Set(["code", "kbd", "samp", "tt"]);
/** Attributes with the address of a picture; those that a script would copy into the others come first. */
const sources = ["data-src", "data-lazy-src", "data-original", "src", "data-srcset", "srcset"] as const;
const blanks = /[\s\x00-\x1f\x7f]+/g;

export function inline(nodes: readonly HtmlNode[], options: InlineOptions): string {
  const writer = new InlineWriter(options);
  writer.nodes(nodes);
  const text = writer.end();
  return options.isPlain ? text : text.split("\n").map(escapeStart).join("\n");
}

/** An opening mark of emphasis or a link, delayed until there is content. */
interface Open {
  readonly mark: string;
  /** Index of the written piece; undefined while delayed, -1 if it cannot be written. */
  at: number | undefined;
}

class InlineWriter {
  readonly #options: InlineOptions;
  readonly #pieces: string[] = [];
  readonly #open: Open[] = [];
  #last = "";
  #space = false;
  #breaks = 0;
  /** The emphasis that ended at the current position. */
  #closed: { open: number; close: number; mark: string; before: string } | undefined;

  constructor(options: InlineOptions) {
    this.#options = options;
  }

  nodes(nodes: readonly HtmlNode[]): void {
    for (const node of nodes) {
      if (typeof node === "string") this.#text(node);
      else this.#element(node);
    }
  }

  end(): string {
    return this.#pieces.join("");
  }

  #element(element: HtmlElement): void {
    const { name, children } = element;
    const { isPlain, isOneLine } = this.#options;
    const mark = marks[name];
    if (name === "br") isOneLine ? this.#blank() : this.#break();
    else if (name === "img") isFormulaPicture(element) ? this.#formula(formulaInPicture(element)) : this.#image(element);
    else if (name === "a" && !isPlain) this.#link(element);
    else if (codes.has(name) && !isPlain) this.#code(textOf(children));
    else if (mark !== undefined && !isPlain && !this.#open.some((open) => open.mark === mark)) this.#emphasis(mark, children);
    else if (name === "math") this.#formula(formulaInMarkdown(element));
    else if (name === "noteref") this.#noteMark(element);
    else if (name === "script") isFormulaScript(element) && this.#formula(formulaInScript(element));
    else if (name === "input") isBox(element) && this.#box(element);
    else if (name === "sup" && this.#isPower(children)) this.#power(children);
    else if (name === "q") this.nodes(["“", ...children, "”"]);
    else {
      if (element.isBlock) this.#blank();
      this.nodes(children);
      if (element.isBlock) this.#blank();
    }
  }

  #blank(): void {
    this.#space = true;
  }

  #break(): void {
    this.#breaks += 1;
  }

  #text(text: string): void {
    for (const part of formulasInText(text)) part.isFormula ? this.#formula(part.text) : this.#words(part.text);
  }

  #noteMark({ attributes }: HtmlElement): void {
    this.#write(this.#options.isPlain ? `[${attributes.id}]` : `[^${attributes.id}]`, "[", "]");
  }

  #box({ attributes }: HtmlElement): void {
    this.#write(attributes.checked === undefined ? "[ ]" : "[x]", "[", "]");
    this.#blank();
  }

  #words(text: string): void {
    const folded = text.replace(blanks, " ");
    const words = folded.trim();
    if (folded.startsWith(" ")) this.#blank();
    if (words === "") return;
    this.#write(this.#options.isPlain ? words : this.#escape(words), words[0]!, words.at(-1)!);
    if (folded.endsWith(" ")) this.#blank();
  }

  /** All visible output goes through here; delayed opening marks and spaces are written first. */
  #write(piece: string, first: string, last: string): void {
    this.#writeGap();
    if (this.#closed && isWord(first) && isMark(this.#closed.before)) {
      // CommonMark would not recognise the end of this emphasis, so its marks are removed.
      this.#pieces[this.#closed.open] = "";
      this.#pieces[this.#closed.close] = "";
    }
    for (const open of this.#open) if (open.at === undefined) this.#writeOpen(open, first);
    this.#closed = undefined;
    this.#pieces.push(piece);
    this.#last = last;
  }

  #writeGap(): void {
    const isFirst = this.#last === "";
    if (this.#breaks > 0 && !isFirst) {
      const isParagraph = this.#breaks > 1 && this.#open.every(({ at }) => at === undefined);
      this.#pieces.push(isParagraph ? "\n\n" : this.#options.isPlain ? "\n" : "  \n");
    } else if (this.#space && !isFirst) this.#pieces.push(" ");
    if ((this.#breaks > 0 || this.#space) && !isFirst) {
      this.#last = " ";
      this.#closed = undefined;
    }
    this.#breaks = 0;
    this.#space = false;
  }

  #writeOpen(open: Open, first: string): void {
    const isLink = open.mark === "[";
    if (!isLink && this.#closed?.mark === open.mark) {
      // Adjacent emphasis is merged: `**a****b**` would not be parsed as emphasis.
      this.#pieces[this.#closed.close] = "";
      open.at = this.#closed.open;
      return;
    }
    if (!isLink && isMark(first) && isWord(this.#last)) {
      open.at = -1;
      return;
    }
    if (isLink && this.#last === "!") this.#pieces[this.#pieces.length - 1] = this.#pieces.at(-1)!.replace(/!$/, "\\!");
    open.at = this.#pieces.push(open.mark) - 1;
  }

  #emphasis(mark: string, children: readonly HtmlNode[]): void {
    const open: Open = { mark, at: undefined };
    this.#open.push(open);
    this.nodes(children);
    this.#open.pop();
    if (open.at === undefined || open.at < 0) return;
    const close = this.#pieces.push(mark) - 1;
    this.#closed = { open: open.at, close, mark, before: this.#last };
    this.#last = "*";
  }

  #link({ attributes, children }: HtmlElement): void {
    const href = attributes.href;
    const url = href === undefined ? undefined : this.#options.resolve(href.trim());
    if (url === undefined || !/^(https?|mailto|tel|ftp):/i.test(url)) {
      this.nodes(children);
      return;
    }
    const open: Open = { mark: "[", at: undefined };
    this.#open.push(open);
    this.nodes(children);
    if (open.at === undefined) this.#text(attributes["aria-label"] ?? "");
    this.#open.pop();
    if (open.at === undefined) return;
    this.#pieces.push(`](${destination(url)})`);
    this.#last = ")";
    this.#closed = undefined;
  }

  #image({ attributes }: HtmlElement): void {
    const alt = (attributes.alt ?? "").replace(blanks, " ").trim();
    const source = addressOf(attributes);
    const url = source === undefined ? undefined : this.#options.resolve(source);
    const isShown = !this.#options.isPlain && url !== undefined && /^https?:/i.test(url);
    if (isShown) this.#write(`![${this.#escape(alt, true)}](${destination(url)})`, "!", ")");
    else this.#text(alt);
  }

  #formula(text: string): void {
    if (!text.startsWith("$")) this.#words(text);
    else this.#write(this.#options.isCell ? text.replaceAll("|", "\\|") : text, "$", "$");
  }

  /**
   * A raised number or variable directly after a letter, digit or parenthesis. Other superscripts belong to the
   * preceding word: 1st, 2nd.
   */
  #isPower(children: readonly HtmlNode[]): boolean {
    const isBeside = !this.#space && this.#breaks === 0 && /[\p{L}\p{N})]/u.test(this.#closed?.before ?? this.#last);
    const inner = children.length === 1 && typeof children[0] === "object" && children[0].name !== "a" ? children[0].children : children;
    const text = isBeside && inner.length === 1 ? inner[0] : undefined;
    return typeof text === "string" && /^\s?[-+−–]?(?:\d[\d.,/]{0,20}[ijkmnxyz]?|[ijkmnxyz])\s?$/.test(text);
  }

  #power(children: readonly HtmlNode[]): void {
    this.#write("^", "^", "^");
    this.nodes(children);
  }

  #code(content: string): void {
    const text = content.replace(blanks, " ").trim();
    if (text === "") return;
    const fence = "`".repeat(longestTicks(text) + 1);
    const padded = text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text;
    const shown = this.#options.isCell ? padded.replaceAll("|", "\\|") : padded;
    this.#write(`${fence}${shown}${fence}`, "`", "`");
  }

  /** Escapes characters that have a meaning in Markdown. */
  #escape(text: string, isInLink = this.#open.some(({ mark }) => mark === "[")): string {
    return text.replace(/[\\`*[\]<_~|&]/g, (sign, at: number) => {
      const [before, after] = [text[at - 1] ?? "", text[at + 1] ?? ""];
      const isMeant =
        (sign === "*" && before === " " && after === " ") ||
        (sign === "_" && isWord(before) && isWord(after)) ||
        (sign === "]" && !isInLink) ||
        (sign === "<" && !/[a-z/!?]/i.test(after) && after !== "") ||
        (sign === "~" && before !== "~" && after !== "~") ||
        (sign === "|" && !this.#options.isCell) ||
        (sign === "&" && !/[#\w]/.test(after));
      return isMeant ? sign : `\\${sign}`;
    });
  }
}

/** The address of a picture, as written. */
export const addressOf = (attributes: HtmlElement["attributes"]): string | undefined =>
  sources
    .map((name) => attributes[name]?.trim().split(name.endsWith("srcset") ? /,?\s/ : "\n", 1)[0])
    .find((src) => src && !/^data:/i.test(src));

/** A checkbox, as in task lists. */
export const isBox = ({ name, attributes }: HtmlElement): boolean => name === "input" && attributes.type === "checkbox";

/** All text as written, with each block on lines of its own. */
export function textOf(nodes: readonly HtmlNode[]): string {
  const pieces: string[] = [];
  gatherText(nodes, pieces);
  return pieces.join("");
}

function gatherText(nodes: readonly HtmlNode[], pieces: string[]): void {
  const endLine = () => void (pieces.length > 0 && !pieces.at(-1)!.endsWith("\n") && pieces.push("\n"));
  let isAfterBlock = false;
  for (const node of nodes) {
    if (typeof node === "string") {
      const text = isAfterBlock ? node.replace(/^[ \t]*\r?\n/, "") : node;
      if (text !== "") pieces.push(text);
      isAfterBlock = false;
      continue;
    }
    if (isGutter(node)) continue;
    isAfterBlock = node.isBlock && node.name !== "td" && node.name !== "th";
    if (node.name === "br") pieces.push("\n");
    else if (isAfterBlock) {
      endLine();
      const before = pieces.length;
      gatherText(node.children, pieces);
      // An empty block is an empty line.
      if (pieces.length === before) pieces.push("\n");
      endLine();
    } else gatherText(node.children, pieces);
  }
}

const GUTTER = /(?:^|[\s_-])(?:gutter|linenos?|line-?num(?:ber)?s?|ln-?num(?:ber)?s?|lntd?|ln|blob-num)(?:$|[\s_-])/i;
/** Some tables name all cells of a line so, those with code too. */
const OF_LINE = /(?:^|[\s_-])(?:lntd?|ln)(?:$|[\s_-])/i;

/** Whether an element contains line numbers beside code. */
export const isGutter = (element: HtmlElement): boolean =>
  /^(?:td|span|a|div|i|code)$/.test(element.name) &&
  GUTTER.test(element.attributes.class ?? "") &&
  ((element.name === "td" && !OF_LINE.test(element.attributes.class ?? "")) || /^[\s\d]*$/.test(wordsIn(element.children)));

const wordsIn = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : wordsIn(node.children))).join("");

export const longestTicks = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character);
const isMark = (character: string) => /[\p{P}\p{S}]/u.test(character);

function destination(url: string): string {
  const safe = url.replace(/[\s<>\\]/g, encodeURIComponent).replace(/&(?=#?\w+;)/g, "&amp;");
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

/** Escapes characters that would start a heading, quote, list or rule at the beginning of a line. */
function escapeStart(line: string): string {
  if (/^[=|:-][=|:\s-]*$/.test(line)) return `\\${line}`;
  if (/^(#{1,6}(\s|$)|>|[-+](\s|$))/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}
