/** Splits a style sheet into blocks and a block into declarations, as browsers do (CSS Syntax §5). Linear. */

export interface SheetListener {
  /** `prelude` is the text before `{`. */
  open(prelude: string): void;
  /** `body` is the block without its nested blocks. */
  close(body: string): void;
  /** An at-rule without a block. */
  statement(text: string): void;
}

const OPEN = 123;
const CLOSE = 125;
const SEMICOLON = 59;
const ROUND = 40;
const ROUND_END = 41;
const QUOTE = 34;
const APOSTROPHE = 39;
const BACKSLASH = 92;
const SLASH = 47;
const STAR = 42;
/** Nearly all characters of a sheet. */
const isOrdinary = new Uint8Array(128).fill(1);
for (const code of [OPEN, CLOSE, SEMICOLON, ROUND, ROUND_END, QUOTE, APOSTROPHE, BACKSLASH, SLASH]) isOrdinary[code] = 0;
const isBlank = (code: number) => code <= 32;

/** The offset after a string that starts at `at`. A line break ends it. */
function afterString(css: string, at: number): number {
  const quote = css.charCodeAt(at);
  for (let place = at + 1; place < css.length; place += 1) {
    const code = css.charCodeAt(place);
    if (code === BACKSLASH) place += 1;
    else if (code === quote || code === 10) return place + 1;
  }
  return css.length;
}

/** The offset after an opening bracket; an unquoted `url()` is skipped as a whole. */
function afterRound(css: string, at: number): { readonly next: number; readonly isOpen: boolean } {
  if (css.slice(Math.max(0, at - 3), at).toLowerCase() !== "url") return { next: at + 1, isOpen: true };
  let first = at + 1;
  while (first < css.length && isBlank(css.charCodeAt(first))) first += 1;
  const code = css.charCodeAt(first);
  if (code === QUOTE || code === APOSTROPHE) return { next: first, isOpen: true };
  const end = css.indexOf(")", first);
  return { next: end < 0 ? css.length : end + 1, isOpen: false };
}

/** Reads character by character: nesting, strings and comments decide what a brace means. */
export function scanSheet(css: string, listener: SheetListener): void {
  const bodies: string[] = [];
  /** Text before the last comment or nested block that still belongs to the body, and to the current part of it. */
  let body = "";
  let part = "";
  let from = 0;
  let round = 0;
  const take = (to: number) => {
    part += css.slice(from, to);
    from = to;
  };
  for (let at = 0; at < css.length; ) {
    const code = css.charCodeAt(at);
    if (code > CLOSE || isOrdinary[code] === 1) at += 1;
    else if (code === BACKSLASH) at += 2;
    else if (code === QUOTE || code === APOSTROPHE) at = afterString(css, at);
    else if (code === SLASH && css.charCodeAt(at + 1) === STAR) {
      take(at);
      const end = css.indexOf("*/", at + 2);
      at = from = end < 0 ? css.length : end + 2;
    } else if (code === ROUND) {
      const { next, isOpen } = afterRound(css, at);
      if (isOpen) round += 1;
      at = next;
    } else {
      at += 1;
      if (code === ROUND_END) round = Math.max(0, round - 1);
      else if (round > 0) continue;
      else if (code === SEMICOLON) {
        take(at);
        if (/^\s*@/.test(part)) listener.statement(part);
        else body += part;
        part = "";
      } else if (code === OPEN) {
        take(at - 1);
        listener.open(part);
        bodies.push(body);
        body = part = "";
        from = at;
      } else if (code === CLOSE && bodies.length > 0) {
        take(at - 1);
        listener.close(body + part);
        body = bodies.pop()!;
        part = "";
        from = at;
      }
    }
  }
  take(css.length);
  while (bodies.length > 0) {
    listener.close(body + part);
    body = bodies.pop()!;
    part = "";
  }
}

/** Splits at a separator outside of strings and brackets. */
export function splitOutside(text: string, separator: "," | ";" | " "): string[] {
  if (!/["'()\\]/.test(text)) return separator === " " ? text.trim().split(/\s+/) : text.split(separator);
  const parts: string[] = [];
  let from = 0;
  let round = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 2;
    else if (code === QUOTE || code === APOSTROPHE) at = afterString(text, at);
    else if (code === ROUND) {
      const { next, isOpen } = afterRound(text, at);
      if (isOpen) round += 1;
      at = next;
    } else {
      if (code === ROUND_END) round = Math.max(0, round - 1);
      else if (round === 0 && (separator === " " ? isBlank(code) : text[at] === separator)) {
        if (separator !== " " || at > from) parts.push(text.slice(from, at));
        from = at + 1;
      }
      at += 1;
    }
  }
  if (separator !== " " || from < text.length) parts.push(text.slice(from));
  return parts;
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;

/** Removes comments outside of strings. */
export function withoutComments(text: string): string {
  if (!text.includes("/*")) return text;
  if (!/["']/.test(text)) return text.replace(COMMENT, "");
  let kept = "";
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 2;
    else if (code === QUOTE || code === APOSTROPHE) at = afterString(text, at);
    else if (code === SLASH && text.charCodeAt(at + 1) === STAR) {
      kept += text.slice(from, at);
      const end = text.indexOf("*/", at + 2);
      at = from = end < 0 ? text.length : end + 2;
    } else at += 1;
  }
  return kept + text.slice(from);
}

/** Resolves escapes (CSS Syntax §4.3.7). */
export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, code: string | undefined, letter: string) =>
    code === undefined ? letter : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
  );
}
