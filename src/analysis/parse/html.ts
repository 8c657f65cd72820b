/** Reads a page in one pass: its links with the visible text around them, its main text, and its declared metadata. */

import { isOwnKey, isPath, isPlain, originOf } from "../url/index.ts";
import type { Attributes } from "./attributes.ts";
import { BlockText } from "./block-text.ts";
import { CONTEXT, newLink, type ParsedDocument, type ParsedLink } from "./document.ts";
import { type ElementKind, elements, OpenElements } from "./elements.ts";
import { embeddedLinks } from "./embedded.ts";
import { Head } from "./head.ts";
import { type HtmlListener, readHtml } from "./html-tokens.ts";
import { cut, tidy } from "./markdown/tidy.ts";
import { kindOfRel } from "./rel.ts";
import { baseInForce, createResolver } from "./resolve.ts";
import { kindOfScript, type ScriptKind } from "./script-state.ts";

/** Limit on the text collected for one link; an anchor that is never closed must not swallow the page. */
const MAX_GATHERED = 2000;
/** A page with scripts but with less main text and fewer links than this probably needs its scripts to run. */
const NEXT_TO_NO_TEXT = 200;
const HARDLY_A_LINK = 3;

const svg = elements.get("svg")!;
const noscript = elements.get("noscript")!;
const innerHeader = elements.get("header/article")!;
const sectioning = ["article", "main", "section"].map((name) => elements.get(name)!);

export interface HtmlOptions {
  readonly url: string;
  readonly charset: string;
  readonly embeddedLinks: boolean;
  readonly withText: boolean;
}

export function parseHtml(utf8: Uint8Array, options: HtmlOptions): ParsedDocument {
  const reader = new PageReader(options);
  readHtml(utf8, reader);
  return reader.finish(options.url, options.charset);
}

export class PageReader implements HtmlListener {
  readonly #head = new Head();
  readonly #links: ParsedLink[] = [];
  readonly #blocks: string[] = [];
  readonly #noscriptBlocks: string[] = [];
  readonly #block = new BlockText();
  readonly #open = new OpenElements();
  readonly #wantsEmbedded: boolean;
  /** If false, only the text of headings is read, because one of them may be the title. */
  readonly #wantsText: boolean;
  #waiting: ParsedLink[] = [];
  #anchor: ParsedLink | undefined;
  #anchorText = "";
  #anchorAlt = "";
  #anchorLabel = "";
  #heading = "";
  #openHeading: { name: string; text: string; firstLink: number } | undefined;
  #raw: ElementKind | undefined;
  #rawText: string | undefined;
  #script: ScriptKind | undefined;
  #scripts = 0;
  #mainLength = 0;
  #mainLinks = 0;
  #noscriptLength = 0;

  constructor({ embeddedLinks, withText }: HtmlOptions) {
    this.#wantsEmbedded = embeddedLinks;
    this.#wantsText = withText;
  }

  get isForeign(): boolean {
    return this.#open.mute > 0 && this.#open.has(svg);
  }

  get wantsText(): boolean {
    if (this.#raw !== undefined) return this.#rawText !== undefined;
    return this.#open.mute === 0 && (this.#wantsText || this.#openHeading !== undefined);
  }

  get isVerbatim(): boolean {
    return this.#raw !== undefined && this.#raw.name !== "title" && this.#raw.name !== "textarea";
  }

  text(source: string, start: number, end: number): void {
    if (!this.wantsText) return;
    if (this.#rawText !== undefined) this.#rawText += source.slice(start, end);
    else {
      const added = this.#block.add(source, start, end);
      if (added !== undefined && this.#anchor !== undefined && this.#anchorText.length < MAX_GATHERED) this.#anchorText += added;
    }
  }

  open(kind: ElementKind, attributes: Attributes): void {
    if (kind.isBlock) {
      // HTML elements close an SVG that was left open (WHATWG HTML §13.2.6.5).
      if (this.isForeign) this.#open.popTo(svg);
      this.#endBlock();
    }
    if (kind.isStacked) this.#push(kind);
    if (this.#open.inert > 0) return;
    switch (kind.name) {
      case "a":
        this.#openAnchor(attributes);
        break;
      case "area":
      case "iframe":
        this.#addElement(kind, attributes);
        break;
      case "img":
        if (this.#anchor !== undefined && this.#anchorAlt === "") this.#anchorAlt = attributes.get("alt") ?? "";
        break;
      case "br":
        this.text("\n", 0, 1);
        break;
      case "html":
        this.#head.heardHtml(attributes);
        break;
      case "base":
        if (!this.isForeign) this.#head.heardBase(attributes);
        break;
      case "meta":
        this.#openMeta(attributes);
        break;
      case "link":
        this.#openLink(attributes);
        break;
    }
    if (kind.isRaw && !this.isForeign) this.#openRaw(kind, attributes);
    else if (kind.isHeading) {
      this.#closeHeading();
      this.#openHeading = { name: kind.name, text: "", firstLink: this.#links.length };
    }
  }

  close(kind: ElementKind): void {
    if (this.#raw !== undefined) this.#closeRaw(kind);
    if (kind.name === "a") this.#closeAnchor();
    if (kind.isBlock) this.#endBlock();
    if (kind.isHeading) this.#closeHeading();
    if (kind.name === "header" && this.#open.has(innerHeader)) this.#open.popTo(innerHeader);
    else if (kind.isStacked) this.#open.popTo(kind);
  }

  finish(url: string, charset: string): ParsedDocument {
    this.#closeRaw(this.#raw);
    this.#closeAnchor();
    this.#endBlock();
    this.#closeHeading();
    const head = this.#head;
    const base = baseInForce(url, head.baseHref, charset);
    const resolve = createResolver(base, charset);
    const origin = originOf(base);
    for (const link of this.#links) {
      const { href } = link;
      link.isPlain = isPlain(href) && isOwnKey(href) && (origin !== "" || !isPath(href));
      link.url = !link.isPlain ? resolve(href) : isPath(href) ? origin + href : href;
    }
    const target = head.refresh?.url;
    const isBare = this.#wantsText && this.#mainLength < NEXT_TO_NO_TEXT && this.#mainLinks < HARDLY_A_LINK;
    // Forums and others put their whole content into <noscript> for clients without scripts.
    const isForUs = isBare && this.#noscriptLength >= NEXT_TO_NO_TEXT;
    const blocks = isForUs ? [...this.#blocks, ...this.#noscriptBlocks] : this.#blocks;
    return {
      type: "html",
      charset,
      base,
      title: head.title,
      description: head.description,
      pageType: head.type,
      lang: head.lang,
      canonical: head.canonicalHref === undefined ? undefined : resolve(head.canonicalHref),
      robots: head.robots,
      refresh: head.refresh && { seconds: head.refresh.seconds, url: typeof target === "string" ? resolve(target) : undefined },
      links: this.#links,
      text: blocks.join("\n"),
      blocks,
      hasScripts: this.#scripts > 0,
      looksScripted: this.#scripts > 0 && isBare && !isForUs,
      tree: undefined,
      sitemap: undefined,
    };
  }

  #push(kind: ElementKind): void {
    if (kind.endsItself && this.#open.top === kind) this.#open.popTo(kind);
    const isInner = kind.name === "header" && sectioning.some((outer) => this.#open.has(outer));
    this.#open.push(isInner ? innerHeader : kind);
  }

  #add(link: ParsedLink): void {
    link.heading = this.#heading;
    if (this.#open.chrome === 0) this.#mainLinks += 1;
    this.#links.push(link);
    if (this.#wantsText) this.#waiting.push(link);
  }

  #openAnchor(attributes: Attributes): void {
    this.#closeAnchor();
    const href = attributes.get("href");
    if (href === undefined) return;
    const link = this.#newLink("a", href, attributes);
    this.#add(link);
    this.#anchor = link;
    this.#anchorText = "";
    this.#anchorAlt = "";
    this.#anchorLabel = this.#wantsText ? (attributes.get("aria-label") ?? "") : "";
  }

  #closeAnchor(): void {
    if (this.#anchor === undefined) return;
    if (this.#wantsText) this.#anchor.text = cut(tidy(this.#anchorText) || tidy(this.#anchorAlt) || tidy(this.#anchorLabel), CONTEXT);
    this.#anchor = undefined;
  }

  #addElement(kind: ElementKind, attributes: Attributes): void {
    const href = attributes.get(kind.name === "area" ? "href" : "src");
    if (href === undefined) return;
    const link = this.#newLink(kind.name === "area" ? "area" : "iframe", href, attributes);
    link.text = cut(tidy(attributes.get("alt") ?? ""), CONTEXT);
    this.#add(link);
  }

  #openMeta(attributes: Attributes): void {
    if (this.isForeign) return;
    const refresh = this.#head.heardMeta(attributes, this.#open.has(noscript));
    if (typeof refresh?.url === "string") this.#add(newLink("refresh", refresh.url, this.#links.length));
  }

  #openLink(attributes: Attributes): void {
    const href = attributes.get("href");
    const rel = attributes.get("rel");
    const kind = href === undefined || rel === undefined ? undefined : kindOfRel(rel, attributes.get("type") ?? "");
    if (href === undefined || kind === undefined) return;
    if (kind === "canonical") this.#head.canonicalHref ??= href.trim();
    const link = this.#newLink(kind, href, attributes);
    link.text = link.title;
    this.#links.push(link);
  }

  #newLink(kind: ParsedLink["kind"], href: string, attributes: Attributes): ParsedLink {
    const link = newLink(kind, href, this.#links.length);
    const title = this.#wantsText ? attributes.get("title") : undefined;
    if (title !== undefined) link.title = cut(tidy(title), CONTEXT);
    const rel = attributes.get("rel");
    if (rel !== undefined) link.rel = cut(tidy(rel.toLowerCase()), CONTEXT);
    return link;
  }

  /** A block ends where a block element starts or ends. Its text becomes the context of the links inside it. */
  #endBlock(): void {
    const text = this.#block.take();
    if (text !== "") {
      if (this.#wantsText) this.#keepBlock(text);
      if (this.#openHeading !== undefined && this.#openHeading.text.length < CONTEXT) this.#openHeading.text += ` ${text}`;
      if (this.#anchorText !== "") this.#anchorText += " ";
      for (const link of this.#waiting) link.block = cut(text, CONTEXT);
    }
    // An anchor around whole blocks waits for the first block with text.
    if (this.#waiting.length > 0) this.#waiting = text === "" && this.#anchor?.block === "" ? [this.#anchor] : [];
  }

  #keepBlock(text: string): void {
    const { chrome } = this.#open;
    if (chrome === 0) {
      this.#blocks.push(text);
      this.#mainLength += text.length;
    } else if (chrome === this.#open.count(noscript)) {
      this.#noscriptBlocks.push(text);
      this.#noscriptLength += text.length;
    }
  }

  #closeHeading(): void {
    const heading = this.#openHeading;
    this.#openHeading = undefined;
    const text = heading === undefined ? "" : cut(tidy(heading.text), CONTEXT);
    if (heading === undefined || text === "") return;
    if (heading.name === "h1") this.#head.heardTitle("h1", text);
    this.#heading = text;
    for (let at = heading.firstLink; at < this.#links.length; at += 1) this.#links[at]!.heading = text;
  }

  #openRaw(kind: ElementKind, attributes: Attributes): void {
    this.#raw = kind;
    if (kind.name === "title") this.#rawText = "";
    if (kind.name !== "script") return;
    const script = kindOfScript(attributes.get("type") ?? "");
    if (script === undefined || script === "script") this.#scripts += 1;
    if (!this.#wantsEmbedded || (script === "script" && attributes.get("src") !== undefined)) return;
    this.#script = script;
    if (this.#script !== undefined) this.#rawText = "";
  }

  #closeRaw(kind: ElementKind | undefined): void {
    if (kind === undefined || kind !== this.#raw) return;
    const text = this.#rawText ?? "";
    if (kind.name === "title") this.#head.heardTitle("title", text);
    if (this.#script !== undefined) {
      for (const found of embeddedLinks(text, this.#script)) {
        const link = newLink("embedded", found.href, this.#links.length);
        link.text = found.text;
        link.heading = this.#heading;
        this.#links.push(link);
      }
    }
    this.#raw = undefined;
    this.#rawText = undefined;
    this.#script = undefined;
  }
}
