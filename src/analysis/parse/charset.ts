/**
 * Determines the encoding of a body and decodes it: byte order mark, then HTTP header, then declaration in the document,
 * then the bytes themselves.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { decode, encodingFromLabel } from "./encoding.ts";
import { perLabel, readParameters } from "./mime.ts";
import { prescan, xmlDeclaration } from "./prescan.ts";

type Kind = "html" | "xml" | "text";

export function decodeBytes(bytes: Uint8Array, contentType: string | undefined, kind: Kind): { text: string; charset: string } {
  const { body, charset } = charsetOf(bytes, contentType, kind);
  return { text: decode(body, charset), charset };
}

/** The text as UTF-8 bytes; most bodies already are, and are not copied. */
export function bytesInUtf8(bytes: Uint8Array, contentType: string | undefined, kind: Kind): { utf8: Uint8Array; charset: string } {
  const { body, charset } = charsetOf(bytes, contentType, kind);
  const isIt = charset === "utf-8" ? isUtf8(body) : charset === "windows-1252" && isAscii(body);
  return { utf8: isIt ? body : Buffer.from(decode(body, charset)), charset };
}

/** `body` begins after the byte order mark. */
function charsetOf(bytes: Uint8Array, contentType: string | undefined, kind: Kind): { body: Uint8Array; charset: string } {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return { body: bytes.subarray(mark.length), charset: mark.charset };
  const charset = headerCharset(contentType) ?? declared(bytes, kind) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
  return { body: bytes, charset };
}

const MAX_HEADER = 1024;

/** UTF-32 is outside the standard, but no UTF-16 text begins with U+0000, so its mark is never mistaken. */
export function byteOrderMark(bytes: Uint8Array): { charset: string; length: number } | undefined {
  const a = bytes[0];
  const b = bytes[1];
  const c = bytes[2];
  const d = bytes[3];
  if (a === 0xef && b === 0xbb && c === 0xbf) return { charset: "utf-8", length: 3 };
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? { charset: "utf-32le", length: 4 } : { charset: "utf-16le", length: 2 };
  if (a === 0xfe && b === 0xff) return { charset: "utf-16be", length: 2 };
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? { charset: "utf-32be", length: 4 } : undefined;
}

export const headerCharset = (contentType: string | undefined): string | undefined =>
  contentType === undefined ? undefined : labelled(contentType);

/** The first charset of a Content-Type header that names an encoding; joined headers are cut at the comma. */
const labelled = perLabel((contentType) => {
  const semicolon = contentType.indexOf(";");
  if (semicolon < 0) return undefined;
  for (const [name, value] of readParameters(contentType.slice(0, MAX_HEADER), semicolon)) {
    if (name !== "charset") continue;
    const encoding = encodingFromLabel(value.split(",", 1)[0] ?? "");
    if (encoding !== undefined) return encoding;
  }
  return undefined;
});

function declared(bytes: Uint8Array, kind: Kind): string | undefined {
  if (kind === "html") return prescan(bytes);
  if (kind === "text") return undefined;
  return xmlDeclaration(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString("latin1"));
}
