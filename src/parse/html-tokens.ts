/**
 * Turns HTML into a stream of the elements that matter, with their text: a scanner by hand, because it jumps from tag to tag and
 * never looks at what nobody asked for. It follows the tokenizer of WHATWG HTML §13.2.5 in where tags, comments and raw
 * texts begin and end; what it leaves out (which errors there were, how the tree is mended) makes no link and no text.
 */
import { decodeHTML } from "entities/decode";
import { Attributes } from "./attributes.ts";
import { type ElementKind, elementNamed } from "./elements.ts";
import { HtmlSource } from "./html-source.ts";
import { withLetter } from "./name-table.ts";

export interface HtmlListener {
  /** `attributes` is reused for the next element: take what is needed now. */
  open(kind: ElementKind, attributes: Attributes): void;
  close(kind: ElementKind): void;
  /** The text between two places, not yet copied, because most of it is white space between tags. */
  text(source: string, start: number, end: number): void;
  /** Inside SVG, script and title are ordinary elements. */
  readonly isForeign: boolean;
  /** Whether text at this place would be heard. */
  readonly wantsText: boolean;
  /** In scripts and styles an entity is not an entity. */
  readonly isVerbatim: boolean;
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;

const SLASH = 47;
const GREATER = 62;
const EQUALS = 61;
const QUOTE = 34;
const APOSTROPHE = 39;

/** `named` finds the elements that matter to the listener; all others flow through as text. */
export function readHtml(utf8: Uint8Array, listener: HtmlListener, named: typeof elementNamed = elementNamed): void {
  const source = new HtmlSource(utf8);
  new Scanner(source, listener, named).run();
  source.giveBack();
}

class Scanner {
  readonly #source: HtmlSource;
  /** Its letters, */
  readonly #html: string;
  /** and the same as numbers; past the end there are noughts. */
  readonly #codes: Uint8Array;
  readonly #listener: HtmlListener;
  readonly #named: typeof elementNamed;
  readonly #attributes: Attributes;
  /** Next ampersand at or after the text last looked at. */
  #ampersand = -1;
  #at = 0;

  constructor(source: HtmlSource, listener: HtmlListener, named: typeof elementNamed) {
    this.#source = source;
    this.#html = source.letters;
    this.#codes = source.codes;
    this.#named = named;
    this.#attributes = new Attributes(source);
    this.#listener = listener;
  }

  run(): void {
    const html = this.#html;
    const codes = this.#codes;
    let from = 0;
    let look = 0;
    for (;;) {
      const tag = html.indexOf("<", look);
      const next = tag < 0 ? 0 : codes[tag + 1]!;
      const isTag = isLetter(next) || (next === SLASH && tag + 2 < html.length) || next === 33 || next === 63;
      if (tag >= 0 && !isTag) {
        look = tag + 1; // a plain "less than"
        continue;
      }
      const end = tag < 0 ? html.length : tag;
      if (end > from) this.#text(from, end);
      if (tag < 0) return;
      this.#at = tag + 1;
      if (isLetter(next)) this.#openTag();
      else if (next === SLASH) this.#closeTag();
      else if (next === 33) this.#declaration();
      else this.#skipPast(">");
      from = this.#at;
      look = from;
    }
  }

  #text(start: number, end: number): void {
    const html = this.#html;
    const listener = this.#listener;
    if (!listener.wantsText) return;
    if (this.#ampersand < start) this.#ampersand = html.indexOf("&", start);
    if (this.#ampersand < 0) this.#ampersand = html.length;
    if (this.#ampersand >= end || listener.isVerbatim) {
      this.#pass(start, end);
      return;
    }
    const decoded = decodeHTML(this.#source.slice(start, end));
    listener.text(decoded, 0, decoded.length);
  }

  #pass(start: number, end: number): void {
    if (this.#source.isAsciiIn(start, end)) {
      this.#listener.text(this.#html, start, end);
      return;
    }
    const decoded = this.#source.decoded(start, end);
    this.#listener.text(decoded, 0, decoded.length);
  }

  #skipPast(mark: string): void {
    const found = this.#html.indexOf(mark, this.#at);
    this.#at = found < 0 ? this.#html.length : found + mark.length;
  }

  /** `<!`: a comment, a CDATA section where there can be one, or something to be passed over. */
  #declaration(): void {
    const html = this.#html;
    const start = this.#at + 1;
    if (html.startsWith("--", start)) {
      this.#at = start + 2;
      this.#comment();
    } else if (html.startsWith("[CDATA[", start) && this.#listener.isForeign) {
      const end = html.indexOf("]]>", start);
      if (this.#listener.wantsText) this.#pass(start + 7, end < 0 ? html.length : end);
      this.#at = end < 0 ? html.length : end + 3;
    } else this.#skipPast(">");
  }

  /** A comment ends at `-->` or `--!>`, and `<!-->` and `<!--->` are whole (§13.2.5.43). */
  #comment(): void {
    const html = this.#html;
    const codes = this.#codes;
    if (codes[this.#at] === GREATER) this.#at += 1;
    else if (html.startsWith("->", this.#at)) this.#at += 2;
    else {
      let dashes = html.indexOf("--", this.#at);
      while (dashes >= 0 && codes[dashes + 2] !== GREATER && !html.startsWith("!>", dashes + 2)) dashes = html.indexOf("--", dashes + 1);
      this.#at = dashes < 0 ? html.length : dashes + (codes[dashes + 2] === GREATER ? 3 : 4);
    }
  }

  #openTag(): void {
    const kind = this.#name();
    const wantsAttributes = kind?.hasAttributes === true;
    if (wantsAttributes) this.#attributes.clear();
    const isSelfClosing = this.#tagRest(wantsAttributes);
    if (kind === undefined || isSelfClosing === undefined) return;
    const isRaw = kind.isRaw && !this.#listener.isForeign;
    this.#listener.open(kind, this.#attributes);
    // Only foreign elements can close themselves (§13.2.6.5).
    if (isSelfClosing && kind.name === "svg") this.#listener.close(kind);
    if (isRaw) this.#rawText(kind);
  }

  #closeTag(): void {
    this.#at += 1;
    if (!isLetter(this.#codes[this.#at]!)) {
      this.#skipPast(">");
      return;
    }
    const kind = this.#name();
    if (this.#tagRest(false) !== undefined && kind !== undefined) this.#listener.close(kind);
  }

  #name(): ElementKind | undefined {
    const codes = this.#codes;
    const { length } = this.#html;
    const start = this.#at;
    let end = start;
    let hash = 0;
    for (let code = codes[end]!; end < length && code !== GREATER && code !== SLASH && !isSpace(code); code = codes[end]!) {
      hash = withLetter(hash, code);
      end += 1;
    }
    this.#at = end;
    return this.#named(codes, start, end, hash);
  }

  /** Attributes up to the end of the tag. Answers whether it closes itself; undefined if the document ends before the tag does. */
  #tagRest(isWanted: boolean): boolean | undefined {
    const codes = this.#codes;
    const { length } = this.#html;
    if (codes[this.#at] === GREATER) {
      this.#at += 1;
      return false;
    }
    let at = this.#at;
    for (;;) {
      let code = codes[at]!;
      while (isSpace(code) || code === SLASH) code = codes[++at]!;
      if (at >= length) {
        this.#at = length;
        return undefined;
      }
      if (code === GREATER) {
        this.#at = at + 1;
        return codes[at - 1] === SLASH;
      }
      at = this.#attribute(at, isWanted);
    }
  }

  #attribute(start: number, isWanted: boolean): number {
    const html = this.#html;
    const codes = this.#codes;
    const { length } = html;
    let end = start + 1; // an equals sign in the first place belongs to the name
    let hash = withLetter(0, codes[start]!);
    for (let code = codes[end]!; end < length && code !== EQUALS && code !== GREATER && code !== SLASH && !isSpace(code); ) {
      hash = withLetter(hash, code);
      code = codes[++end]!;
    }
    let at = end;
    while (isSpace(codes[at]!)) at += 1;
    if (codes[at] !== EQUALS) {
      if (isWanted) this.#attributes.keep(start, end, hash, end, end);
      return at;
    }
    do at += 1;
    while (isSpace(codes[at]!));
    const quote = codes[at]!;
    if (quote === QUOTE || quote === APOSTROPHE) {
      const close = html.indexOf(quote === QUOTE ? '"' : "'", at + 1);
      if (close < 0) return length;
      if (isWanted) this.#attributes.keep(start, end, hash, at + 1, close);
      return close + 1;
    }
    const from = at;
    for (let code = quote; at < length && code !== GREATER && !isSpace(code); ) code = codes[++at]!;
    if (isWanted) this.#attributes.keep(start, end, hash, from, at);
    return at;
  }

  /** Scripts, styles and the like are one text up to their own end tag. */
  #rawText(kind: ElementKind): void {
    const html = this.#html;
    const { name } = kind;
    let end = html.indexOf("</", this.#at);
    while (end >= 0 && !isEndTagOf(html, end + 2, name)) end = html.indexOf("</", end + 2);
    const stop = end < 0 ? html.length : end;
    if (stop > this.#at) this.#text(this.#at, stop);
    this.#at = stop;
  }
}

function isEndTagOf(html: string, at: number, name: string): boolean {
  const after = html.charCodeAt(at + name.length);
  if (!(after === GREATER || after === SLASH || isSpace(after))) return false;
  return html.slice(at, at + name.length).toLowerCase() === name;
}
