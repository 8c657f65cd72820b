/** Neutralises characters in output that could control a terminal or change the direction of text. */

/**
 * Control characters except tab and line ends, direction controls, and invisible tag characters. A single carriage
 * return would overwrite the current line.
 */
const CONTROL_CHARACTERS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\r(?!\n)/gu;

/** In plain text such characters are written as escapes: `\x1b`. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, (character) => escapeOf(character.codePointAt(0)!));

const escapeOf = (code: number) => (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`);

/** In JSON they are written as JSON escapes, which keep the value. */
export const escapeJsonControls = (json: string): string =>
  json.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
