/** JSON escapes of characters that a PostgreSQL text cannot hold: NUL and lone surrogates. JSON does not escape complete pairs. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Removes NUL and replaces invalid escapes, so that PostgreSQL can store the text, and parse it if it is JSON. */
export function toStorableText(text: string): string {
  const whole = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return whole.includes("\\u0000") || whole.includes("\\ud") ? whole.replace(UNSTORABLE, "$1\\ufffd") : whole;
}
