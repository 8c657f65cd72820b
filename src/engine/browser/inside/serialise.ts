import type { DomDocument, DomElement, DomGlobal, DomNode } from "./dom.ts";

export interface SerialiseSetup {
  /** Limit on the length of the result; nothing is returned if it is exceeded. */
  readonly cap: number;
  /** The URL that readers of the result assume for the document. */
  readonly url: string;
  /** Other URLs that the page tried to navigate to. */
  readonly targets: readonly string[];
}

/**
 * The live document as HTML. Shadow roots are written in place, with their slotted content; same-origin frames are
 * written after their element, with absolute links. Styles are omitted, and so are long scripts; short scripts stay for
 * their data. Iterative, so that nesting depth does not matter. Runs inside the page: must be self-contained.
 */
export function serialise({ cap, url, targets }: SerialiseSetup): string {
  const { window } = globalThis as unknown as DomGlobal;
  const { document } = window;
  const MAX_SCRIPT_LENGTH = 256 * 1024;
  const MAX_ATTRIBUTE_LENGTH = 64 * 1024;
  const empty = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  /** Elements whose text is not escaped. */
  const raw = new Set("noframes noembed xmp plaintext".split(" "));
  const places = new Set(["href", "src", "action"]);
  const parts: string[] = [];
  let size = 0;
  const append = (text: string) => {
    parts.push(text);
    size += text.length;
  };
  const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quoted = (text: string) => `"${text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;")}"`;
  const absolute = (href: string, base: string) => {
    try {
      return new URL(href, base).href;
    } catch {
      return href;
    }
  };
  /** Limit on computed styles: a style costs more than a tag. */
  let styleReadsLeft = 30_000;
  const neverMarked = new Set("head title script template iframe frame frameset slot".split(" "));
  const MARK = "data-nuthatch-hidden";
  const hasText = (element: DomElement) => {
    for (let child = element.firstChild; child; child = child.nextSibling)
      if (child.nodeType === 3 && /\S/.test(child.nodeValue ?? "")) return true;
    return false;
  };
  const numbersIn = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  /** Whether text has the colour of its background; false if the background is a picture or translucent. */
  const hasBackgroundColour = (element: DomElement, color: string) => {
    const textColour = numbersIn(color);
    if (textColour[3] !== undefined && textColour[3] < 0.05) return true;
    for (let at: DomElement | null = element; at; at = at.parentElement ?? at.getRootNode().host ?? null) {
      const { backgroundColor, backgroundImage, position } = window.getComputedStyle(at);
      if (backgroundImage !== "none" || /^(?:absolute|fixed)$/.test(position)) return false;
      const background = numbersIn(backgroundColor);
      const alpha = background[3] ?? 1;
      if (alpha < 0.1) continue;
      return alpha > 0.9 && [0, 1, 2].every((place) => Math.abs(textColour[place]! - background[place]!) <= 20);
    }
    return [0, 1, 2].every((place) => textColour[place]! >= 235);
  };
  /** How an element is hidden, by its computed style. Its position is read only if it has text of its own. */
  const hiddenBy = (element: DomElement): "display" | "unseen" | undefined => {
    const { body, documentElement } = document;
    if (styleReadsLeft <= 0 || !body || element === body || element === documentElement) return undefined;
    styleReadsLeft -= 1;
    const style = window.getComputedStyle(element);
    if (style.display === "none") return "display";
    if (Number(style.opacity) <= 0.05 || /^inset\((?:[5-9]\d|100)%/.test(style.clipPath) || /^circle\(0/.test(style.clipPath))
      return "unseen";
    if (style.position === "absolute" && /^rect\((?:[01]px[, ]*){4}\)/.test(style.clip)) return "unseen";
    if (!hasText(element)) return undefined;
    if (style.visibility !== "visible") return "display";
    if (Number.parseFloat(style.fontSize) <= 1 || Number.parseFloat(style.textIndent) <= -500) return "unseen";
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isCut = style.overflowX !== "visible" || style.overflowY !== "visible";
    if (isCut && right - left <= 1) return "unseen";
    if (isCut && bottom - top <= 1) return "display";
    const isSomewhere = right > left || bottom > top;
    if (isSomewhere && (right + window.scrollX <= 0 || bottom + window.scrollY <= 0)) return "unseen";
    return hasBackgroundColour(element, style.color) ? "unseen" : undefined;
  };
  const bare = (address: string) => address.replace(/#.*$/s, "");

  /** The rest of an open element: its remaining siblings or a list of nodes, and its end tag. */
  interface Open {
    next: DomNode | null;
    readonly list: readonly DomNode[] | undefined;
    at: number;
    readonly end: string;
    readonly isRaw: boolean;
    /** Inside a frame, where URLs have another base. */
    readonly isFramed: boolean;
  }
  const open: Open[] = [];
  const enter = (next: DomNode | null, end: string, isFramed: boolean, isRaw = false) =>
    open.push({ next, list: undefined, at: 0, end, isRaw, isFramed });
  const enterAll = (list: readonly DomNode[], end: string, isFramed: boolean) =>
    open.push({ next: null, list, at: 0, end, isRaw: false, isFramed });

  const tag = (element: DomElement, name: string, isFramed: boolean) => {
    let text = `<${name}`;
    const { attributes } = element;
    for (let at = 0; at < attributes.length; at += 1) {
      const { name: key, value } = attributes[at]!;
      if (key === "srcdoc" || key === MARK || value.length > MAX_ATTRIBUTE_LENGTH || !/^[^\s"'<>/=]{1,100}$/.test(key)) continue;
      const isPlace = (isFramed && places.has(key)) || (name === "base" && key === "href");
      text += ` ${key}=${quoted(isPlace ? absolute(value, isFramed ? element.baseURI : document.URL) : value)}`;
    }
    const hidden = neverMarked.has(name) || empty.has(name) ? undefined : hiddenBy(element);
    append(hidden === undefined ? `${text}>` : `${text} ${MARK}="${hidden}">`);
  };
  /** Scripts are kept for their data; long ones rarely contain any. */
  const script = (element: DomElement, name: string) => {
    const text = element.textContent ?? "";
    if (text.length <= MAX_SCRIPT_LENGTH && !/<\/script/i.test(text)) append(text);
    append(`</${name}>`);
  };
  const unslotted = (element: DomElement) => {
    const list: DomNode[] = [];
    for (let child = element.firstChild; child; child = child.nextSibling) if (!(child as DomElement).assignedSlot) list.push(child);
    return list;
  };
  const frame = (element: DomElement, end: string) => {
    append(end);
    let inner: DomDocument | null | undefined;
    try {
      inner = element.contentDocument;
    } catch {
      inner = undefined;
    }
    const body = inner?.body ?? inner?.documentElement;
    if (!body) return;
    append("<div>");
    enter(body.firstChild, "</div>", true);
  };

  const write = (element: DomElement, isFramed: boolean) => {
    const name = /^[a-z][\w.:-]{0,60}$/i.test(element.localName) ? element.localName : "span";
    // noscript content is not displayed where scripts run.
    if (name === "style" || name === "noscript") return;
    tag(element, name, isFramed);
    if (empty.has(name)) return;
    const end = `</${name}>`;
    if (name === "script") return script(element, name);
    if (name === "template") return append(end);
    if (name === "iframe" || name === "frame") return frame(element, end);
    if (name === "head" && !isFramed && bare(document.URL) !== bare(url) && document.querySelector("base[href]") === null)
      append(`<base href=${quoted(document.baseURI)}>`);
    const given = name === "slot" ? element.assignedNodes?.() : undefined;
    if (given && given.length > 0) return enterAll(given, end, isFramed);
    if (!element.shadowRoot) return enter(element.firstChild, end, isFramed, raw.has(name));
    enterAll(unslotted(element), end, isFramed);
    return enter(element.shadowRoot.firstChild, "", isFramed);
  };

  append("<!DOCTYPE html>");
  enter(document.documentElement === null ? null : document.firstChild, "", false);
  for (let top = open.at(-1); top !== undefined && size <= cap; top = open.at(-1)) {
    const node = top.list === undefined ? top.next : top.list[top.at];
    if (!node) {
      append(top.end);
      open.pop();
      continue;
    }
    if (top.list === undefined) top.next = node.nextSibling;
    else top.at += 1;
    if (node.nodeType === 1) write(node as DomElement, top.isFramed);
    else if (node.nodeType === 3) append(top.isRaw ? (node.nodeValue ?? "") : escaped(node.nodeValue ?? ""));
  }
  for (const target of targets) append(`<a href=${quoted(target)}></a>`);
  return size > cap ? "" : parts.join("");
}
