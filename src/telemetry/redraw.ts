import { widthOf } from "./columns.ts";

const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const COLOURS = /\x1b\[[\d;]*m/g;

/** Moves to the first column of the block and back over its lines. A terminal that became narrower has broken them into several rows. */
function back(lines: readonly string[], columns: number): string {
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line.replace(COLOURS, "")) / columns)), 0);
  return rows > 0 ? `\r\x1b[${rows}A` : "\r";
}

/**
 * What to write so that `next` stands where `previous` stood. The cursor rests in the row below, where the ^C of an impatient person cannot
 * break a line of ours; each line is overwritten before its rest is cleared, so nothing flickers.
 */
export function redraw(previous: readonly string[], next: readonly string[], columns: number): string {
  const hasBroken = previous.some((line) => widthOf(line.replace(COLOURS, "")) > columns);
  const lines = next.map((line) => `${line}${CLEAR_LINE}\n`).join("");
  return back(previous, columns) + (hasBroken ? CLEAR_BELOW : "") + lines + CLEAR_BELOW;
}

/** What to write so that `line` stands where the block stood, and the block below it. The line may be longer than the terminal is wide. */
export function insertAbove(block: readonly string[], line: string, columns: number): string {
  return `${back(block, columns)}${CLEAR_BELOW}${line}\n${block.map((each) => `${each}\n`).join("")}`;
}
