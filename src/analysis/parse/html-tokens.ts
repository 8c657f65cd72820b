/**
 * Turns HTML into a stream of the relevant elements and their text. The scanner is hand-written so that it can jump from
 * tag to tag and skip what the listener does not want. It follows the tokenizer of WHATWG HTML §13.2.5 in where tags,
 * comments and raw texts begin and end. It omits parse errors and tree repair, which affect neither links nor text.
 */
import { decodeHTML } from "entities/decode";
import { Attributes } from "./attributes.ts";
import { type ElementKind, elementNamed } from "./elements.ts";
import { HtmlSource } from "./html-source.ts";
import { withLetter } from "./name-table.ts";

export interface HtmlListener {
  /** `attributes` is reused for the next element: read what is needed during the call. */
  open(kind: ElementKind, attributes: Attributes): void;
  close(kind: ElementKind): void;
  /** A range of the source, not copied yet, because most ranges are white space between tags. */
  text(source: string, start: number, end: number): void;
  /** Inside SVG, script and title are ordinary elements. */
  readonly isForeign: boolean;
  /** Whether the listener uses text at this point. */
  readonly wantsText: boolean;
  /** True in scripts and styles, where entities are not decoded. */
  readonly isVerbatim: boolean;
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;

const NOTHING = -1;
const EXCLAMATION = 33;
const DASH = 45;
const SLASH = 47;
const GREATER = 62;
const EQUALS = 61;
const BRACKET = 91;
const BRACKET_END = 93;
const QUOTE = 34;
const APOSTROPHE = 39;

/** `named` finds the elements relevant for the listener; all others are skipped. */
export function readHtml(utf8: Uint8Array, listener: HtmlListener, named: typeof elementNamed = elementNamed): void {
  const source = new HtmlSource(utf8);
  new Scanner(source, listener, named).run();
  source.giveBack();
}

class Scanner {
  readonly #source: HtmlSource;
  readonly #length: number;
  readonly #codes: Uint8Array;
  readonly #listener: HtmlListener;
  readonly #named: typeof elementNamed;
  readonly #attributes: Attributes;
  /** Offset of the next ampersand after the text last searched, or the end of the window if there is none. */
  #ampersand = -1;
  #at = 0;

  constructor(source: HtmlSource, listener: HtmlListener, named: typeof elementNamed) {
    this.#source = source;
    this.#length = source.length;
    this.#codes = source.codes;
    this.#named = named;
    this.#attributes = new Attributes(source);
    this.#listener = listener;
  }

  run(): void {
    const source = this.#source;
    const length = this.#length;
    const codes = this.#codes;
    let from = 0;
    let look = 0;
    for (;;) {
      const tag = source.indexOf("<", look);
      const next = tag < 0 ? 0 : codes[tag + 1]!;
      const isTag = isLetter(next) || (next === SLASH && tag + 2 < length) || next === 33 || next === 63;
      if (tag >= 0 && !isTag) {
        look = tag + 1; // a plain "less than"
        continue;
      }
      const end = tag < 0 ? length : tag;
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
    const listener = this.#listener;
    if (!listener.wantsText) return;
    if (this.#ampersand >= end || listener.isVerbatim || !this.#mayHoldEntity(start, end)) {
      this.#pass(start, end);
      return;
    }
    const decoded = decodeHTML(this.#source.slice(start, end));
    listener.text(decoded, 0, decoded.length);
  }

  /** True without a search for text longer than the window. */
  #mayHoldEntity(start: number, end: number): boolean {
    const source = this.#source;
    if (!source.isInWindow(start, end)) return true;
    if (this.#ampersand < start) {
      const found = source.window.indexOf("&", start - source.windowStart);
      this.#ampersand = found < 0 ? source.windowEnd : source.windowStart + found;
    }
    return this.#ampersand < end;
  }

  #pass(start: number, end: number): void {
    const source = this.#source;
    if (source.isInWindow(start, end) && source.isAsciiIn(start, end)) {
      this.#listener.text(source.window, start - source.windowStart, end - source.windowStart);
      return;
    }
    const text = source.slice(start, end);
    this.#listener.text(text, 0, text.length);
  }

  #skipPast(letter: string): void {
    const found = this.#source.indexOf(letter, this.#at);
    this.#at = found < 0 ? this.#length : found + 1;
  }

  /** `<!`: a comment, a CDATA section where one is allowed, or a declaration to skip. */
  #declaration(): void {
    const source = this.#source;
    const start = this.#at + 1;
    if (this.#codes[start] === DASH && this.#codes[start + 1] === DASH) {
      this.#at = start + 2;
      this.#comment();
    } else if (this.#codes[start] === BRACKET && source.slice(start, start + 7) === "[CDATA[" && this.#listener.isForeign) {
      const end = this.#endAfter(start, BRACKET_END, NOTHING);
      if (this.#listener.wantsText) this.#pass(start + 7, end < 0 ? this.#length : end - 2);
      this.#at = end < 0 ? this.#length : end + 1;
    } else this.#skipPast(">");
  }

  /** A comment ends at `-->` or `--!>`, and `<!-->` and `<!--->` are whole (§13.2.5.43). */
  #comment(): void {
    const codes = this.#codes;
    const at = this.#at;
    if (codes[at] === GREATER) this.#at += 1;
    else if (codes[at] === DASH && codes[at + 1] === GREATER) this.#at += 2;
    else {
      const end = this.#endAfter(at, DASH, EXCLAMATION);
      this.#at = end < 0 ? this.#length : end + 1;
    }
  }

  /** The first `>` after two of the same character, with an optional other character between them. */
  #endAfter(start: number, twice: number, between: number): number {
    const codes = this.#codes;
    let end = this.#source.indexOf(">", start);
    while (end >= 0) {
      const last = codes[end - 1] === between ? end - 2 : end - 1;
      if (last > start && codes[last] === twice && codes[last - 1] === twice) return end;
      end = this.#source.indexOf(">", end + 1);
    }
    return -1;
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
    const length = this.#length;
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

  /** Reads attributes up to the end of the tag. Returns whether it is self-closing; undefined if the document ends first. */
  #tagRest(isWanted: boolean): boolean | undefined {
    const codes = this.#codes;
    const length = this.#length;
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
    const codes = this.#codes;
    const length = this.#length;
    let end = start + 1; // an equals sign at the start belongs to the name
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
      const close = this.#source.indexOf(quote === QUOTE ? '"' : "'", at + 1);
      if (close < 0) return length;
      if (isWanted) this.#attributes.keep(start, end, hash, at + 1, close);
      return close + 1;
    }
    const from = at;
    for (let code = quote; at < length && code !== GREATER && !isSpace(code); ) code = codes[++at]!;
    if (isWanted) this.#attributes.keep(start, end, hash, from, at);
    return at;
  }

  /** Scripts, styles and the like are one raw text up to their own end tag. */
  #rawText(kind: ElementKind): void {
    const source = this.#source;
    const { name } = kind;
    let end = source.indexOf("<", this.#at);
    while (end >= 0 && !this.#isEndTag(end, name)) end = source.indexOf("<", end + 1);
    const stop = end < 0 ? this.#length : end;
    if (stop > this.#at) this.#text(this.#at, stop);
    this.#at = stop;
  }

  #isEndTag(at: number, name: string): boolean {
    const codes = this.#codes;
    if (codes[at + 1] !== SLASH) return false;
    for (let place = 0; place < name.length; place += 1) if ((codes[at + 2 + place]! | 32) !== name.charCodeAt(place)) return false;
    const after = codes[at + 2 + name.length]!;
    return after === GREATER || after === SLASH || isSpace(after);
  }
}
