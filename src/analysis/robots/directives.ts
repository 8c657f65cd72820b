/** Robots.txt as bytes → directives. Handles the ways people write them; parse.ts decides what the directives mean. */

export type Directive = "user-agent" | "allow" | "disallow" | "crawl-delay" | "sitemap";

/** RFC 9309 §2.5: at least 500 KiB must be read. The rest is ignored, from a line break on. */
const MAX_BYTES = 500 * 1024;

/** One character per byte: rules compare octets, so bytes that are not valid UTF-8 must be kept. */
function byteString(text: string | Uint8Array): string {
  const bytes = typeof text === "string" ? Buffer.from(text) : fromUtf16(Buffer.from(text.buffer, text.byteOffset, text.byteLength));
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const read = bytes.toString("latin1", start, Math.min(bytes.length, start + MAX_BYTES));
  if (start + MAX_BYTES >= bytes.length) return read;
  const lastBreak = Math.max(read.lastIndexOf("\n"), read.lastIndexOf("\r"));
  return lastBreak < 0 ? read : read.slice(0, lastBreak);
}

/** Some editors save UTF-16, recognised by its byte order mark. */
function fromUtf16(bytes: Buffer): Buffer {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return bytes;
  const units = Buffer.from(bytes.subarray(2, 2 + Math.min((bytes.length - 2) & ~1, 2 * MAX_BYTES)));
  return Buffer.from((isLittle ? units : units.swap16()).toString("utf16le"));
}

/** Decodes a byte string to text for people. */
export const asText = (byteText: string): string => Buffer.from(byteText, "latin1").toString("utf8");

/** Calls back for each valid line. Only offsets are passed on until a value is cut out, because files may have 50,000 lines. */
export function forEachDirective(
  text: string | Uint8Array,
  onDirective: (directive: Directive, value: string, number: number) => void,
): void {
  const fileText = byteString(text);
  const directiveCache = new Map<string, Directive | undefined>();
  let number = 0;
  for (let start = 0; start <= fileText.length; number++) {
    let end = start;
    while (end < fileText.length && !isLineBreak(fileText.charCodeAt(end))) end++;
    if (end > start) readLine(fileText, trimmedRange(fileText, start, end), number + 1, directiveCache, onDirective);
    const isPair = fileText.charCodeAt(end) === CR && fileText.charCodeAt(end + 1) === LF;
    start = end + (isPair ? 2 : 1);
  }
}

const CR = 13;
const LF = 10;
const isLineBreak = (code: number) => code === LF || code === CR;

interface TextRange {
  start: number;
  end: number;
}

function readLine(
  fileText: string,
  line: TextRange,
  number: number,
  directiveCache: Map<string, Directive | undefined>,
  onDirective: Parameters<typeof forEachDirective>[1],
): void {
  let colon = -1;
  let blank = -1;
  for (let at = line.start; at < line.end; at++) {
    const code = fileText.charCodeAt(at);
    if (code === HASH) {
      Object.assign(line, trimmedRange(fileText, line.start, at));
      break;
    }
    if (code === COLON && colon < 0) colon = at;
    else if ((code === 9 || code === 32) && blank < 0) blank = at;
  }
  // `disallow /private`: without a colon, one word and one value are still accepted.
  const separator = colon >= 0 ? colon : blank;
  if (separator <= line.start || separator >= line.end) return;
  const name = trimmedRange(fileText, line.start, separator);
  if (name.end - name.start > MAX_NAME_LENGTH) return;
  const rawName = fileText.slice(name.start, name.end);
  if (!directiveCache.has(rawName)) directiveCache.set(rawName, directiveOf(rawName.toLowerCase()));
  const directive = directiveCache.get(rawName);
  if (!directive) return;
  const value = trimmedRange(fileText, separator + 1, line.end);
  const text = fileText.slice(value.start, value.end);
  if (colon >= 0 || !/[\t ]/.test(text)) onDirective(directive, text, number);
}

const HASH = 35;
const COLON = 58;

// Trims blanks, and NULs that some editors leave; `trim()` would also remove bytes that are part of a character.
function trimmedRange(text: string, from: number, to: number): TextRange {
  let start = from;
  let end = to;
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return { start, end };
}

const MAX_NAME_LENGTH = 16;
const DIRECTIVES = new Map<string, Directive>([
  ["user-agent", "user-agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["crawl-delay", "crawl-delay"],
  ["sitemap", "sitemap"],
  ["site-map", "sitemap"],
]);

/** Misspelt directives are accepted only if they restrict us: an `alow` is no permission. */
function directiveOf(name: string): Directive | undefined {
  const exact = DIRECTIVES.get(name);
  if (exact) return exact;
  if (isTypoOf(name, "disallow")) return "disallow";
  return isTypoOf(name, "user-agent") ? "user-agent" : undefined;
}

const MAX_TYPOS = 2;

/** At most two letters wrong, missing, added or swapped (optimal string alignment distance). */
function isTypoOf(name: string, rawName: string): boolean {
  if (Math.abs(name.length - rawName.length) > MAX_TYPOS) return false;
  let twoRowsBack: number[] = [];
  let previousRow = Array.from({ length: rawName.length + 1 }, (_, at) => at);
  for (let row = 1; row <= name.length; row++) {
    const currentRow = [row];
    for (let at = 1; at <= rawName.length; at++) {
      const isSame = name[row - 1] === rawName[at - 1];
      let cost = Math.min(previousRow[at]! + 1, currentRow[at - 1]! + 1, previousRow[at - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && at > 1 && name[row - 1] === rawName[at - 2] && name[row - 2] === rawName[at - 1];
      if (isSwap) cost = Math.min(cost, twoRowsBack[at - 2]! + 1);
      currentRow.push(cost);
    }
    twoRowsBack = previousRow;
    previousRow = currentRow;
  }
  return previousRow[rawName.length]! <= MAX_TYPOS;
}
