/** The language of a page: the declared one, checked against the detected language of its text. */

import type { MetaField } from "../../../core/records.ts";
import type { MainText } from "../main-text.ts";
import { type PageView, textOf } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import { cachedByText } from "../text-cache.ts";
import { type Clue, choose, chooseInOrder, type Weights } from "../weigh.ts";
import { type Detected, detectLanguage } from "./detect-language.ts";
import { languageTag, primaryLanguage } from "./language-tag.ts";

const order = [
  "html[lang]",
  "html[xml:lang]",
  "content-language",
  "og:locale",
  "ld:inLanguage",
  "dc.language",
  "meta:language",
  "url:path",
  "url:host",
  "content:detected",
];

/** Set by hand: declarations are usually right, but a text that is clearly in another language overrides all of them. */
const weights: Weights = {
  weights: {
    "source:html[lang]": 2,
    "source:html[xml:lang]": 1.5,
    "source:content-language": 1.5,
    "source:og:locale": 1,
    "source:ld:inLanguage": 1,
    "source:dc.language": 0.5,
    "source:meta:language": 0,
    "source:url:path": -0.5,
    "source:url:host": -0.5,
    "source:url:tld": -2,
    "source:content:detected": -2,
    agreement: 1,
    textAgrees: 3,
    textDenies: -8,
    sure: 5.5,
  },
  least: 0.1,
};

export function langOf(page: PageView, main: MainText, cascade: "weighed" | "classic"): MetaField<string> {
  const clues = langClues(page, main);
  return cascade === "classic" ? chooseInOrder(clues, order) : choose(clues, weights);
}

export function langClues(page: PageView, main: MainText): Clue<string>[] {
  const detected = detectLanguage(sampleOf(page, main));
  const declared = [...declaredIn(page), ...urlHintsOf(page.url)].flatMap(([source, raw]) => {
    const value = raw === undefined ? undefined : knownTag(raw);
    return value === undefined ? [] : [{ source, value }];
  });
  const clues = declared.map(({ source, value }) => {
    const others = declared.filter((one) => one.source !== source);
    const agreeing = others.filter((one) => primaryLanguage(one.value) === primaryLanguage(value)).length;
    return { source, value, signs: { agreement: agreeing / Math.max(1, others.length), ...comparedWithText(value, detected) } };
  });
  return detected === undefined
    ? clues
    : [...clues, { source: "content:detected", value: detected.lang, signs: { sure: detected.confidence } }];
}

const knownTag = cachedByText(languageTag);

function comparedWithText(tag: string, detected: Detected | undefined): Record<string, number> {
  if (detected === undefined) return {};
  const lang = primaryLanguage(tag);
  if (lang === primaryLanguage(detected.lang)) return { textAgrees: detected.confidence };
  // A related language shares many words, so a high share for the declared language weakens the contradiction.
  const support = detected.shareOf(lang) / detected.shareOf(detected.lang);
  return { textDenies: detected.confidence * Math.max(0, 1 - 2 * support) };
}

type Declared = readonly [source: string, raw: string | undefined];

function declaredIn({ elements, metas, items }: PageView): Declared[] {
  const roots = elements.filter(({ name }) => name === "html" || name === "body");
  const first = (...names: string[]) => names.map((name) => metas.get(name)?.[0]).find((value) => value !== undefined);
  const jsonLdLanguage = items.map(({ properties }) => properties.get("inLanguage")?.[0]).find((value) => value !== undefined);
  return [
    ["html[lang]", roots.map(({ attributes }) => attributes.lang?.trim()).find(Boolean)],
    ["html[xml:lang]", roots.map(({ attributes }) => attributes["xml:lang"]?.trim()).find(Boolean)],
    ["content-language", first("content-language")],
    ["og:locale", first("og:locale")],
    ["ld:inLanguage", typeof jsonLdLanguage === "string" ? jsonLdLanguage : nameOf(jsonLdLanguage)],
    ["dc.language", first("dc.language", "dcterms.language", "dc:language")],
    ["meta:language", first("language", "lang")],
  ];
}

function nameOf(item: PageView["items"][number] | undefined): string | undefined {
  const name = item?.properties.get("alternateName")?.[0] ?? item?.properties.get("name")?.[0];
  return typeof name === "string" ? name : undefined;
}

/** Countries whose pages are usually in one language. */
const tlds = new Map(
  "de:de at:de fr:fr it:it nl:nl pl:pl cz:cs sk:sk hu:hu dk:da no:no se:sv fi:fi pt:pt br:pt es:es mx:es ar:es cl:es ru:ru ua:uk gr:el tr:tr jp:ja cn:zh tw:zh kr:ko il:he ir:fa th:th vn:vi id:id ro:ro bg:bg hr:hr rs:sr si:sl lt:lt lv:lv ee:et is:is uk:en us:en au:en nz:en ie:en"
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

/** `/de/`, `/en-gb/` and `de.` may mean a country instead of a language; the text decides. */
function urlHintsOf(url: string): Declared[] {
  const address = urlOf(url);
  if (address === undefined) return [];
  const { hostname, pathname } = address;
  const labels = hostname.split(".");
  return [
    ["url:path", /^\/([a-z]{2}(?:[-_][a-z]{2})?)(?:\/|$)/i.exec(pathname)?.[1]],
    ["url:host", labels.length > 2 && labels[0]!.length === 2 ? labels[0] : undefined],
    ["url:tld", tlds.get(labels.at(-1)!)],
  ];
}

/** If the main text is short, adds text of the whole page. */
function sampleOf(page: PageView, main: MainText): string {
  const text = main.field.value ?? "";
  if (text.length >= 300) return text;
  const parts = [text];
  let length = text.length;
  for (const element of page.elements) {
    if (length > 2000) break;
    if (!/^(?:p|h[1-6]|li|td|dd|blockquote|title)$/.test(element.name) || element.hasBlock) continue;
    const words = element.name === "title" ? String(element.children[0] ?? "") : textOf(element);
    parts.push(words);
    length += words.length;
  }
  return parts.join("\n");
}
