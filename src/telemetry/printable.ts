/**
 * What a terminal obeys instead of showing (Cc), what is not seen but changes how the rest is read (Cf: bidi marks, tags, zero width),
 * halves of characters (Cs) and line breaks of Unicode (Zl, Zp). The joiners of Persian, Indic and emoji are harmless and stay.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Makes remote text safe for a terminal: what could command it is written out. By default it keeps what a URL may have at most. */
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
