import { escaped, hexAt, isLetter, PERCENT } from "./escapes.ts";

/**
 * Separators in a path, and in a query (plus the apostrophe, which no query contains unescaped). Escaped, they are characters of a name
 * and stay escaped.
 */
const IN_PATH = "/?#;";
const IN_QUERY = "&=+#;'";

const PLAIN_PATH = /^(?:\/[A-Za-z0-9\-_~:@!$&'()*+,;=][A-Za-z0-9\-._~:@!$&'()*+,;=]*)*\/?$/;
const PLAIN_QUERY = /^[A-Za-z0-9\-._~:/?@!$&()*+,;=]*$/;

/** The path of a key: fully decoded, and without segments that name nothing (`.`, `..` and empty ones). */
export function keyPath(written: string): string {
  const path = withoutSession(written);
  if (PLAIN_PATH.test(path)) return path;
  const names: string[] = [];
  // A second pass, because escaped characters in its name could hide a session id.
  const segments = withoutSession(respell(path, IN_PATH)).split("/");
  for (const name of segments) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const isFolder = ["", ".", ".."].includes(segments.at(-1)!) && names.length > 0;
  return `/${names.join("/")}${isFolder ? "/" : ""}`;
}

/** `/a;jsessionid=0A1B`, and `/(S(4hqa0555fwsecu455xqckv45))/a.aspx`: session ids as Java and ASP.NET write them. */
const IN_NAME = /;(?:jsessionid=[^/;]*|[a-z_]*(?:sess|sid)[a-z_]*=(?=[^/;]*\d)[^/;]{8,})/gi;
const AS_FOLDER = /\/\((?:[a-z]\([\w-]{16,}\))+\)(?=\/|$)/gi;

export const mayHoldSession = (path: string): boolean => path.includes(";") || path.includes("/(");

function withoutSession(path: string): string {
  if (!mayHoldSession(path)) return path;
  const kept = path.replace(IN_NAME, "").replace(AS_FOLDER, "");
  return kept === "" ? "/" : kept;
}

export const decodeQuery = (query: string): string => (PLAIN_QUERY.test(query) ? query : respell(query, IN_QUERY));

/** Offset for a byte that stays escaped: larger than any byte, so it equals no character. */
const KEPT = 256;

/**
 * Decodes every escape, including repeated ones, and then escapes what may not occur in a URL. Two escapes never overlap, so the order of
 * decoding does not matter; each decoded one shortens the text by two, so time is linear.
 */
function respell(text: string, kept: string): string {
  const letters: number[] = [];
  for (let at = 0; at < text.length; at++) {
    letters.push(text.charCodeAt(at));
    for (let byte = escapeAtEnd(letters); byte >= 0; byte = escapeAtEnd(letters)) {
      letters.length -= 3;
      letters.push(kept.includes(String.fromCharCode(byte)) ? byte + KEPT : byte);
    }
  }
  return spell(letters);
}

/** The byte that the last three characters encode; -1 if they are no escape. */
function escapeAtEnd(letters: readonly number[]): number {
  const { length } = letters;
  if (letters[length - 3] !== PERCENT) return -1;
  const high = digitOf(letters[length - 2]!);
  const low = digitOf(letters[length - 1]!);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digitOf(letter: number): number {
  if (letter >= 48 && letter <= 57) return letter - 48;
  const small = letter < KEPT ? letter | 32 : 0;
  return small >= 97 && small <= 102 ? small - 87 : -1;
}

function spell(letters: readonly number[]): string {
  let out = "";
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    const unit = letter === PERCENT ? oldEscapeAt(letters, at) : undefined;
    if (unit === undefined) out += isLetter(letter) ? String.fromCharCode(letter) : escaped[letter % KEPT];
    else {
      out += encodeURIComponent(unit);
      at += 5;
    }
  }
  return out;
}

/** The old `%u011f` of JavaScript's escape(): no standard defines it, so it has no other meaning. Surrogates are left alone. */
function oldEscapeAt(letters: readonly number[], at: number): string | undefined {
  if (letters[at + 1] !== 117) return undefined;
  const unit = hexAt(String.fromCharCode(...letters.slice(at + 2, at + 6)), 0, 4);
  return unit >= 0x80 && (unit < 0xd800 || unit > 0xdfff) ? String.fromCharCode(unit) : undefined;
}
