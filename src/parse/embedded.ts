/** Links that pages keep as JSON in their scripts: Drupal's settings, framework state, schema.org data. Only what clearly is a page. */

import { CONTEXT } from "./document.ts";
import { cut, tidy, wellFormed } from "./tidy.ts";

const MAX_JSON = 2 * 1024 * 1024;
const MAX_NODES = 100_000;
const MAX_LINKS = 1000;
const MAX_URL = 500;

export interface EmbeddedLink {
  readonly href: string;
  readonly text: string;
}

/** Which kind of JSON a script of this type holds, if any. */
export function holdsJson(type: string): string | undefined {
  const name = type.trim().toLowerCase();
  if (name === "application/ld+json") return "ld";
  return name === "application/json" || name.endsWith("+json") ? "json" : undefined;
}

export function embeddedLinks(json: string, kind: string): EmbeddedLink[] {
  const root = json.length > MAX_JSON ? undefined : parseJson(json);
  const found = new Map<string, string>();
  const pending: unknown[] = [root];
  let nodes = 0;
  while (pending.length > 0 && nodes < MAX_NODES && found.size < MAX_LINKS) {
    const entries = entriesOf(pending.pop());
    nodes += entries.length + 1;
    const text = textOf(entries);
    const children: unknown[] = [];
    for (const [key, child] of entries) {
      if (isAboutAssets(key)) continue;
      if (typeof child === "object") children.push(child);
      else if (typeof child === "string" && isWanted(kind, key, child) && looksLikePage(child)) keep(found, wellFormed(child.trim()), text);
    }
    for (let at = children.length - 1; at >= 0; at -= 1) pending.push(children[at]);
  }
  return Array.from(found, ([href, text]) => ({ href, text }));
}

function entriesOf(value: unknown): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.slice(0, MAX_NODES).map((child) => ["", child]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // Broken JSON is as common as broken HTML, and says nothing.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function keep(found: Map<string, string>, href: string, text: string): void {
  if (!found.get(href)) found.set(href, text);
}

const descriptive = ["title", "headline", "label", "name", "text", "heading", "linktext", "caption", "alt", "description"];

function textOf(entries: [string, unknown][]): string {
  let best = descriptive.length;
  let text = "";
  for (const [key, value] of entries) {
    const rank = descriptive.indexOf(key.toLowerCase());
    if (rank < 0 || rank >= best || typeof value !== "string" || value.trim() === "" || looksLikePage(value)) continue;
    best = rank;
    text = value;
  }
  return cut(tidy(wellFormed(cut(text, 10 * CONTEXT).replace(/<[^<>]*>/g, " "))), CONTEXT);
}

const linkedDataKeys = new Set(["url", "item", "mainEntityOfPage", "relatedLink", "significantLink", "@id"]);
const assetKey =
  /image|img|logo|icon|thumb|avatar|photo|poster|src|script|style|css|font|asset|ajax|api|endpoint|token|prefix|basepath|baseurl|@context/i;

const isAboutAssets = (key: string) => key.length < 100 && assetKey.test(key);

/** In linked data every name is a URL; only few say "there is a page", and an @id with a fragment names a thing. */
function isWanted(kind: string, key: string, value: string): boolean {
  return kind !== "ld" || (linkedDataKeys.has(key) && !(key === "@id" && value.includes("#")));
}

const path = /^\/(?:[\w~-][\w.~%-]*)(?:\/[\w.~%-]*)*(?:\?[\w.~%&=;,:@/+-]*)?(?:#[\w.~%/!=-]*)?$/u;
const absolute = /^https?:\/\/[^\s<>"'{}|\\^`*$[\]]+$/i;
const assetEnding =
  /\.(?:css|m?js|map|json|xml|xsl|png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|srt|vtt|zip|gz|wasm)(?:[?#]|$)/i;
const service = /\/(?:api|graphql|wp-json|rest|ajax|oembed)(?:[./?]|$)|^https?:\/\/(?:api|cdn|static|assets|endpoint)[\w-]*\./i;
const vocabulary = /^https?:\/\/(?:[\w-]+\.)*(?:schema\.org|w3\.org|purl\.org|ogp\.me|xmlns\.com)(?:[/#]|$)/i;

function looksLikePage(value: string): boolean {
  const text = value.trim();
  if (text.length < 2 || text.length > MAX_URL || assetEnding.test(text) || service.test(text)) return false;
  return text[0] === "/" ? path.test(text) : absolute.test(text) && !vocabulary.test(text);
}
