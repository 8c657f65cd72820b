/**
 * The encoding that a document declares in its first bytes: <meta> as browsers look for it, then the XML declaration.
 * The standard's prescan (WHATWG HTML §13.2.3.2) reads 1024 bytes; browsers read on while they are in the head, and
 * ignore declarations inside scripts and styles. We do as browsers do.
 */
import { encodingFromLabel } from "./encoding.ts";

const LIMIT = 256 * 1024;
const ALWAYS = 1024;
/** In most documents the declaration, or the end of the head, is within this many bytes. */
const USUAL = 8 * 1024;
/** Limit on meta elements with unknown encodings. */
const MAX_BOGUS = 16;

const headElements = new Set(["script", "noscript", "style", "link", "meta", "object", "title", "base"]);
const rawEnds = new Map(
  ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"].map((name) => [
    name,
    new RegExp(`</${name}[\\s/>]`, "gi"),
  ]),
);

export function prescan(bytes: Uint8Array): string | undefined {
  const text = latin1(bytes, USUAL);
  if (text.startsWith("<\0?\0x\0")) return "utf-16le";
  if (text.startsWith("\0<\0?\0x")) return "utf-16be";
  const found = scanTags(text);
  const isCut = found === END_OF_TEXT && bytes.byteLength > USUAL;
  const label = isCut ? scanTags(latin1(bytes, LIMIT)) : found;
  return typeof label === "string" ? label : xmlDeclaration(text);
}

const latin1 = (bytes: Uint8Array, most: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, most)).toString("latin1");

/** The encoding named by an XML declaration at the very start. */
export function xmlDeclaration(text: string): string | undefined {
  const declaration = /^<\?xml\s([^>]*)>/.exec(text.slice(0, ALWAYS))?.[1] ?? "";
  const label = /\bencoding\s*=\s*["']\s*([\w.:-]+)/.exec(declaration)?.[1];
  const encoding = label === undefined ? undefined : encodingFromLabel(label);
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

/** The text ended before the scan was complete. */
const END_OF_TEXT = Symbol("end of text");

function scanTags(text: string): string | undefined | typeof END_OF_TEXT {
  let inHead = true;
  let bogus = 0;
  let at = text.indexOf("<");
  while (at >= 0 && (inHead || at < ALWAYS)) {
    if (text.startsWith("<!--", at)) {
      at = text.indexOf("-->", at + 2);
    } else if (/[a-z]/i.test(text[at + 1] ?? "") || (text[at + 1] === "/" && /[a-z]/i.test(text[at + 2] ?? ""))) {
      const isEnd = text[at + 1] === "/";
      const tag = readTag(text, at + (isEnd ? 2 : 1));
      if (tag === undefined) return END_OF_TEXT;
      if (tag.name === "meta" && !isEnd) {
        const label = labelOf(tag.attributes);
        const encoding = label === undefined ? undefined : encodingOfMeta(label);
        if (encoding !== undefined) return encoding;
        if (label !== undefined) bogus += 1;
        if (bogus > MAX_BOGUS) return undefined;
      }
      if (!headElements.has(tag.name) && (isEnd || (tag.name !== "html" && tag.name !== "head"))) inHead = false;
      at = tag.end;
      const rawEnd = isEnd ? undefined : rawEnds.get(tag.name);
      if (rawEnd !== undefined) at = indexOfPattern(text, rawEnd, at);
      if (rawEnd !== undefined && at >= 0) continue;
    } else if (/[!/?]/.test(text[at + 1] ?? "")) {
      at = text.indexOf(">", at);
    } else {
      at += 1;
    }
    if (at < 0) return END_OF_TEXT;
    at = text.indexOf("<", at);
  }
  return at < 0 ? END_OF_TEXT : undefined;
}

function indexOfPattern(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

interface Tag {
  name: string;
  attributes: Map<string, string>;
  end: number;
}

const nameEnd = /[\t\n\f\r />]/g;
const gap = /[\t\n\f\r /]*/y;
const attribute =
  /([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)|(?=>)|(.?)))?/sy;

/** WHATWG HTML §13.2.3.2 "get an attribute"; undefined if the tag does not end, because a browser would wait for more input. */
function readTag(text: string, from: number): Tag | undefined {
  const nameStop = indexOfPattern(text, nameEnd, from);
  if (nameStop < 0) return undefined;
  const attributes = new Map<string, string>();
  let at = nameStop;
  for (;;) {
    gap.lastIndex = at;
    gap.test(text);
    at = gap.lastIndex;
    if (text[at] === ">") return { name: text.slice(from, nameStop).toLowerCase(), attributes, end: at };
    attribute.lastIndex = at;
    const match = attribute.exec(text);
    // Group 5 is an unclosed quote, which extends to the end of the document.
    if (match === null || match[5] !== undefined) return undefined;
    const name = match[1]!.toLowerCase();
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? "");
    at = attribute.lastIndex;
  }
}

function labelOf(attributes: Map<string, string>): string | undefined {
  const isPragma = attributes.get("http-equiv")?.toLowerCase() === "content-type";
  return attributes.get("charset") ?? (isPragma ? charsetInContent(attributes.get("content") ?? "") : undefined);
}

/** The meta was read as ASCII, so the document cannot be UTF-16 (WHATWG HTML §13.2.3.2). */
function encodingOfMeta(label: string): string | undefined {
  const encoding = encodingFromLabel(label);
  if (encoding === "utf-16le" || encoding === "utf-16be") return "utf-8";
  return encoding === "x-user-defined" ? "windows-1252" : encoding;
}

/** WHATWG HTML §2.5.5: `text/html; charset=…` in a meta element. */
function charsetInContent(content: string): string | undefined {
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(content);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}
