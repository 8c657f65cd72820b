/**
 * A small XML scanner for sitemaps and feeds. It never expands entities declared in a document type, so external
 * entities and "billion laughs" have no effect. Broken files are read up to the error, because they are common.
 */

export interface XmlListener {
  /** `tag` is the text inside the tag, for `attributeOf`. */
  open(name: string, tag: string): void;
  close(name: string): void;
  /** Called only while `wantsText`. */
  text(text: string): void;
  readonly wantsText: boolean;
}

/** Longer than any URL, date or title. */
const MAX_TEXT = 8192;

/** Replaces an entity with unknown text: a value that contains it is ignored. */
export const UNKNOWN = "\u0000";

export function readXml(xml: string, listener: XmlListener): void {
  let hasOwnEntities = false;
  let at = 0;
  while (at < xml.length) {
    const start = xml.indexOf("<", at);
    if (start !== at && listener.wantsText) {
      const end = Math.min(start < 0 ? xml.length : start, at + MAX_TEXT);
      listener.text(decodeEntities(xml.slice(at, end), hasOwnEntities));
    }
    if (start < 0) return;
    if (xml.startsWith("<![CDATA[", start)) {
      const end = endOf(xml, "]]>", start);
      if (listener.wantsText) listener.text(xml.slice(start + 9, Math.min(end - 3, start + MAX_TEXT)));
      at = end;
    } else if (xml.startsWith("<!--", start)) {
      at = endOf(xml, "-->", start + 2);
    } else if (xml.startsWith("<?", start)) {
      at = endOf(xml, "?>", start);
    } else if (xml.startsWith("<!", start)) {
      at = endOfDeclaration(xml, start);
      hasOwnEntities ||= /<!ENTITY\s+[^\s%]+\s+["']/.test(xml.slice(start, Math.min(at, start + 65_536)));
    } else {
      at = readTag(xml, start, listener);
    }
  }
}

function endOf(xml: string, mark: string, from: number): number {
  const end = xml.indexOf(mark, from);
  return end < 0 ? xml.length : end + mark.length;
}

function endOfDeclaration(xml: string, start: number): number {
  const end = endOf(xml, ">", start);
  const subset = xml.slice(start, end).indexOf("[");
  if (subset < 0) return end;
  const close = xml.slice(start + subset).search(/\]\s{0,100}>/);
  return close < 0 ? xml.length : endOf(xml, ">", start + subset + close);
}

const quoteOrEnd = /["'>]/g;

function readTag(xml: string, start: number, listener: XmlListener): number {
  let end = start;
  for (;;) {
    quoteOrEnd.lastIndex = end + 1;
    const stop = quoteOrEnd.exec(xml);
    if (stop === null) return xml.length;
    end = stop.index;
    if (stop[0] === ">") break;
    const closing = xml.indexOf(stop[0], end + 1);
    if (closing < 0) return xml.length;
    end = closing;
  }
  const isEnd = xml[start + 1] === "/";
  const tag = xml.slice(start + (isEnd ? 2 : 1), end);
  const name = /^[^\s/]{0,256}/.exec(tag)![0];
  if (isEnd) listener.close(name);
  else {
    listener.open(name, tag);
    if (tag.endsWith("/")) listener.close(name);
  }
  return end + 1;
}

export function attributeOf(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s{0,100}=\\s{0,100}(?:"([^"]*)"|'([^']*)')`).exec(tag);
  const value = match?.[1] ?? match?.[2];
  return value === undefined ? undefined : decodeEntities(value, false);
}

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** A bare ampersand stays, because URLs with unescaped queries are common. Unknown entities become empty. */
function decodeEntities(text: string, hasOwnEntities: boolean): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#[xX]([0-9a-fA-F]{1,8})|#(\d{1,8})|([A-Za-z_][\w.-]{0,63}));/g,
    (_, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named.get(name) ?? (hasOwnEntities ? UNKNOWN : "");
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
    },
  );
}
