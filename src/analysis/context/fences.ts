/** Detects fenced code in Markdown line by line (CommonMark §4.5, §5.2): lines of code are not headings, ends of passages or menus. */

/** Container prefix of a line: quotes, list items, indentation. */
const container = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])){0,40}/;

export const containerOf = (line: string): string => container.exec(line)![0];

/** Expands tabs in the prefix to spaces. */
function withSpaces(line: string): string {
  const start = containerOf(line);
  if (!start.includes("\t")) return line;
  let expanded = "";
  for (const char of start) expanded += char === "\t" ? " ".repeat(4 - (expanded.length % 4)) : char;
  return expanded + line.slice(start.length);
}

/** The fence characters at the beginning of a text, if any. */
export function fenceOf(text: string): string | undefined {
  const char = text[0];
  if (char !== "`" && char !== "~") return undefined;
  let end = 1;
  while (text[end] === char) end += 1;
  return end < 3 || (char === "`" && text.includes("`", end)) ? undefined : text.slice(0, end);
}

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

interface OpenFence {
  readonly fence: string;
  /** Prefix of every line of the code. */
  readonly prefix: string;
}

export class FenceTracker {
  #open: OpenFence | undefined;
  #isAfterText = false;

  /**
   * Returns whether a line is code or a fence, and the line as it must be written to be unambiguous. Code in a list item or quote ends with
   * its container: `ends` is then the closing fence that is missing before this line.
   */
  readLine(rawLine: string): { isCode: boolean; line: string; missingFence: string | undefined } {
    const line = withSpaces(rawLine);
    const missingFence = this.#open && !staysInContainer(line, this.#open.prefix) ? this.end() : undefined;
    if (this.#open) {
      const isEnd = endsCode(line, this.#open);
      return { isCode: true, line: isEnd ? this.end()! : rawLine, missingFence };
    }
    const start = containerOf(line);
    const fence = fenceOf(line.slice(start.length));
    // CommonMark: an ordered list that does not start with 1 cannot interrupt a paragraph, nor can code within it.
    const isCode = fence !== undefined && !(this.#isAfterText && /(?:^|\D)(?!1[.)])\d+[.)]/.test(start));
    if (isCode) this.#open = { fence, prefix: start.replace(/[^>\s]/g, " ") };
    this.#isAfterText = !isBlank(line);
    return { isCode, line: rawLine, missingFence };
  }

  /** The closing fence for open code, if any. */
  end(): string | undefined {
    const line = this.#open && this.#open.prefix + this.#open.fence;
    this.#open = undefined;
    return line;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether code is open outside of list items and quotes. */
  get isTopLevel(): boolean {
    return this.#open?.prefix === "";
  }
}

function staysInContainer(line: string, prefix: string): boolean {
  if (prefix.includes(">")) return line.trimStart().startsWith(">");
  return isBlank(line) || line.search(/[^ ]/) >= prefix.length;
}

/** Whether a line closes the code: same fence character, at least as long, indented by at most three. */
function endsCode(line: string, { fence, prefix }: OpenFence): boolean {
  const indent = line.search(/[^ ]/);
  const text = prefix.includes(">") ? line.replace(/^[ >]{0,1000}/, "") : line.slice(Math.max(0, indent));
  if (!prefix.includes(">") && indent > prefix.length + 3) return false;
  let end = 0;
  while (text[end] === fence[0]) end += 1;
  return end >= fence.length && isBlank(text.slice(end));
}
