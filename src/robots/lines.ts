/** Robots.txt as bytes → directives. Everything here is about how people write; what the directives mean is decided in parse.ts. */

export type Directive = "user-agent" | "allow" | "disallow" | "crawl-delay" | "sitemap";

export interface Line {
  readonly directive: Directive;
  /** Trimmed, without comment, as a string of bytes. */
  readonly value: string;
  readonly number: number;
}

/** RFC 9309 §2.5: at least 500 KiB must be read. What comes after is ignored, from a line border on. */
const MAX_BYTES = 500 * 1024;

/** One character per byte: rules compare octets, so bytes that are no UTF-8 must survive. */
function byteString(text: string | Uint8Array): string {
  const bytes = typeof text === "string" ? Buffer.from(text) : fromUtf16(Buffer.from(text.buffer, text.byteOffset, text.byteLength));
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const read = bytes.toString("latin1", start, Math.min(bytes.length, start + MAX_BYTES));
  if (start + MAX_BYTES >= bytes.length) return read;
  const lastBreak = Math.max(read.lastIndexOf("\n"), read.lastIndexOf("\r"));
  return lastBreak < 0 ? read : read.slice(0, lastBreak);
}

/** Some editors save UTF-16; its byte order mark gives it away. */
function fromUtf16(bytes: Buffer): Buffer {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return bytes;
  const units = Buffer.from(bytes.subarray(2, 2 + Math.min((bytes.length - 2) & ~1, 2 * MAX_BYTES)));
  return Buffer.from((isLittle ? units : units.swap16()).toString("utf16le"));
}

/** Back to what a person reads. */
export const asText = (byteText: string): string => Buffer.from(byteText, "latin1").toString("utf8");

export function* linesOf(text: string | Uint8Array): Generator<Line> {
  const all = byteString(text);
  const meanings = new Map<string, Directive | undefined>();
  let number = 0;
  for (const raw of all.split(/\r\n|\n|\r/)) {
    number++;
    if (raw === "") continue;
    const line = readLine(raw, number, meanings);
    if (line) yield line;
  }
}

function readLine(raw: string, number: number, meanings: Map<string, Directive | undefined>): Line | undefined {
  const hash = raw.indexOf("#");
  const line = trim(hash < 0 ? raw : raw.slice(0, hash));
  const colon = line.indexOf(":");
  // `disallow /private`: with no colon, one word and one value are still understood.
  const border = colon >= 0 ? colon : line.search(/[\t ]/);
  if (border <= 0) return undefined;
  const name = trim(line.slice(0, border)).toLowerCase();
  const value = trim(line.slice(border + 1));
  if (colon < 0 && /[\t ]/.test(value)) return undefined;
  if (name.length > LONGEST_NAME) return undefined;
  if (!meanings.has(name)) meanings.set(name, meaningOf(name));
  const directive = meanings.get(name);
  return directive && { directive, value, number };
}

// Blanks, and NULs that editors leave behind; `trim()` would also take bytes that belong to a character.
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

const LONGEST_NAME = 16;
const EXACT = new Map<string, Directive>([
  ["user-agent", "user-agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["crawl-delay", "crawl-delay"],
  ["sitemap", "sitemap"],
  ["site-map", "sitemap"],
]);

/** Misspelt, a line still says what its author wants. Only those that restrict us are guessed at: an `alow` is no permission. */
function meaningOf(name: string): Directive | undefined {
  const exact = EXACT.get(name);
  if (exact) return exact;
  if (isTypoOf(name, "disallow")) return "disallow";
  return isTypoOf(name, "user-agent") ? "user-agent" : undefined;
}

const TYPOS = 2;

/** At most two letters wrong, missing, too many or swapped (optimal string alignment distance). */
function isTypoOf(name: string, word: string): boolean {
  if (Math.abs(name.length - word.length) > TYPOS) return false;
  let before: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let row = 1; row <= name.length; row++) {
    const now = [row];
    for (let at = 1; at <= word.length; at++) {
      const isSame = name[row - 1] === word[at - 1];
      let cost = Math.min(last[at]! + 1, now[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && at > 1 && name[row - 1] === word[at - 2] && name[row - 2] === word[at - 1];
      if (isSwap) cost = Math.min(cost, before[at - 2]! + 1);
      now.push(cost);
    }
    before = last;
    last = now;
  }
  return last[word.length]! <= TYPOS;
}
