/** Lists of topic names, and how they are split from a text or element. */
import type { HtmlElement } from "../../parse/index.ts";
import { openingOf } from "../page-view.ts";

export interface TopicList {
  readonly source: string;
  readonly names: readonly string[];
  readonly signs: Readonly<Record<string, number>>;
}

/** Limit per list; losing names beyond it does no harm. */
export const MAX_NAMES = 200;

export const splitNames = (values: readonly string[]): string[] =>
  values
    .flatMap((value) =>
      value
        .slice(0, 5000)
        .replaceAll("&amp;", "&")
        .split(/[,;|\n،、，；]/),
    )
    .slice(0, MAX_NAMES);

/** Longer text is not a list. */
const MAX_LENGTH = 1000;
const MAX_DEPTH = 4;
/** Labels before a list of tags, in the most frequent languages. */
export const label =
  /^\W*(?:tags?|tagged|topics?|related topics|filed under|keywords?|more on|themen?|schlagw\p{L}*|stichw\p{L}*|mehr zum thema|kategorien?|categor\p{L}*|mots[- ]cl\p{L}*|étiquettes?|etiquetas|temas|argomenti|taggar|emner|onderwerpen|trefwoorden|tagi|теги|метки|etiketler|タグ|标签|posted in|abgelegt unter|veröffentlicht in)\b/iu;
const withoutLabel = (text: string) => (label.test(text) ? text.replace(/^[^:：]{0,40}[:：]\s*/, "") : text);
const separators = /\s*[,;|·•\n،、，；]\s*/;

/** Their classes describe the page, as in WordPress: `<body class="category">`. */
const pageElements = new Set(["html", "body", "main", "article"]);

/** The names in a marked element: its links, else its list items, else its text split at commas. */
export function namesWithin(element: HtmlElement): string[] {
  if (pageElements.has(element.name)) return [];
  const links = linksIn(element);
  if (links.length > 0) return links.slice(0, MAX_NAMES).map((link) => openingOf(link, MAX_LENGTH));
  return itemsIn(element).slice(0, MAX_NAMES);
}

export function linksIn(element: HtmlElement, depth = 0): HtmlElement[] {
  if (depth > MAX_DEPTH) return [];
  return element.children.flatMap((child) => (typeof child === "string" ? [] : child.name === "a" ? [child] : linksIn(child, depth + 1)));
}

export function itemsIn(element: HtmlElement, depth = 0): string[] {
  const parts = element.children.filter((child) => typeof child === "object" && child.name !== "svg") as HtmlElement[];
  const words = element.children.filter((child) => typeof child === "string").join(" ");
  const isList = parts.length > 0 && !/[\p{L}\p{N}]/u.test(withoutLabel(words).replace(label, ""));
  if (isList && depth < MAX_DEPTH) return parts.flatMap((part) => itemsIn(part, depth + 1));
  const text = withoutLabel(openingOf(element, MAX_LENGTH));
  return text === "" ? [] : splitNames(text.split(separators));
}
