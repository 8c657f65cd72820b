/** Characters that most terminals draw over two columns: East Asian scripts, full-width forms and emoji. */
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Combining marks, which take no column. U+FE0F is not included: it selects the wide emoji form of a narrow character. */
const ZERO_WIDTH = /(?!\ufe0f)[\p{Mn}\p{Me}\u200c\u200d]/u;

export type Paint = (text: string) => string;
/** A piece of a line that is kept together, with its colour. */
export type Cell = readonly [text: string, paint?: Paint];

const GAP = "   ";
/** A cell cut to fewer columns would be useless. */
const MIN_CELL_WIDTH = 8;

/** The columns that printable text without colours takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (character < "\u0300") return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The beginning of the text that fits the columns, with an ellipsis if it was cut. */
export function shorten(text: string, columns: number): string {
  let shown = "";
  let kept = ""; // the longest beginning that leaves room for the ellipsis
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) return columns > 0 ? `${kept}…` : "";
    shown += character;
    if (width < columns) kept = shown;
  }
  return shown;
}

/** Breaks a text into lines that fit the columns, after the dots of a list or between words; longer words are not broken. */
export function wrapLine(text: string, columns: number): string[] {
  if (widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const part of text.split(text.includes(" · ") ? /(?<= ·) | {3}/ : " ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(part) > columns) {
      lines.push(line);
      line = part;
    } else line = line === "" ? part : `${line} ${part}`;
  }
  return [...lines, line];
}

export const pad = (text: string, columns: number) => text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** As many whole cells as fit the columns: a cut number would look like another number. */
export function joinWhole(cells: readonly Cell[], columns: number): string {
  let line = "";
  let width = 0;
  for (const [text, paint = unpainted] of cells) {
    const gap = width === 0 ? "" : GAP;
    width += gap.length + widthOf(text);
    if (width > columns) return line;
    line += gap + paint(text);
  }
  return line;
}

/** Cells from the left, the last one cut to fit, and one at the right edge if there is room for it. */
export function row(cells: readonly Cell[], columns: number, edge: Cell = [""]): string {
  const edgeWidth = widthOf(edge[0]);
  const hasEdge = edgeWidth > 0 && edgeWidth * 3 <= columns;
  const room = hasEdge ? columns - edgeWidth - GAP.length : columns;
  let line = "";
  let width = 0;
  for (const [text, paint = unpainted] of cells) {
    const gap = width === 0 ? "" : GAP;
    const left = room - width - gap.length;
    if (width > 0 && left < Math.min(MIN_CELL_WIDTH, widthOf(text))) break;
    const shown = shorten(text, left);
    line += gap + paint(shown);
    width += gap.length + widthOf(shown);
  }
  if (!hasEdge) return line;
  return line + " ".repeat(columns - edgeWidth - width) + (edge[1] ?? unpainted)(edge[0]);
}

const unpainted: Paint = (text) => text;
