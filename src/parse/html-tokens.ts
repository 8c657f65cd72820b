/** The only file that knows the parser library. It turns HTML into a stream of the elements that matter, with their text. */
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { Tokenizer } from "htmlparser2";
import { type ElementKind, elements } from "./elements.ts";

export interface HtmlListener {
  /** `attributes` is reused for the next element: take what is needed now. */
  open(kind: ElementKind, attributes: ReadonlyMap<string, string>): void;
  close(kind: ElementKind): void;
  /** The text between two places, not yet copied, because most of it is white space between tags. */
  text(source: string, start: number, end: number): void;
  /** Inside SVG, script and title are ordinary elements. */
  readonly isForeign: boolean;
  /** In scripts and styles an entity is not an entity. */
  readonly isVerbatim: boolean;
}

const noAttributes: ReadonlyMap<string, string> = new Map();

export function readHtml(html: string, listener: HtmlListener): void {
  const attributes = new Map<string, string>();
  let kind: ElementKind | undefined;
  let name = "";
  let value = "";
  let ampersand = -1;

  const text = (start: number, end: number) => {
    if (ampersand < start) ampersand = html.indexOf("&", start);
    if (ampersand < 0) ampersand = html.length;
    if (ampersand >= end || listener.isVerbatim) return listener.text(html, start, end);
    const decoded = decodeHTML(html.slice(start, end));
    listener.text(decoded, 0, decoded.length);
  };
  const endTag = () => {
    if (kind !== undefined) listener.open(kind, kind.hasAttributes ? attributes : noAttributes);
    kind = undefined;
  };
  const ignore = () => {};

  // The tokenizer skips from tag to tag only if it need not look for entities; few texts have any.
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname(start, end) {
        kind = lookUp(html, start, end);
        if (kind?.hasAttributes) attributes.clear();
      },
      onattribname(start, end) {
        if (!kind?.hasAttributes) return;
        name = html.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        if (kind?.hasAttributes) value += html.slice(start, end);
      },
      onattribend() {
        if (kind?.hasAttributes && !attributes.has(name)) attributes.set(name, value.includes("&") ? decodeHTMLAttribute(value) : value);
      },
      onopentagend: endTag,
      onselfclosingtag() {
        const closed = kind?.name === "svg" ? kind : undefined;
        endTag();
        // Only foreign elements can close themselves (WHATWG HTML §13.2.6.5).
        if (closed !== undefined) listener.close(closed);
      },
      onclosetag(start, end) {
        const closed = lookUp(html, start, end);
        if (closed !== undefined) listener.close(closed);
      },
      ontext: text,
      isInForeignContext: () => listener.isForeign,
      oncdata: (start, end) => listener.text(html, start, end),
      onattribentity: ignore,
      ontextentity: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

/** No listed element has a longer name; longer ones need no copy. */
const LONGEST = 10;

function lookUp(html: string, start: number, end: number): ElementKind | undefined {
  if (end - start > LONGEST) return undefined;
  const name = html.slice(start, end);
  return elements.get(name) ?? (/[A-Z]/.test(name) ? elements.get(name.toLowerCase()) : undefined);
}
