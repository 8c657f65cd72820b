import type { Reason } from "../../core/records.ts";
import { datePositionOf } from "./date-position.ts";
import { type Parts, parsedUrlOf, partsOf, type TakenApart } from "./parts.ts";
import { collapseRuns, isToken, maskQuery, templateOf } from "./template.ts";

/** A URL that may be one of endlessly many. `template` names all URLs of one trap, including the host. */
export interface TrapSuspicion {
  readonly kind: Reason;
  readonly template: string;
  readonly rule: string;
  /** For lists and calendars: the page number or date. */
  readonly at?: number | undefined;
  /** For filters: the names of those that are set. */
  readonly selection?: string;
  /** The URL shares only its last segment with others of its template. */
  readonly isLoose?: true;
  /** All parts are known from other URLs; in the path alone, or in the query too. */
  readonly isMixed?: "path" | "query";
  /** Filters that can be set in any order, or left out. */
  readonly isFilter?: true;
}

/** The cached suspicion, and the parent it was computed for. */
export interface CachedSuspicion {
  readonly parent: string | undefined;
  readonly suspicion: TrapSuspicion | undefined;
}

/** A suspicion alone has no effect: only pages that bring nothing new condemn their template. So it is better to suspect too much. */
export function suspect(url: string, parent: string | undefined): TrapSuspicion | undefined {
  const parts = parsedUrlOf(url);
  if (!parts) return undefined;
  // Asked when the URL is named, before its turn, and when its answer arrives; so it is cached.
  if (parts.cachedSuspicion?.parent !== parent || !parts.cachedSuspicion)
    parts.cachedSuspicion = { parent, suspicion: suspicionOf(url, parts, parent) };
  return parts.cachedSuspicion.suspicion;
}

function suspicionOf(url: string, parts: TakenApart, parent: string | undefined): TrapSuspicion | undefined {
  const { segments } = parts;
  const params = parts.query === "" ? NO_PARAMS : paramsOf(parts.query);
  const from = parent === undefined ? undefined : partsOf(parent);
  const isNumbered = /\d/.test(parts.path) || /\d/.test(parts.query);
  return (
    sessionTrap(parts, segments, params) ??
    repeatTrap(parts, segments) ??
    growingTrap(parts, segments, from) ??
    (isNumbered ? (calendarTrap(url, parts, segments, params) ?? paginationTrap(url, segments, params)) : undefined) ??
    filterTrap(parts, params, from)
  );
}

type Params = readonly [name: string, value: string][];

const NO_PARAMS: Params = [];

function paramsOf(query: string): Params {
  return query
    .slice(1)
    .split("&")
    .filter((param) => param !== "")
    .map((param) => {
      const equalsAt = param.indexOf("=");
      return equalsAt < 0 ? [param.toLowerCase(), ""] : [param.slice(0, equalsAt).toLowerCase(), param.slice(equalsAt + 1)];
    });
}

const SESSION_NAME = /^(.*sess(ion)?_?(id|key|token)?\w*|sid|s_?id|cf(id|token)|zenid|oscsid|token)$/;

/** One site under ever new session ids: all its pages form one trap. */
function sessionTrap(parts: Parts, segments: readonly string[], params: Params): TrapSuspicion | undefined {
  const suspicionBy = (where: string, what: string) => ({
    kind: "trap.session" as const,
    template: `${parts.host}${where}`,
    rule: `session id in ${what}`,
  });
  const index = segments.findIndex(isSession);
  if (index >= 0) return suspicionBy(`/${templateOf(`http://x/${segments.slice(0, index).join("/")}`).slice(2)}/{session}/**`, "the path");
  if (parts.path.includes(";") && segments.some(hasSessionParameter)) return suspicionBy("/**;session", "the path");
  const param = params.find(
    ([name, value]) => name.length < 64 && value.length >= 12 && SESSION_NAME.test(name) && /^[\w.,-]+$/.test(value),
  );
  return param && suspicionBy(`/**?${param[0]}`, `the parameter ${param[0]}`);
}

const isSession = (segment: string) =>
  segment.length >= 16 && (isToken(segment.replace(/^[a-z]{1,8}[-_=]/i, "")) || /^\((?:[a-z]\([0-9a-z]{16,}\))+\)$/i.test(segment));

const hasSessionParameter = (segment: string) => {
  const semicolon = segment.indexOf(";");
  return semicolon >= 0 && /^;[a-z_]*(sess|sid)[a-z_]*=/i.test(segment.slice(semicolon, semicolon + 40));
};

const MIN_REPEATS = 3;

/** A repeated pair repeats its segments, so counting single segments is enough. */
function repeatTrap(parts: Parts, segments: readonly string[]): TrapSuspicion | undefined {
  if (segments.length < MIN_REPEATS) return undefined;
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  for (const [segment, count] of counts) {
    if (count >= MIN_REPEATS)
      return { kind: "trap.repeat", template: repeatTemplate(parts), rule: `/${segment.slice(0, 40)}/ comes ${count} times in the path` };
  }
  return undefined;
}

const repeatTemplate = (parts: Parts) => `${parts.host}/**/{again}/**`;

/**
 * A relative link that should have been absolute makes each page a directory of the next. Paths that repeat a segment are one trap; deep
 * paths without a repetition are grouped by their last segment, because such a site serves the same page in every directory.
 */
function growingTrap(parts: Parts, segments: readonly string[], parent: Parts | undefined): TrapSuspicion | undefined {
  if (!parent || parent.host !== parts.host || parts.path.length <= parent.path.length) return undefined;
  const directory = parent.path.slice(0, parent.path.lastIndexOf("/") + 1);
  if (directory === "/" || !parts.path.startsWith(directory)) return undefined;
  const rule = `the path grows from ${directory}`;
  if (new Set(segments).size < segments.length) return { kind: "trap.growing", template: repeatTemplate(parts), rule };
  const last = segments.at(-1)!;
  // If the last segment is a value, all items of a host and its calendars would fall into one group.
  const isName = segments.length >= MIN_REPEATS && templateOf(`http://x/${last}`) === `x/${last}`;
  return isName ? { kind: "trap.growing", template: `${parts.host}/**/${last}`, rule, isLoose: true } : undefined;
}

/** A quick test: every dated path contains a year. */
const ANY_YEAR = /(?:19|20)\d\d/;
const YEAR = /^(19|20)\d\d$/;
/** A month or a week of the year. */
const MONTH = /^(0?[1-9]|[1-4]\d|5[0-3]|w[0-5]?\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i;
const DAY = /^(0?[1-9]|[12]\d|3[01])$/;
const DATE = /^(19|20)\d\d[-_.]?(0[1-9]|1[0-2])([-_.]?([0-2]\d|3[01]))?(T[\d:.%A-Z+-]*)?$/i;
/** Six digits may be a month or any other number. */
const BARE_MONTH = /^\d{6}$/;
const CALENDAR_WORD = /cal|agenda|event|date|day|week|month|year|schedul|programm?e|termin|kalender|archiv/i;
/** A date at the end of a name (`cal-2026-11.html`), or a week (`2026-W46`). Without separators it is an ordinary number. */
const DATE_AT_END =
  /(?:^|[a-z][-_.])(?:19|20)\d\d(?:[-_.]?w[0-5]\d|[-_.](?:0?[1-9]|1[0-2])(?:[-_.](?:0?[1-9]|[12]\d|3[01]))?)(?:\.[a-z]{2,5})?$/i;
const MONTH_OF_YEAR =
  /^(?:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-_.]?(19|20)\d\d|(19|20)\d\d[-_.]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})$/i;
const DATE_NAME = /^(.*date.*|.*month.*|.*year.*|.*day|week.*|cal.*|ym|from|to|start|end|when|time.*|d|t|ts|epoch)$/;
/** Seconds or milliseconds since 1970, from 2001 to 2065. */
const UNIX_TIME = /^[12]\d{9}(\d{3})?$/;

function calendarTrap(url: string, { path, query }: Parts, segments: readonly string[], params: Params): TrapSuspicion | undefined {
  if (params.length === 0 && !ANY_YEAR.test(path)) return undefined;
  const suspicionBy = (rule: string): TrapSuspicion => ({
    kind: "trap.calendar",
    template: calendarTemplateOf(url),
    rule,
    at: datePositionOf(path + query),
  });
  const param = params.find(
    ([name, value]) => name.length < 64 && DATE_NAME.test(name) && /^[-\w]/.test(value) && value.length <= 32 && isDateLike(name, value),
  );
  if (param) return suspicionBy(`dates in the parameter ${param[0]}`);
  const hasYear = params.some(([name, value]) => /^y/.test(name) && YEAR.test(value));
  if (hasYear && params.some(([name, value]) => /^[mwd]/.test(name) && MONTH.test(value))) return suspicionBy("dates in the parameters");
  // A post below its date is no calendar; a date at the end, or before one short word (`/2024/05/list`), may be one.
  const endsInShortWord = /^[a-z]{1,12}(\.[a-z]{2,5})?$/i.test(segments.at(-1) ?? "") && !MONTH.test(segments.at(-1)!);
  const isDated = endsInDate(endsInShortWord ? segments.slice(0, -1) : segments);
  return isDated ? suspicionBy("dates in the path") : undefined;
}

function endsInDate(segments: readonly string[]): boolean {
  const [third = "", second = "", last = ""] = ["", "", ...segments].slice(-3).map((segment) => segment.replace(/\.[a-z]{2,5}$/i, ""));
  const isNumber = BARE_MONTH.test(last) && !CALENDAR_WORD.test(second);
  return (
    (DATE.test(last) && !isNumber) ||
    DATE_AT_END.test(last) ||
    MONTH_OF_YEAR.test(last) ||
    (YEAR.test(second) && MONTH.test(last)) ||
    (YEAR.test(third) && MONTH.test(second) && DAY.test(last))
  );
}

/** Masks month names, so that all months of one calendar share a template. */
function calendarTemplateOf(url: string): string {
  const monthAsNumber = (text: string, at: number, all: readonly string[]) =>
    MONTH_OF_YEAR.test(text) ? "2000-01" : MONTH.test(text) && YEAR.test(all[at - 1] ?? "") ? "1" : text;
  return templateOf(url.split("/").map(monthAsNumber).join("/"));
}

/** `?start=40` is a page number, `?start=2024-05` a date; for `?month=5` the name is enough. */
const isDateLike = (name: string, value: string) =>
  DATE.test(value) ||
  UNIX_TIME.test(value) ||
  MONTH_OF_YEAR.test(value) ||
  (/month|year|day|week|date/.test(name) && /^-?\d{1,10}([-/.]\d{1,4}){0,2}$/.test(value));

const PAGE_NAME = /^(.*page.*|p|pg|paged|pn|offset|start|skip|from|first|begin|index|limitstart|cursor)$/;

function paginationTrap(url: string, segments: readonly string[], params: Params): TrapSuspicion | undefined {
  const suspicionBy = (rule: string, at: string): TrapSuspicion => ({
    kind: "trap.pagination",
    template: templateOf(url),
    rule,
    at: Number(/-?\d+/.exec(at)?.[0]),
  });
  const param = params.find(([name, value]) => name.length < 64 && PAGE_NAME.test(name) && /^-?\d{1,15}$/.test(value));
  if (param) return suspicionBy(`pages counted by the parameter ${param[0]}`, param[1]);
  const last = segments.at(-1) ?? "";
  const isNumbered = /^(page|p|seite|pagina)$/i.test(segments.at(-2) ?? "")
    ? /^\d{1,15}(\.\w{1,5})?$/.test(last)
    : /^page[-_]?\d{1,15}(\.\w{1,5})?$/i.test(last);
  return isNumbered ? suspicionBy("pages counted in the path", last.replace(/^page[-_]?/i, "")) : undefined;
}

/** Filters that are added one by one (`?colour=red` → `?colour=red&size=m`) show the same items in ever new selections. */
function filterTrap(parts: Parts, params: Params, parent: Parts | undefined): TrapSuspicion | undefined {
  if (!parent || parent.host !== parts.host || parent.path !== parts.path || params.length < 2) return undefined;
  return {
    kind: "trap.growing",
    template: `${parts.host}${collapseRuns(parts.path.split("/")).join("/")}?**`,
    rule: `the query grows: ${maskQuery(parts.query)}`,
    selection: [...new Set(params.map(([name]) => name))].sort().join("&"),
  };
}
