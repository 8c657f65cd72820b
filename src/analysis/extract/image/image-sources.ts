/** All pictures of a page that may represent it. */
import type { HtmlElement } from "../../parse/index.ts";
import { partOf } from "../page-parts.ts";
import type { PageView } from "../page-view.ts";
import { itemsIn, type SchemaItem } from "../structured/schema-items.ts";
import { kindOf, syntaxOf } from "../structured/schema-kind.ts";
import { isPlaceholder, type Size } from "./image-rules.ts";

export interface Picture {
  readonly source: string;
  /** Absolute, or as written if it could not be resolved. */
  readonly url: string;
  readonly size: Size;
  readonly element?: HtmlElement;
}

const metaNames: readonly (readonly [name: string, source: string])[] = [
  ["og:image", "og:image"],
  ["og:image:url", "og:image:url"],
  ["og:image:secure_url", "og:image:secure_url"],
  ["twitter:image", "twitter:image"],
  ["twitter:image:src", "twitter:image:src"],
  ["image", "itemprop:image"],
  ["thumbnail", "meta:thumbnail"],
  ["sailthru.image.full", "sailthru.image"],
  ["parsely-image-url", "parsely-image-url"],
  ["thumbnailurl", "itemprop:thumbnailUrl"],
];
const MAX_VISIBLE = 12;
const MAX_PICTURES = 60;
const MAX_ITEMS = 20;

export function pictures(page: PageView): Picture[] {
  const { metas, items, resolve } = page;
  const found: Picture[] = [];
  const add = (source: string, href: string, size: Size = {}, element?: HtmlElement) => {
    const url = href.trim();
    if (url !== "" && found.length < MAX_PICTURES)
      found.push({ source, url: /^data:/i.test(url) ? url.slice(0, 100) : (resolve(url) ?? url), size, ...(element && { element }) });
  };
  for (const [name, source] of metaNames) {
    const values = metas.get(name) ?? [];
    for (const [at, value] of values.slice(0, 2).entries())
      add(at === 0 ? source : `${source}:later`, value, at === 0 ? declaredSize(page, source) : {});
  }
  for (const item of items.slice(0, MAX_ITEMS)) addItem(item, add);
  addVisible(page, add);
  return found;
}

const number = (text: string | undefined): number | undefined => {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isFinite(value) && !text!.includes("%") ? value : undefined;
};

export function sizeOf(width: string | undefined, height: string | undefined): Size {
  const [wide, high] = [number(width), number(height)];
  return { ...(wide !== undefined && { width: wide }), ...(high !== undefined && { height: high }) };
}

function declaredSize({ metas }: PageView, source: string): Size {
  const of = (side: string) => metas.get(`${source.startsWith("og:") ? "og:image" : source}:${side}`)?.[0];
  return sizeOf(of("width"), of("height"));
}

function addItem(item: SchemaItem, add: (source: string, href: string, size?: Size) => void): void {
  const kind = kindOf(item);
  if (kind === "site" || kind === "publisher" || item.types.includes("Person")) return;
  const syntax = syntaxOf(item);
  for (const property of ["image", "thumbnailUrl", "primaryImageOfPage"]) {
    const source = `${syntax}:${kind === "page" || kind === "other" ? `${kind}.` : ""}${property}`;
    const plain = (item.properties.get(property) ?? []).filter((value) => typeof value === "string");
    for (const value of plain.slice(0, 1)) add(source, value);
    for (const picture of itemsIn(item, property).slice(0, 1)) {
      const text = (name: string) => picture.properties.get(name)?.find((value) => typeof value === "string");
      const url = text("url") ?? text("contentUrl") ?? picture.id;
      if (url !== undefined) add(source, url, sizeOf(text("width"), text("height")));
    }
  }
}

function addVisible({ elements }: PageView, add: (source: string, href: string, size?: Size, element?: HtmlElement) => void): void {
  let visibleCount = 0;
  let inArticle = false;
  let isLogoFirst = false;
  let inFigure = false;
  let inMain = false;
  for (const element of elements) {
    const { name, attributes, parent } = element;
    if (name === "link" && /(?:^|\s)image_src(?:\s|$)/i.test(attributes.rel ?? "")) add("link:image_src", attributes.href ?? "");
    if (attributes.itemprop === "image" && name !== "img" && name !== "meta")
      add("itemprop:image", attributes.href ?? attributes.src ?? "");
    if (name !== "img" || visibleCount >= MAX_VISIBLE) continue;
    const href = bestSource(element);
    const size = sizeOf(attributes.width, attributes.height);
    if (attributes.itemprop === "image") add("itemprop:image", href, size, element);
    if (visibleCount === 0) add("first-img", href, size, element);
    visibleCount += 1;
    if (!inArticle && isInside(element, "article")) {
      inArticle = true;
      add("article-img", href, size, element);
      isLogoFirst = isSmall(size) || isLogoOrIcon(element);
    } else if (isLogoFirst && !isSmall(size) && !isLogoOrIcon(element) && isInside(element, "article")) {
      isLogoFirst = false;
      add("article-img:later", href, size, element);
    }
    if (isPlaceholder(href) || isSmall(size)) continue;
    if (!inFigure && (parent?.name === "figure" || isInside(element, "figure"))) {
      inFigure = true;
      add("figure-img", href, size, element);
    } else if (!inMain && partOf(element) === "main") {
      inMain = true;
      add("main-img", href, size, element);
    } else add("img", href, size, element);
  }
}

/** Logos, icons and avatars: they show the site or the author, not the subject of the page. */
export const isLogoOrIcon = ({ attributes }: HtmlElement): boolean =>
  attributes.class !== undefined && /(?:^|[\s_-])(?:logo|icon|avatar|gravatar|emoji)(?:$|[\s_-])/i.test(attributes.class);

const isSmall = ({ width = 999, height = 999 }: Size) => width < 100 || height < 60;

/** The address of a picture, from `data-` attributes or `srcset` if it is loaded lazily. */
function bestSource({ attributes, parent }: HtmlElement): string {
  const lazySource = attributes["data-src"] ?? attributes["data-original"] ?? attributes["data-lazy-src"];
  const src = attributes.src ?? "";
  if (lazySource) return lazySource;
  if (!isPlaceholder(src)) return src;
  const sets = [
    attributes["data-srcset"],
    attributes.srcset,
    ...(parent?.name === "picture"
      ? parent.children.map((child) =>
          typeof child === "object" && child.name === "source" ? (child.attributes.srcset ?? child.attributes["data-srcset"]) : undefined,
        )
      : []),
  ];
  return sets.map((set) => (set ? largestInSrcset(set) : undefined)).find((url) => url !== undefined) ?? src;
}

/** The largest picture of a srcset; the first of several of that size. */
export function largestInSrcset(set: string): string | undefined {
  let best: { url: string; size: number } | undefined;
  for (const each of set.slice(0, 4000).split(/,\s+|(?<=\s\d{1,5}[wx]),/)) {
    const [url = "", size = "1x"] = each.trim().split(/\s+/);
    const value = Number.parseFloat(size);
    if (/^\d+[wx]$/.test(url)) continue;
    if (url !== "" && !/^data:/i.test(url) && (best === undefined || value > best.size)) best = { url, size: value };
  }
  return best?.url;
}

function isInside(element: HtmlElement, name: string): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent) if (at.name === name) return true;
  return false;
}
