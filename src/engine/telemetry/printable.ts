/**
 * Control characters that a terminal executes (Cc), invisible characters that change other text (Cf: bidi marks, tags, zero
 * width), lone surrogates (Cs) and Unicode line breaks (Zl, Zp). The joiners of Persian, Indic and emoji are harmless and kept.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Makes remote text safe for a terminal: unsafe characters are written as escapes. The default limit is the maximum length of a URL. */
export function printable(text: string, max = 2048): string {
  let shown = "";
  let length = 0;
  let kept = ""; // the longest beginning that leaves room for the ellipsis
  for (const character of text) {
    const written = UNSAFE.test(character) ? escaped(character.codePointAt(0)!) : character;
    length += written === character ? 1 : written.length;
    if (length > max) return max > 0 ? `${kept}…` : "";
    shown += written;
    if (length < max) kept = shown;
  }
  return shown;
}

const escaped = (code: number) => (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`);
