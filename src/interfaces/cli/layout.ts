/** Longer lines are hard to read, however wide the terminal is. */
const MAX_WIDTH = 100;
const MIN_WIDTH = 40;
/** A longer term gets a line of its own. */
const MAX_TERM_WIDTH = 28;
const INDENT = 2;

export const helpWidth = (columns: number | undefined): number => Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns || 80));

/** Wraps words at this width; a longer word is kept whole, so that it can be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  // Keeps a default on the same line as its value.
  for (const part of text.replace(/\(default: (\S+)\)/g, "(default:\u00a0$1)").split(" ")) {
    const word = part.replace("\u00a0", " ");
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export type Row = readonly [term: string, about: string];

/** Where the right column begins; the same for rows that are aligned. */
export function columnOf(rows: readonly Row[], width: number): number {
  const maxTermWidth = Math.min(MAX_TERM_WIDTH, Math.floor(width * 0.4));
  const fitting = rows.map(([term]) => term.length).filter((length) => length <= maxTermWidth);
  return INDENT + Math.max(0, ...fitting) + 2;
}

/** Terms on the left, descriptions on the right. */
export function twoColumns(rows: readonly Row[], width: number, column = columnOf(rows, width)): string[] {
  return rows.flatMap(([term, about]) => {
    const lines = about === "" ? [] : wrap(about, width - column).map((line) => " ".repeat(column) + line);
    const head = " ".repeat(INDENT) + term;
    if (lines.length === 0 || head.length + 2 > column) return [head, ...lines];
    return [head.padEnd(column) + lines[0]!.trimStart(), ...lines.slice(1)];
  });
}
