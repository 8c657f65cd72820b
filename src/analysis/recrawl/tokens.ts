/** A piece of text and its kind: a word, punctuation, or a value that programs fill in. */
export interface Token {
  readonly text: string;
  /** "w" word, "p" punctuation; values: "n" number, "d" date or time in digits, "m" month or weekday, "x" letters and digits. */
  readonly form: string;
}

const TOKEN_PATTERN =
  /\d{4}-\d\d-\d\dT[\d:.,+-]+\d(?:Z\b)?|\d+(?:[.,:/'’-]\d+)+|[A-Za-z0-9]*\d[A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*|[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}\d]+/gu;

export function tokensOf(text: string): Token[] {
  const pieces = text.match(TOKEN_PATTERN) ?? [];
  const isNumber = (piece: string | undefined) => piece !== undefined && /^\d/.test(piece);
  return pieces.map((piece, at) => {
    const isDate = AMBIGUOUS_NAMES.has(piece.toLowerCase()) && (isNumber(pieces[at - 1]) || isNumber(pieces[at + 1]));
    return { text: piece, form: isDate ? "m" : formOf(piece) };
  });
}

/** Counted as months or weekdays only next to a number. */
const AMBIGUOUS_NAMES = new Set("may mar sun sat so do mi di ma mai".split(" "));

function formOf(piece: string): string {
  if (/^\d+([.,'’]\d{3})*([.,]\d+)?$/.test(piece)) return "n";
  if (/^\d+(?:[.,:/'’-]\d+)+$/.test(piece)) return "d";
  if (!/\d/.test(piece)) return /^[\p{L}\p{M}]/u.test(piece) ? (calendarNames().has(piece.toLowerCase()) ? "m" : "w") : "p";
  return /^\d{4}-?\d\d-?\d\dT/.test(piece) ? "d" : "x";
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "da"];
let names: Set<string> | undefined;

/** Names of months and weekdays in the larger European languages. */
function calendarNames(): Set<string> {
  if (names) return names;
  names = new Set();
  for (const language of LANGUAGES) {
    // Short names are words in other languages.
    for (const width of language === "en" || language === "de" ? (["long", "short"] as const) : (["long"] as const)) {
      const month = new Intl.DateTimeFormat(language, { month: width, day: "numeric", timeZone: "UTC" });
      const weekday = new Intl.DateTimeFormat(language, { weekday: width, timeZone: "UTC" });
      const partsOf = (format: Intl.DateTimeFormat, at: number, type: string) =>
        format
          .formatToParts(at)
          .find((part) => part.type === type)
          ?.value.toLowerCase()
          .replace(/\.$/, "") ?? "";
      for (let at = 0; at < 12; at += 1) names.add(partsOf(month, Date.UTC(2024, at, 15), "month"));
      for (let at = 1; at <= 7; at += 1) names.add(partsOf(weekday, Date.UTC(2024, 0, at), "weekday"));
    }
  }
  for (const word of [...AMBIGUOUS_NAMES, ""]) names.delete(word);
  return names;
}

export const isValueToken = ({ form }: Token): boolean => form !== "w" && form !== "p";

/** Words as they are, values by their form. */
export const shapeOf = (token: Token): string => (isValueToken(token) ? `{${token.form}}` : token.text.toLowerCase());

/** The text with every filled-in value replaced by its form. */
export const skeletonOf = (tokens: readonly Token[]): string => tokens.map(shapeOf).join(" ");
