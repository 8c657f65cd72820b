import { TextDecoder } from "node:util";

/** Node can read the old encodings but not write them, so we ask its decoder what each byte, or pair of bytes, means. */
export function encodeAs(charset: string, text: string): Buffer {
  const decoder = new TextDecoder(charset);
  const bytesOf = new Map<string, number[]>();
  const note = (...bytes: number[]) => {
    const char = decoder.decode(Uint8Array.from(bytes));
    const isOne = char.length === 1 && char !== "\ufffd";
    if (isOne && !bytesOf.has(char)) bytesOf.set(char, bytes);
    return isOne;
  };
  for (let lead = 0; lead < 256; lead += 1) {
    if (!note(lead)) for (let trail = 0x40; trail < 256; trail += 1) note(lead, trail);
  }
  return Buffer.from(
    Array.from(text).flatMap((char) => {
      const bytes = bytesOf.get(char);
      if (!bytes) throw new Error(`${charset} cannot write ${char}`);
      return bytes;
    }),
  );
}

const FROM_80_TO_9F = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** By a table of our own, because the decoder of some Node versions takes windows-1252 for Latin-1. */
export function asWindows1252(text: string): Buffer {
  const bytes = Array.from(text, (char) => (FROM_80_TO_9F.includes(char) ? 0x80 + FROM_80_TO_9F.indexOf(char) : char.charCodeAt(0)));
  return Buffer.from(bytes);
}

export const utf16WithMark = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
