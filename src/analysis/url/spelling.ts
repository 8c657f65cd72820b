import { hexAt, mayBeUnescaped, PERCENT, percentEscapes } from "./escapes.ts";

/**
 * Separators in a path, and in a query (plus the apostrophe, which no query contains unescaped). Escaped, they are characters of a name
 * and stay escaped.
 */
const PATH_SEPARATORS = "/?#;";
const QUERY_SEPARATORS = "&=+#;'";

const PLAIN_PATH = /^(?:\/[A-Za-z0-9\-_~:@!$&'()*+,;=][A-Za-z0-9\-._~:@!$&'()*+,;=]*)*\/?$/;
const PLAIN_QUERY = /^[A-Za-z0-9\-._~:/?@!$&()*+,;=]*$/;

/** The path of a key: fully decoded, and without segments that name nothing (`.`, `..` and empty ones). */
export function keyPath(written: string): string {
  const path = withoutSessionId(written);
  if (PLAIN_PATH.test(path)) return path;
  const names: string[] = [];
  // A second pass, because escaped characters in its name could hide a session id.
  const segments = withoutSessionId(reencode(path, PATH_SEPARATORS)).split("/");
  for (const name of segments) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const isFolder = ["", ".", ".."].includes(segments.at(-1)!) && names.length > 0;
  return `/${names.join("/")}${isFolder ? "/" : ""}`;
}

/** `/a;jsessionid=0A1B`, and `/(S(4hqa0555fwsecu455xqckv45))/a.aspx`: session ids as Java and ASP.NET write them. */
const SESSION_PARAM = /;(?:jsessionid=[^/;]*|[a-z_]*(?:sess|sid)[a-z_]*=(?=[^/;]*\d)[^/;]{8,})/gi;
const SESSION_FOLDER = /\/\((?:[a-z]\([\w-]{16,}\))+\)(?=\/|$)/gi;

export const mayHaveSessionId = (path: string): boolean => path.includes(";") || path.includes("/(");

function withoutSessionId(path: string): string {
  if (!mayHaveSessionId(path)) return path;
  const kept = path.replace(SESSION_PARAM, "").replace(SESSION_FOLDER, "");
  return kept === "" ? "/" : kept;
}

export const decodeQuery = (query: string): string => (PLAIN_QUERY.test(query) ? query : reencode(query, QUERY_SEPARATORS));

/** Offset for a byte that stays escaped: larger than any byte, so it equals no character. */
const KEPT_OFFSET = 256;

/**
 * Decodes every escape, including repeated ones, and then escapes what may not occur in a URL. Two escapes never overlap, so the order of
 * decoding does not matter; each decoded one shortens the text by two, so time is linear.
 */
function reencode(text: string, kept: string): string {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    codes.push(text.charCodeAt(at));
    for (let byte = escapeAtEnd(codes); byte >= 0; byte = escapeAtEnd(codes)) {
      codes.length -= 3;
      codes.push(kept.includes(String.fromCharCode(byte)) ? byte + KEPT_OFFSET : byte);
    }
  }
  return encode(codes);
}

/** The byte that the last three characters encode; -1 if they are no escape. */
function escapeAtEnd(codes: readonly number[]): number {
  const { length } = codes;
  if (codes[length - 3] !== PERCENT) return -1;
  const high = digitOf(codes[length - 2]!);
  const low = digitOf(codes[length - 1]!);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lowerCase = code < KEPT_OFFSET ? code | 32 : 0;
  return lowerCase >= 97 && lowerCase <= 102 ? lowerCase - 87 : -1;
}

function encode(codes: readonly number[]): string {
  let out = "";
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    const unit = code === PERCENT ? oldEscapeAt(codes, at) : undefined;
    if (unit === undefined) out += mayBeUnescaped(code) ? String.fromCharCode(code) : percentEscapes[code % KEPT_OFFSET];
    else {
      out += encodeURIComponent(unit);
      at += 5;
    }
  }
  return out;
}

/** The old `%u011f` of JavaScript's escape(): no standard defines it, so it has no other meaning. Surrogates are left alone. */
function oldEscapeAt(codes: readonly number[], at: number): string | undefined {
  if (codes[at + 1] !== 117) return undefined;
  const unit = hexAt(String.fromCharCode(...codes.slice(at + 2, at + 6)), 0, 4);
  return unit >= 0x80 && (unit < 0xd800 || unit > 0xdfff) ? String.fromCharCode(unit) : undefined;
}
