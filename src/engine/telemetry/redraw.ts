import { widthOf } from "./columns.ts";

const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const DOWN = "\x1b[B";
const NO_WRAP = "\x1b[?7l";
const WRAP = "\x1b[?7h";
/** Synchronized output: terminals that support it show a frame at once; others ignore it. */
const BEGIN_FRAME = "\x1b[?2026h";
const END_FRAME = "\x1b[?2026l";
const COLOURS = /\x1b\[[\d;]*m/g;

/**
 * Returns the output that replaces `previous` by `next`, below new permanent lines. The cursor rests in the row below,
 * so that a ^C typed by the user does not break a line. Each line is overwritten before its rest is cleared, which
 * avoids flicker. Some terminals report late that they became narrower; until then our lines are cut at the edge instead
 * of wrapping, and rows from earlier wrapping remain to be cleared.
 */
export function redraw(previous: readonly string[], next: readonly string[], columns: number, above: readonly string[] = []): string {
  // A terminal that became narrower has wrapped our lines over several rows.
  const heights = previous.map((line) => Math.max(1, Math.ceil(widthOf(line.replace(COLOURS, "")) / columns)));
  const rows = heights.reduce((sum, height) => sum + height, 0);
  const cursorUp = rows > 0 ? `\x1b[${rows}A` : "";
  // Row by row, because tmux moves to its history what is cleared from the top of the screen at once.
  const clearRows = (CLEAR_LINE + DOWN).repeat(rows) + CLEAR_LINE + cursorUp;
  const mustClear = above.length > 0 || next.length === 0 || rows > previous.length;
  const permanentLines = above.map((line) => `${line}\n`).join("");
  const block = next.map((line) => `${line}${CLEAR_LINE}\n`).join("");
  return `${BEGIN_FRAME}\r${cursorUp}${mustClear ? clearRows : ""}${permanentLines}${NO_WRAP}${block}${WRAP}${next.length > 0 ? CLEAR_BELOW : ""}${END_FRAME}`;
}
