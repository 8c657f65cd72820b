/** Code in Markdown, line by line, as CommonMark reads it (§4.5, §5.2): what is code is no heading, no passage's end and no menu. */

/** What stands before the text of a line: quotes, items, blanks. */
const container = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])){0,40}/;

export const containerOf = (line: string): string => container.exec(line)![0];

/** Tabs before the text of a line as the blanks they stand for. */
function untabbed(line: string): string {
  const start = containerOf(line);
  if (!start.includes("\t")) return line;
  let spread = "";
  for (const sign of start) spread += sign === "\t" ? " ".repeat(4 - (spread.length % 4)) : sign;
  return spread + line.slice(start.length);
}

/** The mark of a fence, if a text begins with one. */
export function fenceOf(text: string): string | undefined {
  const sign = text[0];
  if (sign !== "`" && sign !== "~") return undefined;
  let end = 1;
  while (text[end] === sign) end += 1;
  return end < 3 || (sign === "`" && text.includes("`", end)) ? undefined : text.slice(0, end);
}

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

interface Open {
  readonly mark: string;
  /** What every line of it begins with. */
  readonly prefix: string;
}

export class Fences {
  #open: Open | undefined;
  #isAfterText = false;

  /**
   * Whether a line is code, or a mark of it, and how it is written so that nobody reads it otherwise. Code within an item or a quote ends with it:
   * `ends` is then the line that is missing before this one.
   */
  take(written: string): { isCode: boolean; line: string; ends: string | undefined } {
    const line = untabbed(written);
    const ends = this.#open && !goesOn(line, this.#open.prefix) ? this.end() : undefined;
    if (this.#open) {
      const isEnd = endsCode(line, this.#open);
      return { isCode: true, line: isEnd ? this.end()! : written, ends };
    }
    const start = containerOf(line);
    const mark = fenceOf(line.slice(start.length));
    // A list that does not begin with 1 cannot begin right after a paragraph, nor can what is in it.
    const isCode = mark !== undefined && !(this.#isAfterText && /(?:^|\D)(?!1[.)])\d+[.)]/.test(start));
    if (isCode) this.#open = { mark, prefix: start.replace(/[^>\s]/g, " ") };
    this.#isAfterText = !isBlank(line);
    return { isCode, line: written, ends };
  }

  /** The line that ends what is still open. */
  end(): string | undefined {
    const line = this.#open && this.#open.prefix + this.#open.mark;
    this.#open = undefined;
    return line;
  }

  /** Whether code is open that stands in no item or quote. */
  get isAtMargin(): boolean {
    return this.#open?.prefix === "";
  }
}

function goesOn(line: string, prefix: string): boolean {
  if (prefix.includes(">")) return line.trimStart().startsWith(">");
  return isBlank(line) || line.search(/[^ ]/) >= prefix.length;
}

/** A bare mark of its kind, at least as long, and not set in by much. */
function endsCode(line: string, { mark, prefix }: Open): boolean {
  const indent = line.search(/[^ ]/);
  const text = prefix.includes(">") ? line.replace(/^[ >]{0,1000}/, "") : line.slice(Math.max(0, indent));
  if (!prefix.includes(">") && indent > prefix.length + 3) return false;
  let end = 0;
  while (text[end] === mark[0]) end += 1;
  return end >= mark.length && isBlank(text.slice(end));
}
