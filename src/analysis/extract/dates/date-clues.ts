/** All evidence on a page for its dates, each with its kind. */

import { cachedPerPage, type PageView } from "../page-view.ts";
import { urlOf } from "../parsed-url.ts";
import { allItems } from "../structured/placed-items.ts";
import { briefText, type Line, marks, placeOf, type Spot, type Surroundings, surroundingsOf } from "../surroundings.ts";
import { type DateHints, type DateInText, datesIn, isMonthFirst, type ReadDate, readDate } from "./date-text.ts";
import { scriptDates } from "./script-dates.ts";
import { dateInUrl } from "./url-dates.ts";

export interface DateEvidence {
  readonly source: string;
  /** The kind of evidence, used as a sign for weighing. */
  readonly kind: string;
  /** True for a date of modification, false for one of publication. */
  readonly isChange: boolean;
  readonly raw: string;
  readonly read: ReadDate | undefined;
}

export function dateEvidence(page: PageView): readonly DateEvidence[] {
  const surroundings = surroundingsOf(page);
  const { hints } = lineDatesOf(page);
  return resolveAmbiguous([
    ...fromMetas(page, hints),
    ...fromItems(page, hints),
    ...fromElements(surroundings, hints),
    ...fromUrl(page),
    ...fromScripts(page, hints),
    ...fromLines(surroundings, page),
  ]);
}

/**
 * Resolves ambiguous dates such as 5/6/2019: if only the other reading is confirmed by an unambiguous date on the page,
 * that one is used.
 */
function resolveAmbiguous(evidence: readonly DateEvidence[]): readonly DateEvidence[] {
  if (evidence.every(({ read }) => read?.swapped === undefined)) return evidence;
  const certain = new Set(evidence.flatMap(({ read }) => (read && read.swapped === undefined ? [read.day] : [])));
  return evidence.map((each) => {
    const { day, swapped } = each.read ?? {};
    if (day === undefined || swapped === undefined || certain.has(day) || !certain.has(swapped)) return each;
    return { ...each, read: { day: swapped, iso: swapped } };
  });
}

interface LineDates {
  readonly hints: DateHints;
  readonly byLine: Map<Line, readonly DateInText[]>;
}

const lineDatesOf = cachedPerPage((page): LineDates => ({ hints: hintsOf(page, surroundingsOf(page)), byLine: new Map() }));

const MAX_LINE_LENGTH = 300;

/** The dates in the first 300 characters of a line. Cached per page, because author and dates both need them. */
export function datesOfLine(line: Line, page: PageView): readonly DateInText[] {
  if (!line.hasDigit) return noDates;
  const { hints, byLine } = lineDatesOf(page);
  let dates = byLine.get(line);
  if (dates === undefined) {
    dates = datesIn(line.text.slice(0, MAX_LINE_LENGTH), hints);
    byLine.set(line, dates);
  }
  return dates;
}

const noDates: readonly DateInText[] = [];

function hintsOf({ root, elements, metas, url }: PageView, { lines }: Surroundings): DateHints {
  const html = elements.find(({ name, attributes }) => name === "html" && attributes.lang) ?? root;
  const lang = (html.attributes.lang ?? metas.get("og:locale")?.[0] ?? metas.get("content-language")?.[0] ?? "").replace("_", "-");
  const host = urlOf(url)?.hostname ?? "";
  return { lang: lang.slice(0, 2).toLowerCase(), isMonthFirst: isMonthFirst(textsWithSlash(lines), lang, host) };
}

/**
 * At module level, not inside a function per page: V8 gives each generator function a hidden class in the old
 * generation, which would keep the page alive.
 */
function* textsWithSlash(lines: readonly Line[]): Iterable<string> {
  for (const { text, hasDigit } of lines) if (hasDigit && text.length < 200 && text.includes("/")) yield text;
}

const change = /modif|updat|revis|chang|edit|last/;
const publication = /publi|issued|release|posted|created|creation|pubdate|first|\bpub|_pub/;
/** Source names used by `--cascade classic`. */
const labels = new Map([
  ["article:published_time", "article:published_time"],
  ["datepublished", "itemprop:datePublished"],
]);

/** `published` or `changed`; `dated` if the name does not tell. */
function senseOf(name: string): "published" | "changed" | "dated" {
  if (change.test(name)) return "changed";
  return publication.test(name) ? "published" : "dated";
}

const MAX_METAS = 30;

function fromMetas({ metas }: PageView, hints: DateHints): DateEvidence[] {
  const found: DateEvidence[] = [];
  for (const [name, [raw]] of metas) {
    if (raw === undefined || raw.length > 60 || name.length > 40 || !/date|time|publi|issued|created|modified|updated|timestamp/.test(name))
      continue;
    if (/expir|valid|until|start|end|event|birth|death|timezone|runtime|duration/.test(name)) continue;
    const sense = senseOf(name);
    const read = readDate(raw, hints);
    if (read === undefined && !/\d{4}/.test(raw)) continue;
    const kind = name.startsWith("article:") ? `article:${sense}` : `meta:${sense}`;
    found.push({ source: labels.get(name) ?? `meta:${name}`, kind, isChange: sense === "changed", raw, read });
    if (found.length >= MAX_METAS) break;
  }
  return found;
}

const articleTypes =
  /article|posting|report|review|recipe|creativework|newsarticle|discussion|question|video|podcast|episode|book|course|howto/i;
const properties = new Map([
  ["datePublished", "published"],
  ["dateCreated", "created"],
  ["datePosted", "published"],
  ["uploadDate", "uploaded"],
  ["dateModified", "changed"],
]);

function fromItems(page: PageView, hints: DateHints): DateEvidence[] {
  const found: DateEvidence[] = [];
  const seen = new Map<string, number>();
  for (const { item, isComment } of allItems(page)) {
    for (const [property, sense] of properties) {
      const raw = item.properties.get(property)?.find((value) => typeof value === "string");
      if (raw === undefined) continue;
      const syntax = item.syntax === "jsonld" ? "ld" : item.syntax;
      const form = isComment ? "comment" : item.types.some((type) => articleTypes.test(type)) ? "article" : "page";
      const kind = `${syntax}:${form}:${sense}`;
      const count = seen.get(kind) ?? 0;
      seen.set(kind, count + 1);
      if (count > 8) continue;
      found.push({
        source: `${syntax}:${property}`,
        kind,
        isChange: sense === "changed",
        raw: raw.slice(0, 80),
        read: readDate(raw, hints),
      });
    }
  }
  return found;
}

const MAX_ELEMENTS = 60;

function fromElements(surroundings: Surroundings, hints: DateHints): DateEvidence[] {
  const found: DateEvidence[] = [];
  for (const spot of surroundings.spots) {
    const offered = dateIn(spot);
    if (offered === undefined) continue;
    const { source, raw } = offered;
    const read = readDate(raw, hints);
    if (read === undefined) continue;
    const isChange = (spot.marks & marks.updated) !== 0 || /modif|updat/i.test(spot.element.attributes.itemprop ?? "");
    const place = placeOf(spot, spot.element, surroundings);
    found.push({ source, kind: `time:${isChange ? "changed" : "published"}:${place}`, isChange, raw: raw.slice(0, 80), read });
    if (found.length >= MAX_ELEMENTS) break;
  }
  return found;
}

function dateIn({ element, own }: Spot): { readonly source: string; readonly raw: string } | undefined {
  const { itemprop = "", datetime, content, title, pubdate } = element.attributes;
  const property = /^date(?:published|created|modified)$/i.exec(itemprop.trim())?.[0];
  if (property !== undefined) return { source: `[itemprop=${property}]`, raw: datetime ?? content ?? briefText(element) };
  if (element.name === "time") {
    if (datetime) return { source: pubdate === undefined ? "time[datetime]" : "time[pubdate]", raw: datetime };
    return { source: pubdate === undefined ? "time" : "time[pubdate]", raw: briefText(element) };
  }
  const isDated = (own & (marks.dated | marks.updated)) !== 0;
  const raw = datetime ?? content ?? title;
  return isDated && raw !== undefined ? { source: ".date[title]", raw } : undefined;
}

function fromUrl({ url }: PageView): DateEvidence[] {
  const found = dateInUrl(url);
  return found
    ? [{ source: "url", kind: `url:${found.form}`, isChange: false, raw: found.day, read: { day: found.day, iso: found.day } }]
    : [];
}

function fromScripts(page: PageView, hints: DateHints): DateEvidence[] {
  return scriptDates(page).flatMap(({ name, value }) => {
    const read = readDate(value, hints);
    const sense = senseOf(name);
    if (read === undefined) return [];
    return [{ source: `script:${name}`, kind: `script:${sense}`, isChange: sense === "changed", raw: value, read }];
  });
}

const MAX_LINES = 40;
const published =
  /publi|post(?:ed|s\b)|veröff|erstellt|erschienen|vom\b|publicado|pubblicato|geplaatst|released?|written|created|datum|date\b|опубл|yayın|发布|입력|등록|게시|발행|stand\b/i;
const updated =
  /updat|modif|revis|edited|chang|aktualis|geändert|mis à jour|actualiz|aggiorn|bijgewerkt|uppdat|oppdat|обновл|güncel|last reviewed|更新|수정|업데이트|zuletzt/i;
const copyright = /©|\(c\)|copyright|all rights/i;

function fromLines(surroundings: Surroundings, page: PageView): DateEvidence[] {
  const found: DateEvidence[] = [];
  let before = "";
  for (const line of surroundings.lines) {
    const dates = datesOfLine(line, page);
    if (dates.length > 0) {
      const start = line.text.slice(0, MAX_LINE_LENGTH);
      let from = 0;
      for (const read of dates) {
        const words =
          from === 0 && read.start < 4
            ? `${before.slice(-40)} ${start.slice(0, read.start)}`
            : start.slice(Math.max(from, read.start - 40), read.start);
        const { kind, isChange } = kindOfText(line, read, words, surroundings);
        from = read.end;
        found.push({
          source: "text",
          kind,
          isChange,
          raw: start.slice(read.start, read.end),
          read,
        });
      }
    }
    before = line.text.length < 60 ? line.text : "";
    if (found.length >= MAX_LINES) break;
  }
  return found;
}

function kindOfText(line: Line, read: { start: number; end: number }, words: string, surroundings: Surroundings) {
  const place = placeOf(line, line.block, surroundings);
  const isUpdateText = updated.test(words) && !(published.test(words) && words.search(published) > words.search(updated));
  const isChange = isUpdateText || line.change.includes(line.text.slice(read.start, read.end));
  if (copyright.test(words)) return { kind: "text:copyright", isChange };
  const isProse = line.text.length > 150 || read.end - read.start < line.text.length / 6;
  const sense = isChange ? "changed" : published.test(words) || (line.marks & marks.dated) !== 0 ? "published" : "dated";
  return { kind: `text:${isProse ? "prose" : sense}:${place}`, isChange };
}
