/**
 * Splits a page into parts for comparing two versions: each block with its zone and the names of its ancestors,
 * pictures, links and head data.
 */
import type { PagePart, PageParts, PartLink, Zone } from "../../core/records.ts";
import { CONTEXT, type ParsedDocument } from "./document.ts";
import type { HtmlElement, HtmlNode } from "./html-tree.ts";
import { cut, tidy } from "./markdown/tidy.ts";
import { factsOf, machineFacts } from "./page-facts.ts";
import { createResolver } from "./resolve.ts";

const unseen = new Set(
  "head base meta link title script style svg template noscript object video audio canvas input textarea datalist iframe".split(" "),
);
const zones: Readonly<Record<string, Zone>> = { nav: "nav", aside: "aside", footer: "footer", search: "nav", dialog: "aside" };
const roles: Readonly<Record<string, Zone>> = {
  navigation: "nav",
  menu: "nav",
  menubar: "nav",
  search: "nav",
  banner: "header",
  contentinfo: "footer",
  complementary: "aside",
  dialog: "aside",
};
/** Used where a page has no elements for its zones. */
const named: readonly (readonly [RegExp, Zone])[] = [
  [/^(?:site|top|global)[-_]?(?:header|bar|nav)$|^(?:masthead|header-top|utility-bar)$/i, "header"],
  [/^(?:(?:site|page|main|global)[-_]?)?footer$|^colophon$|^(?:page-?)?bottom(?:[-_]?(?:bar|line))?$/i, "footer"],
  [
    /^(?:(?:left|right|main|primary|secondary|site)[-_]?)?side-?bar(?:[-_](?:left|right|first|second|primary|secondary))?$|^widget-area$|^(?:(?:left|right|side)[-_]?)?(?:rail|col(?:umn)?[-_](?:left|right|side))$|^(?:left|right|side)[-_]?col(?:umn)?$/i,
    "aside",
  ],
];
/** The header of a page, if it comes before the main heading and does not hold it; else that of an article or a card. */
const plainHeader = /^(?:(?:page|main)[-_]?)?header$/i;
/** Each is a part of its own, although it is inline. */
const controls = new Set(["option", "select", "button"]);
const sectioning = new Set(["article", "main", "section"]);
const heading = /^h[1-6]$/;
const MAX_IN_WIDGET = 1000;
/** A line of at most this many words before a list counts as the list's label, even if it is not a heading. */
const MAX_LABEL_WORDS = 6;

/** Larger pages are not compared part by part, which would hold up the whole crawl; their fingerprints tell whether they changed. */
const MAX_PARTS = 10_000;
const MAX_LETTERS = 1_000_000;

/** Undefined if the page is too large to compare. */
export function comparableParts(document: ParsedDocument): PageParts | undefined {
  if (document.blocks.length + document.links.length > MAX_PARTS || document.text.length > MAX_LETTERS) return undefined;
  const found = pageParts(document);
  return found.parts.length + found.links.length > MAX_PARTS ? undefined : found;
}

export function pageParts(document: ParsedDocument): PageParts {
  const { tree, blocks, links, base, charset } = document;
  const resolve = createResolver(base, charset);
  if (!tree) return { parts: blocks.map(plainPart), links: links.map(plainLink), facts: factsOf(document, []) };
  const walker = new Walker(tree, resolve);
  walker.walkAll(tree);
  const others = links.filter(({ kind }) => kind !== "a" && kind !== "area").map(plainLink);
  return { parts: walker.parts, links: [...walker.links, ...others], facts: factsOf(document, machineFacts(tree, resolve)) };
}

const plainPart = (text: string): PagePart => ({ text, zone: "main", names: "", heading: "", outer: [], tag: "" });

const plainLink = ({ url = "", text, heading, block }: ParsedDocument["links"][number]): PartLink => ({
  ...{ url, text, heading, block },
  zone: "main",
  names: "",
  outer: [],
});

interface Around {
  readonly zone: Zone;
  readonly names: string;
  /** Shared by everything in one container, and replaced as headings are read. */
  readonly heading: { text: string; tag: string };
  /** Labels of the enclosing containers. */
  readonly outer: readonly string[];
  readonly isInSection: boolean;
}

type Changeable<T> = { -readonly [K in keyof T]: T[K] };

class Walker {
  readonly parts: PagePart[] = [];
  readonly links: Changeable<PartLink>[] = [];
  readonly #resolve: (href: string) => string | undefined;
  /** Ancestors of the main heading or main part. Their class names do not characterise other parts inside them. */
  readonly #spine = new Set<HtmlElement>();
  /** Elements with much text: they are not widgets, whatever their classes say. */
  readonly #large = new Set<HtmlElement>();
  #mainHeading = "h1";
  #hasHeading = false;
  /** Set if the page marks its main part: whether the walk is before or after it. */
  #outside: "before" | "after" | undefined;
  #isPastHeading = false;
  #text = "";
  #waiting: Changeable<PartLink>[] = [];
  /** The inline element that may contain the whole block: its names then apply to the block. */
  #whole: { names: string; text: string } | undefined;
  #pictures: { picture: string; text: string; link?: number }[] = [];
  /** The number of the link that is being walked. */
  #linkAt: number | undefined;

  constructor(tree: HtmlElement, resolve: (href: string) => string | undefined) {
    this.#resolve = resolve;
    this.#mainHeading = hasElement(tree, "h1") ? "h1" : "h2";
    this.#findSpine(tree);
    this.#findLarge(tree);
    this.#outside = hasMainPart(tree) ? "before" : undefined;
  }

  /** If there is no h1, the first h2 is the main heading. */
  #findSpine(element: HtmlElement): void {
    const isHeading = element.name === this.#mainHeading && (element.name === "h1" || !this.#hasHeading);
    if (isHeading) this.#hasHeading = true;
    if (isHeading || element.name === "main" || element.name === "body")
      for (let at: HtmlElement | undefined = element; at && !this.#spine.has(at); at = at.parent) this.#spine.add(at);
    for (const child of element.children) if (typeof child !== "string") this.#findSpine(child);
  }

  /** Returns the number of characters outside links. */
  #findLarge(element: HtmlElement): number {
    let letters = 0;
    for (const child of element.children) {
      if (typeof child === "string") letters += child.trim().length;
      else if (child.name !== "a" && (!unseen.has(child.name) || child.name === "noscript")) letters += this.#findLarge(child);
    }
    if (letters > MAX_IN_WIDGET) this.#large.add(element);
    return letters;
  }

  walkAll(tree: HtmlElement): void {
    const around: Around = {
      zone: this.#outside ? "header" : "main",
      names: "",
      heading: { text: "", tag: "" },
      outer: [],
      isInSection: false,
    };
    this.walk(tree, around);
    this.endBlock(around, "");
  }

  walk(element: HtmlElement, around: Around): void {
    for (const child of element.children) this.#visit(child, around);
  }

  #visit(node: HtmlNode, around: Around): void {
    if (typeof node === "string") this.#text += node;
    else if (node.name === "img") this.#picture(node);
    else if (node.name === "br") this.#text += "\n";
    else if (!unseen.has(node.name) || isTextWithoutScripts(node)) this.#element(node, around);
  }

  #element(element: HtmlElement, around: Around): void {
    const { name, attributes } = element;
    const isBlock = element.isBlock || controls.has(name);
    if (isBlock) this.endBlock(around, "");
    const isNew = isBlock && !heading.test(name);
    const label = isNew ? this.#labelOf(name, around) : around.heading.text;
    const isSpine = this.#spine.has(element);
    const inside: Around = {
      zone: this.#zoneOf(element, around),
      names: isSpine ? "" : this.#large.has(element) ? around.names : namesIn(element, around.names),
      heading: isNew ? { text: label, tag: label === around.heading.text ? around.heading.tag : "" } : around.heading,
      outer: isSpine ? [] : isNew ? withLabel(around, label) : around.outer,
      isInSection: around.isInSection || sectioning.has(name),
    };
    const isLink = (name === "a" || name === "area") && attributes.href !== undefined;
    const isFirst = !isBlock && tidy(this.#text) === "";
    if (isLink) this.#link(element, inside);
    else this.walk(element, inside);
    if (isBlock) this.endBlock(inside, name);
    else if (isFirst && inside.names !== around.names) this.#whole = { names: inside.names, text: tidy(this.#text) };
  }

  /** The label of a list without a heading is the short line before it. */
  #labelOf(name: string, around: Around): string {
    const last = this.parts.at(-1);
    const isList = name === "ul" || name === "ol" || name === "div";
    if (around.heading.text !== "" || !isList || !last || last.zone !== around.zone || last.names !== around.names)
      return around.heading.text;
    return last.text.split(" ").length <= MAX_LABEL_WORDS ? last.text : "";
  }

  #zoneOf(element: HtmlElement, { zone, isInSection }: Around): Zone {
    const { name, attributes } = element;
    if (isMain(name, attributes.role)) {
      this.#outside &&= "after";
      return "main";
    }
    const own = zones[name] ?? roles[attributes.role ?? ""] ?? (name === "header" && !isInSection ? "header" : undefined);
    if (own) return own;
    const isNameless = name === "body" || zone === "aside" || zone === "nav";
    const names = isNameless ? [] : `${attributes.class ?? ""} ${attributes.id ?? ""}`.split(/\s+/);
    const called = named.find(([pattern, called]) => (!isInSection || called === "aside") && names.some((each) => pattern.test(each)))?.[1];
    const isTop = !this.#isPastHeading && !isInSection && !this.#spine.has(element);
    if (!called && isTop && names.some((each) => plainHeader.test(each))) return "header";
    return called ?? (zone === "header" && this.#outside === "after" ? "footer" : zone);
  }

  #link(element: HtmlElement, around: Around): void {
    const { href = "", "aria-label": label = "" } = element.attributes;
    const link: Changeable<PartLink> = {
      url: this.#resolve(href) ?? href,
      ...{ text: "", heading: around.heading.text, outer: around.outer, block: "", zone: around.zone, names: around.names },
    };
    this.#linkAt = this.links.push(link) - 1;
    this.#waiting.push(link);
    const before = tidy(this.#text);
    this.walk(element, around);
    this.#linkAt = undefined;
    // A link without text, such as an icon, does not belong to the text that follows.
    if (link.block === "" && tidy(this.#text) === before) this.#waiting = this.#waiting.filter((waiting) => waiting !== link);
    link.text = cut(tidy(textIn(element)) || tidy(label), CONTEXT);
  }

  #picture({ attributes }: HtmlElement): void {
    const src = [attributes.src, attributes["data-src"], attributes["data-original"], attributes["data-lazy-src"]].find(
      (each) => each !== undefined && !each.startsWith("data:") && each.trim() !== "",
    );
    if (src === undefined || attributes.width === "1") return;
    const inLink = this.#linkAt === undefined ? {} : { link: this.#linkAt };
    this.#pictures.push({ picture: this.#resolve(src) ?? src, text: tidy(attributes.alt ?? ""), ...inLink });
  }

  endBlock({ zone, names: around, heading: under, outer }: Around, tag: string): void {
    const text = tidy(this.#text);
    this.#text = "";
    if (heading.test(tag) && text !== "") Object.assign(under, { text, tag });
    this.#isPastHeading ||= tag === this.#mainHeading;
    const names = this.#whole?.text === text ? this.#whole.names : around;
    this.#whole = undefined;
    const place = { zone, names, heading: under.text, outer: outer.filter((each) => each !== under.text), tag };
    if (text !== "") {
      this.parts.push({ text, ...place });
      for (const link of this.#waiting) link.block = cut(text, CONTEXT);
      this.#waiting = [];
    }
    for (const picture of this.#pictures) this.parts.push({ ...place, ...picture });
    this.#pictures = [];
  }
}

const hasElement = (element: HtmlElement, name: string): boolean =>
  element.children.some((child) => typeof child !== "string" && (child.name === name || hasElement(child, name)));

/** Adds a container's label to the outer ones, unless it is the page's main heading. */
function withLabel({ heading: { text, tag }, outer }: Around, label: string): readonly string[] {
  const isOwn = label !== "" && !(label === text && tag === "h1") && !outer.includes(label);
  return isOwn ? [...outer, label].slice(-MAX_OUTER) : outer;
}

const MAX_OUTER = 3;

const isMain = (name: string, role: string | undefined) => name === "main" || role === "main";

/** Whether a page has exactly one main part, and no h1 outside it. */
function hasMainPart(tree: HtmlElement): boolean {
  let [mains, headingsOutside] = [0, 0];
  const visit = (element: HtmlElement, isInside: boolean): void => {
    for (const child of element.children) {
      if (typeof child === "string") continue;
      const isPart = isMain(child.name, child.attributes.role);
      if (isPart && !isInside) mains += 1;
      if (child.name === "h1" && !isInside) headingsOutside += 1;
      visit(child, isInside || isPart);
    }
  };
  visit(tree, false);
  return mains === 1 && headingsOutside === 0;
}

/** Some forums put their whole text into noscript; on other pages it holds a notice, or a picture that is already on the page. */
const isTextWithoutScripts = (element: HtmlElement): boolean =>
  element.name === "noscript" && tidy(textIn(element)).length >= MAX_IN_NOTICE;

const MAX_IN_NOTICE = 250;

function textIn(element: HtmlElement): string {
  return element.children
    .map((child) =>
      typeof child === "string"
        ? child
        : child.name === "img"
          ? (child.attributes.alt ?? "")
          : unseen.has(child.name)
            ? ""
            : ` ${textIn(child)} `,
    )
    .join("");
}

const MAX_NAMES = 300;

function namesIn({ attributes }: HtmlElement, outer: string): string {
  const own = [attributes.class, attributes.id, attributes["aria-label"]].filter((each) => each !== undefined && each !== "").join(" ");
  return own === "" ? outer : cut(`${own} ${outer}`, MAX_NAMES);
}
