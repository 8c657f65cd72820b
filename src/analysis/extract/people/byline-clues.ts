/** All evidence on a page for its authors, each with its kind. */
import type { HtmlElement } from "../../parse/index.ts";
import { datesOfLine } from "../dates/date-clues.ts";
import { type DateInText, datesIn } from "../dates/date-text.ts";
import type { PageView } from "../page-view.ts";
import { allItems } from "../structured/placed-items.ts";
import { itemsIn, type SchemaItem, type SchemaValue } from "../structured/schema-items.ts";
import { briefText, isPersonLink, type Line, marks, placeOf, type Spot, type Surroundings, surroundingsOf } from "../surroundings.ts";
import { cachedByText, copyOf } from "../text-cache.ts";
import { looksLikePerson, nameKey, namesIn, type ReadNames } from "./names.ts";

export interface AuthorEvidence extends ReadNames {
  readonly source: string;
  readonly kind: string;
  readonly raw: string;
}

export function authorEvidence(page: PageView): AuthorEvidence[] {
  const surroundings = surroundingsOf(page);
  const metas = fromMetas(page);
  const visible = [...fromElements(surroundings), ...fromLines(surroundings, page), ...fromScripts(page)];
  const known = new Set([...metas, ...visible].flatMap(({ names }) => names.map(nameKey)));
  return [...metas, ...fromItems(page, known), ...visible];
}

const MAX_NAMES = 12;

/** Cached: a page names its author in several places, and a site the same few authors on many pages. */
const readNames = cachedByText((text): ReadNames => {
  const read = namesIn(text);
  return { ...read, names: read.names.map(copyOf) };
});

function evidenceOf(source: string, kind: string, offered: readonly string[]): AuthorEvidence {
  const texts = offered.slice(0, MAX_NAMES);
  const read = texts.map(readNames);
  const names = [...new Set(read.flatMap((each) => each.names))].slice(0, MAX_NAMES);
  const rejected = names.length > 0 ? undefined : read[0]?.rejected;
  return { source, kind, raw: texts.join(", ").slice(0, 200), names, ...(rejected !== undefined && { rejected }) };
}

const authorMetaNames = new Set(
  "author article:author og:author og:article:author book:author dc.creator dcterms.creator dc.contributor parsely-author sailthru.author citation_author byl byline article.author content_author cxenseparse:author authors creator twitter:creator shareaholic:article_author_name post_author".split(
    " ",
  ),
);
const plainLabels = new Set(["article:author", "og:author", "twitter:creator"]);

function fromMetas({ metas }: PageView): AuthorEvidence[] {
  const found: AuthorEvidence[] = [];
  for (const [name, values] of metas) {
    if (
      !authorMetaNames.has(name) &&
      !/^(?!.*(?:image|url|link|id|twitter|email|photo|bio|avatar)).*\bauthors?(?:[-_.]?name)?$/.test(name.slice(0, 60))
    )
      continue;
    found.push(
      evidenceOf(plainLabels.has(name) ? name : `meta:${name}`, authorMetaNames.has(name) ? `meta:${name}` : "meta:*author", values),
    );
  }
  for (const place of ["1", "2"]) {
    const label = metas.get(`twitter:label${place}`)?.[0] ?? "";
    const data = metas.get(`twitter:data${place}`)?.[0];
    if (data !== undefined && /written|author|verfasst|écrit|escrito|geschreven|scritto|autor|skriv|geschrieben|від|автор/i.test(label))
      found.push(evidenceOf(`twitter:data${place}`, "twitter:data", [data]));
  }
  return found;
}

const MAX_FROM_ITEMS = 40;

function fromItems(page: PageView, known: ReadonlySet<string>): AuthorEvidence[] {
  const found: AuthorEvidence[] = [];
  const writers = new Set(
    page.items.filter((item) => formOf(item) === "article").flatMap((item) => itemsIn(item, "author").map(({ id }) => id)),
  );
  for (const { item, isComment, depth } of allItems(page)) {
    const syntax = item.syntax === "jsonld" ? "ld" : item.syntax;
    for (const property of ["author", "creator"]) {
      const people = (item.properties.get(property) ?? []).filter((value) => nameOf(value) !== undefined);
      if (people.length === 0) continue;
      const who = people.every(isGroup) ? "group" : "person";
      const names = people.map((value) => nameOf(value)!);
      found.push(evidenceOf(`${syntax}:${property}`, `${syntax}:${isComment ? "comment" : formOf(item)}:${property}:${who}`, names));
    }
    const name = item.types.includes("Person") && depth === 0 ? nameOf(item) : undefined;
    if (name !== undefined) {
      const person = evidenceOf(`${syntax}:Person`, `${syntax}:Person`, [name]);
      // A top-level Person is usually not the author, unless the article references it by id as its author and the
      // page names it elsewhere too.
      const isWriter = item.id !== undefined && writers.has(item.id) && person.names.some((each) => known.has(nameKey(each)));
      if (!isWriter) found.push(person);
    }
    if (found.length >= MAX_FROM_ITEMS) break;
  }
  return found;
}

const isGroup = (value: SchemaValue) =>
  typeof value === "object" && value.types.some((type) => /Organization|Corporation|WebSite/.test(type));

function formOf({ types }: SchemaItem): string {
  if (types.some((type) => /Article|Posting|Report/.test(type))) return "article";
  return types.some((type) => /Page|Site/.test(type)) ? "page" : "thing";
}

function nameOf(value: SchemaValue): string | undefined {
  if (typeof value === "string") return value;
  const name = firstText(value, "name");
  if (name !== undefined) return name;
  const parts = [firstText(value, "givenName"), firstText(value, "familyName")].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(" ") : undefined;
}

const firstText = (item: SchemaItem, name: string): string | undefined =>
  item.properties.get(name)?.find((value) => typeof value === "string");

const MAX_ELEMENTS = 40;
/** Names at most this far apart belong to one byline. */
const MAX_BYLINE_GAP = 80;

function fromElements(surroundings: Surroundings): AuthorEvidence[] {
  const found: AuthorEvidence[] = [];
  const openBylines = new Map<string, { at: number; texts: string[]; source: string; element: HtmlElement }>();
  const endByline = (kind: string) => {
    const byline = openBylines.get(kind);
    if (byline === undefined) return;
    found.push(evidenceOf(byline.source, kind, byline.texts));
    openBylines.delete(kind);
  };
  for (const spot of surroundings.spots) {
    const offered = bylineIn(spot);
    if (offered === undefined) continue;
    const text = briefText(offered.element);
    if (text === "" || text.length > 400) continue;
    const kind = `${offered.form}:${placeOf(spot, spot.element, surroundings)}`;
    const before = openBylines.get(kind);
    if (before && spot.at - before.at <= MAX_BYLINE_GAP && !isInside(spot.element, before.element)) {
      before.texts.push(text);
      before.at = spot.at + text.length;
      continue;
    }
    if (before && isInside(spot.element, before.element)) continue;
    endByline(kind);
    openBylines.set(kind, { at: spot.at + text.length, texts: [text], source: offered.source, element: spot.element });
    if (found.length >= MAX_ELEMENTS) break;
  }
  for (const kind of [...openBylines.keys()]) endByline(kind);
  return found;
}

function isInside(element: HtmlElement, other: HtmlElement): boolean {
  for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) if (at === other) return true;
  return false;
}

function bylineIn({ element, own }: Spot): { readonly source: string; readonly form: string; readonly element: HtmlElement } | undefined {
  const { itemprop = "", rel = "", href, property = "" } = element.attributes;
  if (/\bauthor\b/i.test(itemprop) || /(?:^|:)author$/.test(property))
    return { source: "itemprop:author", form: "itemprop", element: nameElementIn(element) };
  if (element.name === "a" && /\bauthor\b/.test(rel)) return { source: "rel:author", form: "rel", element };
  if (element.name === "a" && isPersonLink(href))
    return { source: "a[href*=author]", form: /author|autor|auteur/i.test(href!) ? "author link" : "person link", element };
  if ((own & marks.byline) === 0) return undefined;
  const classes = (element.attributes.class ?? "").toLowerCase();
  const words = `${classes} ${(element.attributes.id ?? "").toLowerCase()}`;
  const tokens = new Set(classes.split(/\s+/));
  const isBiography = (own & marks.biography) !== 0;
  const source = tokens.has("author") ? ".author" : tokens.has("byline") ? ".byline" : "[class*=author]";
  const form = isBiography
    ? "biography"
    : /name|\bfn\b/.test(words)
      ? "name"
      : /byline|by-line/.test(words)
        ? "byline"
        : /author/.test(words)
          ? "author"
          : "writer";
  return { source, form, element };
}

/** The element that marks the name inside an author's element; the element itself if there is none. */
function nameElementIn(element: HtmlElement): HtmlElement {
  const stack: HtmlElement[] = [element];
  for (let visited = 0; stack.length > 0 && visited < 50; visited += 1) {
    const next = stack.shift()!;
    if (next !== element && /\bname\b/.test(next.attributes.itemprop ?? next.attributes.property ?? "")) return next;
    for (const child of next.children) if (typeof child === "object") stack.push(child);
  }
  return element;
}

const bylinePattern =
  /^(?:(?:written|posted|published|reported|story|text|words|article|review|started|created|submitted|reviewed|geschrieben|publié|escrito|por|scritto|beitrag|blog beitrag|artikel|ein beitrag|interview)\s+)?(?:by|von|par|por|di|door|af|av|przez|(?:автор|autor(?:in|en|es)?|authors?|text|texte|texto|testo|tekst|contributors?|auteurs?|words)\s?:?)\s+\p{Lu}/iu;
const bylineInside = /\s(?:by|von|par|por)\s+(\S.{1,60})$/i;
const anyDate = { lang: "", isMonthFirst: false };

function fromLines(surroundings: Surroundings, page: PageView): AuthorEvidence[] {
  const found: AuthorEvidence[] = [];
  const add = (source: string, form: string, line: Line, text: string) => {
    const kind = `${form}:${placeOf(line, line.block, surroundings)}`;
    found.push(evidenceOf(source, kind, [text]));
  };
  let isAfterDate = false;
  for (let place = 0; place < surroundings.lines.length; place += 1) {
    const line = surroundings.lines[place]!;
    if (line.text.length > 200 || found.length >= 20) continue;
    if (bylinePattern.test(line.text)) {
      add("pattern:By", "pattern", line, line.text);
      continue;
    }
    if (line.text.length > 120) continue;
    const date = datesOfLine(line, page)[0];
    if (date) addBesideDate(line, date, add);
    else if (isBelowHeadline(line, surroundings) && looksLikePerson(line.text) && line.text.length < 40) {
      const isBeforeDate = datesIn(surroundings.lines[place + 1]?.text.slice(0, 60) ?? "", anyDate).length > 0;
      add("text", isAfterDate || isBeforeDate ? "beside date" : "lone name", line, line.text);
    }
    isAfterDate = date !== undefined;
  }
  return found;
}

const isBelowHeadline = (line: Line, surroundings: Surroundings) =>
  surroundings.headline !== undefined && line.at >= surroundings.headline.end && line.at - surroundings.headline.end < 500;

/** `Ann Lee | 13 May 2019`, `Posted on 13 May 2019 by Ann Lee`. */
function addBesideDate(line: Line, date: DateInText, add: (source: string, form: string, line: Line, text: string) => void): void {
  const after = line.text.slice(date.end);
  const [, name] = bylineInside.exec(after) ?? [];
  if (name !== undefined) {
    add("pattern:By", "by after date", line, name);
    return;
  }
  const before = line.text.slice(0, date.start).replace(/[\s,|·•–—-]+$/, "");
  if (before.length > 3 && before.length < 60) add("text", "before date", line, before);
  const rest = after.replace(/^[\s,|·•–—-]+/, "");
  if (rest.length > 3 && rest.length < 60) add("text", "after date", line, rest);
}

const MAX_LETTERS = 1_000_000;
/** Used with `exec`, because matchAll would compile the expression again for every script. */
const authorInScript =
  /"(authors?|byline|authorName|author_name|articleAuthor|pageAuthor|creator|writer)\\?"\s{0,3}:\s{0,3}\[?\s{0,3}(?:\{[^{}]{0,200}?\\?"(?:name|display_?name|full_?name|title)\\?"\s{0,3}:\s{0,3})?\\?"([^"\\{}<>]{2,80})\\?"/gi;

function fromScripts({ elements, items }: PageView): AuthorEvidence[] {
  const hasReadJsonLd = items.some(({ syntax }) => syntax === "jsonld");
  const found: AuthorEvidence[] = [];
  let letters = 0;
  for (const { name, attributes, children } of elements) {
    const text = name === "script" ? children[0] : undefined;
    if (typeof text !== "string" || (hasReadJsonLd && attributes.type?.includes("ld+json"))) continue;
    letters += text.length;
    if (letters > MAX_LETTERS) break;
    authorInScript.lastIndex = 0;
    for (let match = authorInScript.exec(text); match; match = authorInScript.exec(text)) {
      found.push(evidenceOf(`script:${match[1]!.toLowerCase()}`, "script", [match[2]!]));
      if (found.length >= 12) return found;
    }
  }
  return found;
}
