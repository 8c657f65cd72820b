/**
 * Percent-encoding made comparable (RFC 3986 §6.2.2.1–2): unreserved characters are decoded, hex digits are upper case, and what
 * may not stand in a URL unescaped (a lone `%` too) is escaped. The text is ASCII or a string of bytes (each char below 256).
 */
const SAFE_ONLY = /^[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]*$/;
const UNRESERVED = 1;
const RESERVED = 2;

const charKinds = new Uint8Array(256);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~") charKinds[char.charCodeAt(0)] = UNRESERVED;
for (const char of ":/?#@!$&'()*+,;=") charKinds[char.charCodeAt(0)] = RESERVED;

export function normaliseEscapes(text: string): string {
  if (SAFE_ONLY.test(text)) return text;
  let out = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== PERCENT) {
      out += charKinds[code] ? text[at] : percentEscapes[code];
      continue;
    }
    const byte = hexAt(text, at + 1, 2);
    if (byte >= 0) {
      out += charKinds[byte] === UNRESERVED ? String.fromCharCode(byte) : percentEscapes[byte];
      at += 2;
      continue;
    }
    // The old `%u011f` of JavaScript's escape(): no standard defines it, so it has no other meaning. Surrogates are left alone.
    const unit = text[at + 1] === "u" ? hexAt(text, at + 2, 4) : -1;
    if (unit >= 0x80 && (unit < 0xd800 || unit > 0xdfff)) {
      out += encodeURIComponent(String.fromCharCode(unit));
      at += 5;
    } else out += "%25";
  }
  return out;
}

export const PERCENT = 37;
const HEX_DIGITS = "0123456789ABCDEF";

/** Whether a character may be unescaped in a URL. */
export const mayBeUnescaped = (code: number): boolean => (charKinds[code] ?? 0) > 0;

export const percentEscapes = Array.from({ length: 256 }, (_, byte) => `%${HEX_DIGITS[byte >> 4]}${HEX_DIGITS[byte & 15]}`);

export function hexAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = HEX_DIGITS.indexOf((text[at] ?? "x").toUpperCase());
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
