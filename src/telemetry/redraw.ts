import { widthOf } from "./columns.ts";

const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const DOWN = "\x1b[B";
const NO_WRAP = "\x1b[?7l";
const WRAP = "\x1b[?7h";
/** Terminals that know it show a frame at once (synchronized output); the others pass it over. */
const HOLD = "\x1b[?2026h";
const SHOW = "\x1b[?2026l";
const COLOURS = /\x1b\[[\d;]*m/g;

/**
 * What to write so that `next` stands where `previous` stood, below new lines that stay. The cursor rests in the row below, where the ^C of
 * an impatient person cannot break a line of ours; each line is overwritten before its rest is cleared, so nothing flickers. Some terminals
 * tell late that they became narrower: until they do, our lines are cut at the edge, and the rows that their breaking made stay to be cleared.
 */
export function redraw(previous: readonly string[], next: readonly string[], columns: number, above: readonly string[] = []): string {
  // A terminal that became narrower has broken our lines into several rows.
  const heights = previous.map((line) => Math.max(1, Math.ceil(widthOf(line.replace(COLOURS, "")) / columns)));
  const rows = heights.reduce((sum, height) => sum + height, 0);
  const back = rows > 0 ? `\x1b[${rows}A` : "";
  // Row by row, because tmux keeps in its history what is cleared from the top of the screen at once.
  const wipe = (CLEAR_LINE + DOWN).repeat(rows) + CLEAR_LINE + back;
  const isWiped = above.length > 0 || next.length === 0 || rows > previous.length;
  const stays = above.map((line) => `${line}\n`).join("");
  const block = next.map((line) => `${line}${CLEAR_LINE}\n`).join("");
  return `${HOLD}\r${back}${isWiped ? wipe : ""}${stays}${NO_WRAP}${block}${WRAP}${next.length > 0 ? CLEAR_BELOW : ""}${SHOW}`;
}
