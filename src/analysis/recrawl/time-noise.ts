/** When the page was read before, and now. */
export interface ReadTimes {
  readonly before: number;
  readonly now: number;
}

const DAY = 86_400_000;

/** Names of the months in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const MONTHS = [
  "january jan januar jänner janvier enero gennaio janeiro januari",
  "february feb februar février febrero febbraio fevereiro februari",
  "march mar märz mrz mars marzo março maart",
  "april apr avril abril aprile",
  "may mai mayo maggio maio mei",
  "june jun juni juin junio giugno junho",
  "july jul juli juillet julio luglio julho",
  "august aug août agosto augustus",
  "september sept sep septembre septiembre settembre setembro",
  "october oct oktober okt octobre octubre ottobre outubro",
  "november nov novembre noviembre novembro",
  "december dec dezember dez décembre diciembre dicembre dezembro",
].map((names) => names.split(" "));
const TIME = String.raw`(?:[T,]?\s*(?:at\s+|um\s+|à\s+)?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\b\.?)?\s*(?:Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d)?)?`;
const MONTH = String.raw`(?:${MONTHS.flat().join("|")})(?!\p{L})\.?`;
const DATES: readonly [RegExp, (found: readonly string[]) => number][] = [
  [new RegExp(String.raw`\b(\d{4})[-/.](\d\d)[-/.](\d\d)\b${TIME}`, "gi"), ([, y, m, d]) => Date.UTC(Number(y), Number(m) - 1, Number(d))],
  [new RegExp(String.raw`\b(\d\d?)[/.](\d\d?)[/.](\d{4})\b${TIME}`, "gi"), ([, d, m, y]) => Date.UTC(Number(y), Number(m) - 1, Number(d))],
  [
    new RegExp(String.raw`\b(\d\d?)(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+)?(${MONTH})(?:\s+de)?,?\s+(\d{4})\b${TIME}`, "giu"),
    ([, d, m, y]) => Date.UTC(Number(y), monthOf(m), Number(d)),
  ],
  [
    new RegExp(String.raw`\b(${MONTH})\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(\d{4})\b${TIME}`, "giu"),
    ([, m, d, y]) => Date.UTC(Number(y), monthOf(m), Number(d)),
  ],
];
const monthOf = (name = "") => MONTHS.findIndex((names) => names.includes(name.toLowerCase().replace(/\.$/, "")));

/** True if it was that day somewhere on earth. Where day and month are ambiguous, both readings are tried. */
function isDayOf(day: number, at: number): boolean {
  const dayDate = new Date(day);
  const swapped = Date.UTC(dayDate.getUTCFullYear(), dayDate.getUTCDate() - 1, dayDate.getUTCMonth() + 1);
  return [day, swapped].some((each) => at > each - DAY && at < each + 2 * DAY);
}

const WEEKDAY =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\.?,?\s+(?:(?:der|den|dem|le|el)\s+)?(?=\{today\})/giu;

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
const LONG_UNIT = `(?:${UNITS.filter(([, length]) => length >= DAY)
  .map(([names]) => names)
  .join("|")})\\p{L}*`;
const UNIT = `(?:${UNITS.map(([names]) => names).join("|")})\\p{L}*`;
const QUANTITY = "(?:an?|one|\\d+\\+?|eine[rmn]?|une?|un[ao]?|een)";
const AGE = new RegExp(
  `(?<!\\p{L})(?:${QUANTITY}\\s+${UNIT}\\s+(?:ago|fa|geleden|sedan)|(?:vor|il y a|hace|há)\\s+${QUANTITY}\\s+${UNIT}|just now|today|yesterday|last (?:week|month|year)|heute|gestern|aujourd'hui|hier|ayer|ieri|gisteren)(?!\\p{L})`,
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
const piecesOf = (text: string): string[] => text.split(DATES_AND_AGES);
const DATES_AND_AGES = new RegExp(
  `(${[AGE, ...DATES.map(([pattern]) => pattern)].map(({ source }) => source.replace(/\((?!\?)/g, "(?:")).join("|")})`,
  "giu",
);

const isAge = (piece: string) => piece.replace(AGE, "") === "";

/** Days or more: a shorter time may be a duration, and so may "ready in 5 days". */
const TO_GO = new RegExp(
  `(?:(?<=(?<!\\p{L})(?:closes|closing|ends|ending|starts|starting|begins|beginning|expires|expiring|due|endet|schließt|beginnt|startet) )in\\s+\\d+\\s+${LONG_UNIT}|(?<!\\p{L})(?:noch|encore)\\s+\\d+\\s+${LONG_UNIT}|(?<![\\p{L}\\d])\\d+\\s+${LONG_UNIT}\\s+(?:left|to go|remaining|restants?|übrig))(?!\\p{L})`,
  "giu",
);

/** Both texts without times to go that have shrunk by what has passed between the two readings. */
function withoutShrunk(before: string, now: string, elapsed: number): [string, string] {
  const [were, are] = [before.match(TO_GO) ?? [], now.match(TO_GO) ?? []];
  if (elapsed < DAY / 2 || were.length === 0 || were.length !== are.length) return [before, now];
  const haveShrunk = were.map((was, at) => {
    const [old, fresh] = [lengthOf(was), lengthOf(are[at]!)];
    return old.unit === fresh.unit && Math.abs(old.length - fresh.length - elapsed) < old.unit;
  });
  return [before, now].map((text) => {
    let at = -1;
    return text.replace(TO_GO, (found) => (haveShrunk[++at] ? "{to go}" : found));
  }) as [string, string];
}

function lengthOf(text: string): { readonly unit: number; readonly length: number } {
  const name = /\d+\s+(\p{L}+)/u.exec(text)?.[1]?.toLowerCase() ?? "";
  const unit = UNITS.find(([names]) => new RegExp(`^(?:${names})`, "u").test(name))?.[1] ?? DAY;
  return { unit, length: Number.parseInt(/\d+/.exec(text)![0], 10) * unit };
}

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
export function withoutTimeTexts(before: string, now: string, at: ReadTimes): [string, string] {
  let [was, is] = [withoutToday(before, at.before), withoutToday(now, at.now)];
  const count = (text: string) => text.split("{today}").length;
  if (count(was) !== count(is)) [was, is] = [before, now];
  if (was !== is) [was, is] = withoutShrunk(was, is, at.now - at.before);
  if (was !== is && hasOnlyAged(was, is)) return [is, is];
  return [was, is];
}
