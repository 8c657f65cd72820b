import { widthOf } from "../src/engine/telemetry/columns.ts";

interface Cell {
  readonly text: string;
  readonly style: string;
}

/** Neighbours of one style. */
export interface Run extends Cell {
  readonly column: number;
  readonly width: number;
}

interface Row {
  cells: Cell[];
  /** True if the row before broke into this one. */
  isContinued: boolean;
}

const emptyRow = (isContinued = false): Row => ({ cells: [], isContinued });

/**
 * A small terminal, as strict as a real one: a fixed grid with what has scrolled off above it, a cursor that cannot leave it, wrapping that
 * waits for the next character, wide characters over two cells, and lines that are broken anew when it is resized. A wide character is
 * followed by an empty cell; a cell nobody wrote in is a blank.
 */
export class Terminal {
  #columns: number;
  readonly #rows: number;
  #lines: Row[] = [emptyRow()];
  /** Counted over all lines, those that have scrolled off too. */
  #row = 0;
  #column = 0;
  #wraps = true;
  #left = "";
  readonly #style = new Set<string>();
  isCursorShown = true;

  constructor(columns: number, rows = 24) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Half a sequence waits for its other half. */
  feed(text: string): void {
    const whole = this.#left + text;
    const cut = /\x1b(\[[?\d;]*)?$/.exec(whole)?.index ?? whole.length;
    this.#left = whole.slice(cut);
    for (const [token] of whole.slice(0, cut).matchAll(/\x1b\[[?\d;]*[A-Za-z]|[\s\S]/gu)) this.#obey(token);
  }

  /** What is on the screen, without the blanks at the ends. */
  screen(): string[] {
    return this.#lines.slice(-this.#rows).map(textOf);
  }

  /** Everything that was ever shown and not overwritten. */
  all(): string[] {
    return this.#lines.map(textOf);
  }

  /** The same as `screen`, as runs of one style: "bold", "dim", "red", "green", "yellow", or several of them. */
  runs(): Run[][] {
    return this.#lines.slice(-this.#rows).map(({ cells }) => {
      const runs: Run[] = [];
      for (const [column, { text, style }] of cells.entries()) {
        const last = runs.at(-1);
        if (last?.style === style) runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + 1 };
        else runs.push({ text, style, column, width: 1 });
      }
      return runs;
    });
  }

  hasBroken = (): boolean => this.#lines.some(({ isContinued }) => isContinued);

  resize(columns: number): void {
    const whole: { cells: Cell[]; cursor: number | undefined }[] = [];
    for (const [index, { cells, isContinued }] of this.#lines.entries()) {
      const before = isContinued ? whole.pop()! : { cells: [], cursor: undefined };
      const cursor = index === this.#row ? before.cells.length + this.#column : before.cursor;
      whole.push({ cells: [...before.cells, ...cells], cursor });
    }
    this.#columns = columns;
    this.#lines = [];
    for (const { cells, cursor } of whole) {
      const first = this.#lines.length;
      for (let at = 0; at === 0 || at < cells.length; at += columns)
        this.#lines.push({ cells: cells.slice(at, at + columns), isContinued: at > 0 });
      if (cursor === undefined) continue;
      this.#row = Math.min(this.#lines.length - 1, first + Math.floor(cursor / columns));
      this.#column = cursor % columns;
    }
  }

  #obey(token: string): void {
    const [, amount = "", command] = /^\x1b\[([?\d;]*)([A-Za-z])$/.exec(token) ?? [];
    const top = Math.max(0, this.#lines.length - this.#rows);
    if (token === "\r") this.#column = 0;
    else if (token === "\n") this.#down(false);
    else if (command === undefined) this.#print(token);
    else if (command === "A") this.#row = Math.max(top, this.#row - Number(amount || 1));
    else if (command === "B") this.#row = Math.min(this.#lines.length - 1, this.#row + Number(amount || 1));
    else if (command === "K") this.#line.cells.length = Math.min(this.#line.cells.length, this.#column, this.#columns - 1);
    else if (command === "J") {
      this.#line.cells.length = Math.min(this.#line.cells.length, this.#column);
      for (let row = this.#row + 1; row < this.#lines.length; row++) this.#lines[row] = emptyRow();
    } else if (amount === "?7") this.#wraps = command === "h";
    else if (amount === "?25") this.isCursorShown = command === "h";
    else if (command === "m") this.#paint(amount);
    else if (amount !== "?2026") throw new Error(`a terminal might not know ${JSON.stringify(token)}`);
  }

  #paint(code: string): void {
    const [name, ends] = STYLES[code] ?? [];
    if (name === undefined) throw new Error(`a colour nobody expects: ${code}`);
    for (const other of ends!) this.#style.delete(other);
    if (name !== "") this.#style.add(name);
  }

  get #line(): Row {
    return this.#lines[this.#row]!;
  }

  #down(isContinued: boolean): void {
    this.#row += 1;
    if (isContinued) this.#column = 0;
    if (this.#row === this.#lines.length) this.#lines.push(emptyRow(isContinued));
    else if (isContinued) this.#line.isContinued = true;
  }

  #print(character: string): void {
    if (/\p{Cc}/u.test(character)) throw new Error(`a control character reached the terminal: ${JSON.stringify(character)}`);
    const width = widthOf(character);
    if (width === 0) return;
    const isBeyond = this.#column + width > this.#columns;
    if (isBeyond && this.#wraps) this.#down(true);
    else if (isBeyond) this.#column = this.#columns - width;
    const { cells } = this.#line;
    const style = [...this.#style].sort().join(" ");
    while (cells.length < this.#column) cells.push({ text: " ", style: "" });
    cells.splice(this.#column, width, { text: character, style }, ...(width === 2 ? [{ text: "", style }] : []));
    this.#column += width;
  }
}

const HUES = ["red", "green", "yellow"];
/** What picocolors writes, and which styles each ends. */
const STYLES: Readonly<Record<string, readonly [begins: string, ends: readonly string[]]>> = {
  1: ["bold", []],
  2: ["dim", []],
  22: ["", ["bold", "dim"]],
  31: ["red", HUES],
  32: ["green", HUES],
  33: ["yellow", HUES],
  39: ["", HUES],
};

const textOf = ({ cells }: Row): string =>
  cells
    .map(({ text }) => text)
    .join("")
    .trimEnd();
