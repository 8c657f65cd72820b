/** Page text is data: whatever it says, it stays within its block. What could end a block, or be taken for its end, is written so that it means itself. */
import { endsFence, fenceOf, isCode } from "./passages.ts";

/** What stands before the text of a line: quotes, items, blanks. */
const container = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])){0,40}/;

/** A passage for a block whose heading has this rank. */
export function framed(passage: string, level: number): string {
  if (isCode(passage)) return closed(passage);
  const made: string[] = [];
  let open: { mark: string; prefix: string } | undefined;
  let isAfterText = false;
  for (const line of passage.split("\n")) {
    const [start] = container.exec(line)!;
    const text = line.slice(start.length);
    if (open && !goesOn(line, open.prefix)) {
      made.push(open.prefix + open.mark);
      open = undefined;
    }
    if (open) {
      made.push(line);
      if (endsFence(text, open.mark)) open = undefined;
      continue;
    }
    const mark = fenceOf(text);
    if (mark !== undefined) open = { mark, prefix: start.replace(/[^>\s]/g, " ") };
    made.push(mark === undefined ? start + meantAsText(text, isAfterText, level) : line);
    isAfterText = text.trim() !== "";
  }
  if (open) made.push(open.prefix + open.mark);
  return made.join("\n");
}

/** Code within an item or a quote ends with it. */
function goesOn(line: string, prefix: string): boolean {
  if (prefix.includes(">")) return line.trimStart().startsWith(">");
  return line.trim() === "" || line.length - line.trimStart().length >= prefix.length;
}

const LOWEST = 6;

function meantAsText(text: string, isAfterText: boolean, level: number): string {
  // An HTML block runs on over blank lines (CommonMark §4.6), and an address in brackets is how our blocks end.
  if (text.startsWith("<")) return `\\${text}`;
  const heading = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  if (heading !== undefined) return "#".repeat(Math.min(LOWEST, level + heading.length)) + text.slice(heading.length);
  return isAfterText && isUnderline(text) ? `\\${text}` : text;
}

function isUnderline(text: string): boolean {
  const line = text.trimEnd();
  return (line[0] === "=" || line[0] === "-") && line.replaceAll(line[0], "") === "";
}

/** Code whose fence is closed, whatever the page did. */
function closed(code: string): string {
  const lines = code.split("\n");
  const mark = fenceOf(lines[0]!.trimStart())!;
  return lines.length > 1 && endsFence(lines.at(-1)!, mark) ? code : `${code}\n${mark}`;
}

/** One line, for a heading or an item of a list. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
