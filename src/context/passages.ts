/** Markdown as passages: paragraphs, lists, tables and code, each whole. Every expression here is linear: pages are long and some are hostile. */

/** The mark of a fence, if a text begins with one (CommonMark §4.5). */
export function fenceOf(text: string): string | undefined {
  const sign = text[0];
  if (sign !== "`" && sign !== "~") return undefined;
  let end = 1;
  while (text[end] === sign) end += 1;
  return end < 3 || (sign === "`" && text.includes("`", end)) ? undefined : text.slice(0, end);
}

/** Whether a line ends the code that a mark has begun: a bare mark of its kind, at least as long. */
export const endsFence = (line: string, mark: string): boolean => {
  const bare = line.trim();
  return bare.length >= mark.length && fenceOf(bare) === bare && bare[0] === mark[0];
};

const fenceAt = (line: string) => fenceOf(line.replace(/^ {1,3}/, ""));

/** Follows the fences of code line by line: whether the line is within one, or is its mark. */
export class Fences {
  #open: string | undefined;

  takes(line: string): boolean {
    if (this.#open === undefined) {
      this.#open = fenceAt(line);
      return this.#open !== undefined;
    }
    if (endsFence(line, this.#open) && fenceAt(line) !== undefined) this.#open = undefined;
    return true;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }
}

export function passagesOf(content: string): string[] {
  const passages: string[] = [];
  const fences = new Fences();
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) add(passages, lines.join("\n"));
    lines = [];
  };
  let wasCode = false;
  for (const line of content.split("\n")) {
    const isCode = fences.takes(line);
    if (isCode !== wasCode || (!isCode && line.trim() === "")) end();
    if (isCode || line.trim() !== "") lines.push(line);
    wasCode = isCode && fences.isOpen;
  }
  end();
  return passages;
}

/** A term stays with its explanation: they come as two blocks. */
function add(passages: string[], passage: string): void {
  const before = passages.at(-1);
  if (before !== undefined && isTerm(before) && /^[-*] /.test(passage)) passages[passages.length - 1] = `${before}\n\n${passage}`;
  else passages.push(passage);
}

const LONGEST_TERM = 120;
const isTerm = (passage: string) => passage.length <= LONGEST_TERM && /^\*\*[^*\n]+\*\*:?$/.test(passage);

export const isCode = (passage: string): boolean => fenceAt(passage.split("\n", 1)[0]!) !== undefined;
export const isTable = (passage: string): boolean => /^ {0,3}\|/.test(passage);
export const isList = (passage: string): boolean => /^ {0,3}(?:[-*+]|\d{1,9}[.)]) /.test(passage);

// Bounded, because an expression that has to remember a megabyte may find no room for it.
const image = /!\[(?:[^[\]\\]|\\.){0,2000}\]\((?:<[^<>\n]{0,4000}>|(?:[^()<>\\\s]|\\.){0,4000})(?: "[^"\n]{0,1000}")?\)/g;
const link = /\[((?:[^[\]\\]|\\.){0,2000})\]\((?:<[^<>\n]{0,4000}>|(?:[^()<>\\\s]|\\.){0,4000})(?: "[^"\n]{0,1000}")?\)/g;

/** A text without its images, its links told apart from the rest. */
export function linksApart(text: string): { linked: string[]; rest: string } {
  const linked: string[] = [];
  const rest = text.replace(image, "").replace(link, (_, words: string) => {
    linked.push(words);
    return " ";
  });
  return { linked, rest };
}

/** As it reads: links are their words, signs of emphasis and code are gone. */
export const readable = (text: string): string =>
  text
    .replace(image, "")
    .replace(link, "$1")
    .replace(/\\(?=[!-/:-@[-`{-~])|[*_`]/g, "")
    .trim();
