/** Encodings by the WHATWG Encoding standard: names from labels, text from bytes, and bytes for the query of a URL. */
import { isAscii, isUtf8, transcode } from "node:buffer";
import { createRequire } from "node:module";
import { TextDecoder } from "node:util";
import type Iconv from "iconv-lite";
import { trimAscii } from "./markdown/tidy.ts";

let tables: typeof Iconv | undefined;

/** Loaded on demand: few pages need encodings that Node does not support. */
function iconv(): typeof Iconv {
  tables ??= createRequire(import.meta.url)("iconv-lite") as typeof Iconv;
  return tables;
}

// Labels of the standard (§4.2) that Node's TextDecoder does not support.
const missingLabels = new Map([
  ["x-user-defined", "x-user-defined"],
  ["iso-8859-16", "iso-8859-16"],
  ...["replacement", "csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"].map(
    (label) => [label, "replacement"] as const,
  ),
]);

const known = new Map(missingLabels);

/** The standard's name of the encoding, in lower case. */
export function encodingFromLabel(label: string): string | undefined {
  const wanted = trimAscii(label).toLowerCase();
  const name = known.get(wanted);
  if (name !== undefined) return name;
  // No label is longer than 19 letters. The check avoids expensive exceptions, and keeps remote labels from filling the cache.
  if (wanted.length > 24 || !/^[\w:.-]+$/.test(wanted)) return undefined;
  try {
    const { encoding } = new TextDecoder(wanted);
    known.set(wanted, encoding);
    return encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const decoders = new Map<string, TextDecoder>();

export function decode(bytes: Uint8Array, encoding: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (encoding) {
    case "utf-8":
      return decodeUtf8(bytes);
    case "windows-1252":
      return decodeWindows1252(buffer);
    case "x-user-defined":
      return buffer.toString("latin1").replace(/[\x80-\xff]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xf700));
    case "replacement":
      return bytes.length === 0 ? "" : "\ufffd";
    case "iso-8859-16":
    case "utf-32le":
    case "utf-32be":
      return iconv().decode(buffer, encoding, { stripBOM: false });
  }
  let decoder = decoders.get(encoding);
  if (decoder === undefined) {
    decoder = new TextDecoder(encoding, { ignoreBOM: true });
    decoders.set(encoding, decoder);
  }
  return decoder.decode(bytes);
}

/** Node's `toString("utf8")` is much slower than the other two; it is used only for invalid UTF-8, which it repairs. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString("latin1");
  return isUtf8(buffer) ? transcode(buffer, "utf8", "utf16le").toString("utf16le") : buffer.toString("utf8");
}

const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

// Several Node versions decode windows-1252 as if it were ISO-8859-1, so the 27 letters that differ are set here.
function decodeWindows1252(buffer: Buffer): string {
  return buffer.toString("latin1").replace(/[\x80-\x9f]/g, (c) => windows1252[c.charCodeAt(0) - 0x80] ?? c);
}

/** Percent-encodes the non-ASCII letters of a query in the document's encoding (WHATWG URL §1.3, Encoding §4.3). */
export function encodeQuery(query: string, encoding: string): string {
  if (encoding === "utf-8" || encoding.startsWith("utf-") || !iconv().encodingExists(encoding)) return query;
  return query.replace(/[^\x00-\x7f]/gu, (letter) => {
    const bytes = iconv().encode(letter, encoding);
    if (bytes.length === 1 && bytes[0] === 0x3f) return `%26%23${letter.codePointAt(0)}%3B`;
    let out = "";
    for (const byte of bytes) {
      const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x23 && byte !== 0x27 && byte !== 0x3c && byte !== 0x3e;
      out += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    }
    return out;
  });
}
