/** Dates in sitemaps and feeds: W3C datetime (ISO 8601 profile) and RFC 822, with common deviations. */

const w3c =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}:?(?:\d{2})?)?)?)?)?$/i;
const rfc822 =
  /^(?:[a-z]{2,9}[,.]?\s+)?(\d{1,2})[\s-]([a-z]{3,9})\.?[\s-](\d{2}|\d{4})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+([a-z]{1,5}|[+-]\d{2}:?\d{2}))?$/i;

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const zones = new Map([
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
  ["cet", 1],
  ["cest", 2],
  ["bst", 1],
]);

/** Milliseconds since 1970, or undefined. A W3C date without a zone is taken as UTC; RFC 822 demands one. */
export function parseLastmod(text: string): number | undefined {
  const input = text.trim();
  if (input.length > 64) return undefined;
  const iso = w3c.exec(input);
  if (iso !== null) {
    const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "0", zone] = iso;
    return moment([year!, month, day, hour, minute, second].map(Number), Number(`0.${fraction}`) * 1000, zone);
  }
  const [, day, monthName = "", year = "", hour = "0", minute = "0", second = "0", zone] = rfc822.exec(input) ?? [];
  const month = months.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
  if (day === undefined || month === 0) return undefined;
  // RFC 2822 §4.3: two-digit years below 50 belong to this century.
  const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900);
  return moment([fullYear, month, ...[day, hour, minute, second].map(Number)], 0, zone);
}

function moment(parts: number[], milliseconds: number, zone: string | undefined): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  if (month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 60) return undefined;
  const midnight = Date.UTC(year, month - 1, day);
  // Date.UTC turns 31 February into a day in March; a date that does not exist is rejected.
  if (year < 100 || new Date(midnight).getUTCDate() !== day) return undefined;
  return midnight + ((hour * 60 + minute) * 60 + second) * 1000 + Math.round(milliseconds) - offset(zone);
}

function offset(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return (zones.get(zone.toLowerCase()) ?? 0) * 3_600_000;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
