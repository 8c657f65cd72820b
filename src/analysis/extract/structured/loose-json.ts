/**
 * Tolerant JSON parser for scripts in pages. Errors with only one possible meaning are repaired: comments and CDATA
 * wrappers, superfluous commas, bare line breaks and quotes in strings, several documents in a row. What is still
 * invalid is dropped. Runs in linear time.
 */
import { decodeHTML } from "entities/decode";

/** Longer scripts do not describe a page. */
const MAX_JSON = 2 * 1024 * 1024;

export function parseLoose(text: string): unknown[] {
  if (text.length > MAX_JSON) return [];
  const whole = parse(text);
  if (whole !== undefined) return [whole];
  const pieces = new JsonRepairer(isEscaped(text) ? decodeHTML(text) : text).pieces();
  return pieces.map(parse).filter((value) => value !== undefined);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the whole document was HTML-escaped. */
const isEscaped = (text: string) => /^\s{0,99}[[{]\s{0,99}(?:\{\s{0,99})?&(?:quot|#34|#x22);/i.test(text);

const wrapMarkers = ["<!--", "-->", "<![CDATA[", "]]>"];
const word = /[\s\S][^\s,:{}[\]"/]*/y;
const controls: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

class JsonRepairer {
  readonly #text: string;
  readonly #pieces: string[] = [];
  #at = 0;
  #depth = 0;
  #output: string[] = [];
  /** What was written last: the end of a value, a comma held back until the next token, or anything else. */
  #last: "closed" | "comma" | "other" = "other";

  constructor(text: string) {
    this.#text = text;
  }

  /** The documents in the text, each as strict JSON if it could be repaired. */
  pieces(): readonly string[] {
    while (this.#at < this.#text.length) this.#step();
    return this.#pieces;
  }

  #step(): void {
    const letter = this.#text[this.#at]!;
    if (letter === "/" || letter === "<" || letter === "-" || letter === "]") {
      if (this.#skipWrap(letter)) return;
    }
    if (letter === "{" || letter === "[") this.#begin(letter);
    else if (letter === "}" || letter === "]") this.#end(letter);
    else if (this.#depth === 0 || letter <= " ") this.#at += 1;
    else if (letter === '"') this.#string();
    else if (letter === ",") {
      this.#at += 1;
      this.#last = "comma";
    } else if (letter === ":") this.#write(letter, "other", false);
    else this.#word();
  }

  /** A number, true, false, null, or a token that will not parse. */
  #word(): void {
    word.lastIndex = this.#at;
    const [found] = word.exec(this.#text)!;
    this.#write(found, "closed", true);
    this.#at += found.length - 1;
  }

  #write(part: string, last: "closed" | "other", isValue: boolean): void {
    // Two values in a row need a comma between them.
    if (this.#last === "comma" || (this.#last === "closed" && isValue)) this.#output.push(",");
    this.#output.push(part);
    this.#last = last;
    this.#at += 1;
  }

  #begin(letter: string): void {
    this.#write(letter, "other", true);
    this.#depth += 1;
  }

  #end(letter: string): void {
    if (this.#last === "comma") this.#last = "other";
    this.#write(letter, "closed", false);
    this.#depth -= 1;
    if (this.#depth > 0) return;
    if (this.#depth === 0) this.#pieces.push(this.#output.join(""));
    this.#depth = 0;
    this.#output = [];
    this.#last = "other";
  }

  /** Skips comments, and the markers that once hid scripts from old browsers. */
  #skipWrap(letter: string): boolean {
    const text = this.#text;
    const wrap = wrapMarkers.find((mark) => mark[0] === letter && text.startsWith(mark, this.#at));
    if (wrap !== undefined) {
      this.#at += wrap.length;
      return true;
    }
    const second = letter === "/" ? text[this.#at + 1] : undefined;
    if (second === "/") this.#skipLine();
    else if (second === "*") this.#skipTo("*/");
    return second === "/" || second === "*";
  }

  #skipLine(): void {
    const isWrap = wrapMarkers.some((mark) => this.#text.startsWith(mark, this.#at + 2));
    if (isWrap) this.#at += 2;
    else this.#skipTo("\n");
  }

  #skipTo(mark: string): void {
    const end = this.#text.indexOf(mark, this.#at + 2);
    this.#at = end < 0 ? this.#text.length : end + mark.length;
  }

  #string(): void {
    const text = this.#text;
    const parts = ['"'];
    let at = this.#at + 1;
    let from = at;
    const replaceHere = (replacement: string, length: number) => {
      parts.push(text.slice(from, at), replacement);
      from = at + length;
    };
    for (; at < text.length; at += 1) {
      const letter = text[at]!;
      if (letter === "\\") {
        if (!isEscape(text, at)) replaceHere("", 1);
        at += 1;
      } else if (letter < " ") replaceHere(controls[letter] ?? " ", 1);
      else if (letter === '"') {
        if (endsString(text, at)) break;
        replaceHere('\\"', 1);
      }
    }
    parts.push(text.slice(from, at), '"');
    this.#write(parts.join(""), "closed", true);
    this.#at = at + 1;
  }
}

const isEscape = (text: string, at: number) => {
  const next = text[at + 1] ?? "";
  return next === "u" ? /^[\da-f]{4}$/i.test(text.slice(at + 2, at + 6)) : next !== "" && '"\\/bfnrt'.includes(next);
};

/**
 * A quote ends the string if a delimiter or the end of the text follows, or, where a comma is missing, a string on the
 * next line. Any other quote is part of the string.
 */
function endsString(text: string, at: number): boolean {
  let next = at + 1;
  let hasBreak = false;
  for (; next < text.length && text[next]! <= " "; next += 1) hasBreak ||= text[next] === "\n";
  if (next >= text.length || ",:}]".includes(text[next]!)) return true;
  return hasBreak && (text[next] === '"' || text[next] === "/");
}
