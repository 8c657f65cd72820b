/** When the page was read before, and now. */
export interface Moments {
  readonly before: number;
  readonly now: number;
}

const DAY = 86_400_000;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const TIME = String.raw`(?:[T,]?\s*(?:at\s+|um\s+|à\s+)?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\b\.?)?\s*(?:Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d)?)?`;
const MONTH = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const DATES: readonly [RegExp, (found: readonly string[]) => number][] = [
  [new RegExp(String.raw`\b(\d{4})[-/.](\d\d)[-/.](\d\d)\b${TIME}`, "gi"), ([, y, m, d]) => Date.UTC(Number(y), Number(m) - 1, Number(d))],
  [new RegExp(String.raw`\b(\d\d?)[/.](\d\d?)[/.](\d{4})\b${TIME}`, "gi"), ([, d, m, y]) => Date.UTC(Number(y), Number(m) - 1, Number(d))],
  [
    new RegExp(String.raw`\b(\d\d?)(?:st|nd|rd|th|\.)?\s+(${MONTH}),?\s+(\d{4})\b${TIME}`, "gi"),
    ([, d, m, y]) => Date.UTC(Number(y), monthOf(m), Number(d)),
  ],
  [
    new RegExp(String.raw`\b(${MONTH})\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(\d{4})\b${TIME}`, "gi"),
    ([, m, d, y]) => Date.UTC(Number(y), monthOf(m), Number(d)),
  ],
];
const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

/** True if it was that day somewhere on earth. Where day and month are ambiguous, both readings are tried. */
function isDayOf(day: number, at: number): boolean {
  const turned = new Date(day);
  const swapped = Date.UTC(turned.getUTCFullYear(), turned.getUTCDate() - 1, turned.getUTCMonth() + 1);
  return [day, swapped].some((each) => at > each - DAY && at < each + 2 * DAY);
}

const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?=\{today\})/gi;

function withoutToday(text: string, at: number): string {
  const masked = DATES.reduce(
    (masked, [pattern, dayOf]) =>
      masked.replace(pattern, (...found) => (isDayOf(dayOf(found as string[]), at) ? "{today}" : String(found[0]))),
    text,
  );
  return masked === text ? text : masked.replace(WEEKDAY, "");
}

/** Units of time in the larger European languages, by the beginnings of their names. */
const UNITS: readonly (readonly [names: string, length: number])[] = [
  ["sec|sek", 1000],
  ["min", 60_000],
  ["hour|hr|stunde|heure|hora|or[ae]|uur|uren|timm", 3_600_000],
  ["day|tag|jour|d[ií]a|giorn|dag", DAY],
  ["week|wk|woche|semaine|semana|settiman|weken", 7 * DAY],
  ["month|monat|mois|mes|maand|månad", 30 * DAY],
  ["year|yr|jahr|an|año|ann|jaar|jaren|år", 365 * DAY],
];
const UNIT = `(?:${UNITS.map(([names]) => names).join("|")})\\p{L}*`;
const MANY = "(?:an?|one|\\d+|eine[rmn]?|une?|un[ao]?|een)";
const AGE = new RegExp(
  `(?<!\\p{L})(?:${MANY}\\s+${UNIT}\\s+(?:ago|fa|geleden|sedan)|(?:vor|il y a|hace|há)\\s+${MANY}\\s+${UNIT}|just now|today|yesterday|last (?:week|month|year)|heute|gestern|aujourd'hui|hier|ayer|ieri|gisteren)(?!\\p{L})`,
  "giu",
);

/** The age in milliseconds. */
function ageIn(text: string): number {
  const words = text.toLowerCase();
  const unit = UNITS.find(([names]) => new RegExp(`(?<!\\p{L})(?:${names})\\p{L}*(?:\\s+(?:ago|fa|geleden|sedan))?$`, "u").test(words));
  const many = /\d+/.exec(words)?.[0];
  if (unit) return (many === undefined ? 1 : Number(many)) * unit[1];
  return /^(?:just now|today|heute|aujourd)/.test(words) ? 0 : DAY;
}

/** Splits a text; the pieces at odd indexes are ages, or written-out dates. */
const piecesOf = (text: string): string[] => text.split(MOMENTS);
const MOMENTS = new RegExp(
  `(${[AGE, ...DATES.map(([pattern]) => pattern)].map(({ source }) => source.replace(/\((?!\?)/g, "(?:")).join("|")})`,
  "giu",
);

const isAge = (piece: string) => piece.replace(AGE, "") === "";

/** True if the text has only aged: "3 days ago" became "a week ago", or a date. An age that became smaller is news. */
function hasOnlyAged(before: string, now: string): boolean {
  const [was, is] = [piecesOf(before), piecesOf(now)];
  if (was.length !== is.length || was.length === 1) return false;
  return was.every((piece, at) => {
    const other = is[at]!;
    if (piece === other) return true;
    return at % 2 === 1 && isAge(piece) && (isAge(other) ? ageIn(other) >= ageIn(piece) : ageIn(piece) > 0);
  });
}

/** The two readings of a block without parts that only reflect the time: the date of reading, and ages that have grown. */
export function withoutClock(before: string, now: string, at: Moments): [string, string] {
  let [was, is] = [withoutToday(before, at.before), withoutToday(now, at.now)];
  const count = (text: string) => text.split("{today}").length;
  if (count(was) !== count(is)) [was, is] = [before, now];
  if (was !== is && hasOnlyAged(was, is)) return [is, is];
  return [was, is];
}
