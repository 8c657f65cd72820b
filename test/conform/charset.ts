/** Maps cases of the `charset` set onto the parse room. */
import { decodeBytes, encodingFromLabel, headerCharset, type Mime, parseMime, prescan } from "../../src/analysis/parse/index.ts";

interface CharsetCase {
  kind: string;
  input: string;
  header: string;
  contentType: string | null;
  bodyB64: string;
  fallback: string;
  expected: unknown;
}

export function check(caseRow: unknown): boolean | undefined {
  const row = caseRow as CharsetCase;
  switch (row.kind) {
    case "label":
      return (encodingFromLabel(row.input) ?? null) === (row.expected === null ? null : String(row.expected).toLowerCase());
    case "prescan":
      return declared(row) === row.expected;
    case "metaEffect": {
      const expected = String(row.expected);
      return expected.startsWith("not:") ? declared(row) !== expected.slice(4) : declared(row) === expected;
    }
    case "declared":
      return isSame(prescan(bytesOf(row)), row.expected);
    case "contentTypeCharset":
      return isSame(headerCharset(row.header.replace(/^content-type:\s*/i, "")), row.expected);
    case "mime":
      return checkMime(row.input, row.expected as { output: string | null; encoding: string | null });
    case "decode": {
      const expected = row.expected as { encoding: string; text: string };
      const decoded = decodeBytes(bytesOf(row), row.contentType?.replace(/^content-type:\s*/i, ""), "html");
      return decoded.text === expected.text && isSame(decoded.charset, expected.encoding);
    }
    default:
      return undefined;
  }
}

const bytesOf = (row: CharsetCase) => new Uint8Array(Buffer.from(row.bodyB64, "base64"));

/** The encoding of a body that has no header: its byte order mark, what it declares, or the case's own fallback. */
function declared(row: CharsetCase): string {
  const bytes = bytesOf(row);
  const hasMark = (bytes[0] ?? 0) >= 0xef;
  return hasMark ? decodeBytes(bytes, undefined, "html").charset : (prescan(bytes) ?? row.fallback);
}

// The source spells names as Python does, and reads gbk and gb2312 as their superset.
function isSame(actual: string | undefined, expected: unknown): boolean {
  if (expected === null) return actual === undefined;
  const label = String(expected).replace(/^(utf-\d\d)-/, "$1");
  const name = encodingFromLabel(label) ?? label;
  return actual === name || (actual === "gbk" && name === "gb18030");
}

function checkMime(input: string, expected: { output: string | null; encoding: string | null }): boolean {
  const mime = parseMime(input);
  if (expected.output === null) return mime === undefined;
  if (mime === undefined || serialise(mime) !== expected.output) return false;
  const label = mime.parameters.get("charset");
  return ((label === undefined ? undefined : encodingFromLabel(label)) ?? null) === (expected.encoding?.toLowerCase() ?? null);
}

function serialise(mime: Mime): string {
  let text = mime.essence;
  for (const [name, value] of mime.parameters) {
    const isToken = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/.test(value);
    text += `;${name}=${isToken ? value : `"${value.replace(/["\\]/g, "\\$&")}"`}`;
  }
  return text;
}
