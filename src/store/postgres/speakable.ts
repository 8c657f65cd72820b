/** Escapes of what no text of PostgreSQL's can hold, as JSON has them: NUL, and halves of characters. Whole ones JSON leaves as they are. */
const UNSPEAKABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** A text as PostgreSQL can keep it, and read it as JSON if it is some. */
export function speakable(text: string): string {
  const whole = text.includes("\0") ? text.replaceAll("\0", "") : text;
  return whole.includes("\\u0000") || whole.includes("\\ud") ? whole.replace(UNSPEAKABLE, "$1\\ufffd") : whole;
}
