/**
 * Detects the type of a body, based on the WHATWG MIME Sniffing standard. Binary data labelled as text is recognised. A
 * missing or generic label is corrected: plain text or a byte stream that begins as a whole HTML document is HTML, and a
 * file with a Markdown extension may be labelled as HTML. "binary" is everything that this folder does not read.
 */
import type { DocumentType } from "../../core/records.ts";
import { parseHttp } from "../url/index.ts";
import { byteOrderMark, headerCharset } from "./charset.ts";
import { parseMime, perLabel } from "./mime.ts";

const SAMPLE = 1445;

export function sniffType(bytes: Uint8Array, contentType: string | undefined, url: string): DocumentType {
  const essence = contentType === undefined ? undefined : essenceOf(contentType);
  const label = essence === undefined || unknownTypes.has(essence) ? undefined : essence;
  const isStream = label !== undefined && streamTypes.has(label);
  if (label !== undefined && !isReadable(label) && !isStream) return "binary";
  const isMarked = byteOrderMark(bytes) !== undefined || headerCharset(contentType)?.startsWith("utf-16") === true;
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SAMPLE)).toString("latin1");
  if (!isMarked && (signatures.test(sample) || hasOddBytes(bytes, label !== undefined))) return "binary";

  const root = isMarked ? sample.replaceAll("\0", "") : sample;
  const path = pathOf(url);
  const isNamedMarkdown = /\.(?:md|markdown)$/i.test(path);
  if (label === "text/markdown" || label === "text/x-markdown") return "markdown";
  if (isStream || label === undefined || label === "text/plain") {
    if (isNamedMarkdown && (label !== undefined || !startsAsDocument(root))) return "markdown";
    // A file named .txt is meant to be shown as text, even if it contains HTML.
    if (label !== undefined && startsAsDocument(root) && !/\.(?:txt|text)$/i.test(path)) return "html";
    if (label !== undefined) return isStream ? "binary" : "text";
  } else if (label.startsWith("text/") && label !== "text/html" && label !== "text/xml") {
    return "text";
  }
  if (label === "text/html" && isNamedMarkdown && isWrittenAsMarkdown(root)) return "markdown";
  return xmlType(root) ?? (label === "text/html" || label === "application/xhtml+xml" || startsAsHtml(root) ? "html" : withoutRoot(label));
}

const essenceOf = perLabel((contentType) => parseMime(contentType.split(",", 1)[0] ?? "")?.essence);

/** Types that servers send for unknown file extensions. */
const streamTypes = new Set(["application/octet-stream", "binary/octet-stream"]);

const unknownTypes = new Set(["unknown/unknown", "application/unknown", "*/*"]);

function isReadable(essence: string): boolean {
  if (essence === "text/css" || essence.endsWith("/javascript") || essence.endsWith("/ecmascript")) return false;
  return essence.startsWith("text/") || essence === "application/xml" || (essence.endsWith("+xml") && essence !== "image/svg+xml");
}

/** XML that is not a feed, sitemap or page cannot be read. */
function withoutRoot(label: string | undefined): DocumentType {
  return label === undefined ? "text" : "binary";
}

const signatures =
  /^(?:%PDF-|\x89PNG|GIF8[79]a|\xff\xd8\xff|PK\x03\x04|PK\x05\x06|\x1f\x8b|BZh[1-9]|\xfd7zXZ|7z\xbc\xaf|Rar!\x1a|RIFF....(?:WEBP|WAVE|AVI )|\xd0\xcf\x11\xe0|\x7fELF|\xca\xfe\xba\xbe|wOF[F2]|OggS|ID3|fLaC|\x00\x00\x01\x00|....ftyp|\x00asm|\x1aE\xdf\xa3|BM....\x00\x00|%!PS-|\x28\xb5\x2f\xfd)/s;

/** MIME Sniffing §3 "binary data byte". Labelled text may contain a few by mistake; unlabelled text must not. */
function hasOddBytes(bytes: Uint8Array, isLabelled: boolean): boolean {
  const length = Math.min(bytes.length, SAMPLE);
  let odd = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at]!;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b) odd += 1;
  }
  return odd > (isLabelled ? length / 10 : 0);
}

/** MIME Sniffing §7.1, "identifying a resource with an unknown MIME type". */
const startsAsHtml = (sample: string) =>
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s>]/i.test(
    sample,
  );

/** A whole document, not an HTML example: only white space and comments may precede the doctype or root element. */
const startsAsDocument = (sample: string) =>
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:[\t\n\f\r ]|<!--(?:[^-]|-(?!->))*-->)*<(?:!doctype html|html)[\s>]/i.test(sample);

/** Headings, fences, links or lists without an HTML document around them. Markdown may begin with some HTML. */
const isWrittenAsMarkdown = (sample: string) =>
  !startsAsDocument(sample) &&
  !/<(?:head|body)[\s>]/i.test(sample) &&
  /^(?:#{1,6} \S|```|~~~|[*+-] \S|\d{1,3}\. \S|(?:=|-){3,}[ \t]*$)|\]\([^()\s]+\)/m.test(sample);

/** By the root element, after XML declaration, comments and doctype. */
function xmlType(sample: string): DocumentType | undefined {
  let at = 0;
  for (;;) {
    at = sample.indexOf("<", at);
    if (at < 0) return undefined;
    if (sample.startsWith("<!--", at)) at = sample.indexOf("-->", at + 4);
    else if (sample[at + 1] === "?" || sample[at + 1] === "!") at = sample.indexOf(">", at);
    else break;
    if (at < 0) return undefined;
  }
  const name = /^<(?:[\w-]{1,32}:)?([\w-]{1,32})/.exec(sample.slice(at))?.[1];
  if (name === "urlset" || name === "sitemapindex") return "sitemap";
  if (name === "rss" || name === "feed" || name === "RDF") return "feed";
  return name?.toLowerCase() === "html" ? "html" : undefined;
}

function pathOf(url: string): string {
  return parseHttp(url)?.pathname ?? "";
}
