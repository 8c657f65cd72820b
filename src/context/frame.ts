/** Page text is data: whatever it says, it stays within its block. What could end a block, or be taken for its end, is written so that it means itself. */
import { containerOf, Fences, isBlank } from "./fences.ts";
import { linesOf } from "./passages.ts";

/** A passage for a block whose heading has this rank. */
export function framed(passage: string, level: number): string {
  const made: string[] = [];
  const fences = new Fences();
  let isAfterText = false;
  for (const written of linesOf(passage)) {
    const { isCode, line, ends } = fences.take(written);
    if (ends !== undefined) made.push(ends);
    made.push(isCode ? line : meantAsText(line, isAfterText, level));
    isAfterText = !isBlank(line);
  }
  const ends = fences.end();
  return [...made, ...(ends === undefined ? [] : [ends])].join("\n");
}

const LOWEST = 6;

function meantAsText(line: string, isAfterText: boolean, level: number): string {
  if (isAfterText && isUnderline(line)) return line.replace(/[=-]/, "\\$&");
  const start = containerOf(line);
  const text = line.slice(start.length);
  // An HTML block runs on over blank lines (CommonMark §4.6), an address in brackets is how our blocks end, and a fence that is none may become one.
  if (/^(?:<|`{3}|~{3})/.test(text)) return `${start}\\${text}`;
  const heading = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  return heading === undefined ? line : start + "#".repeat(Math.min(LOWEST, level + heading.length)) + text.slice(heading.length);
}

/** A line of these signs makes a heading of the line above it. */
function isUnderline(line: string): boolean {
  const signs = line.replace(/[ \t>]/g, "");
  return signs !== "" && (signs.replaceAll("=", "") === "" || signs.replaceAll("-", "") === "");
}

/** One line, for a heading or an item of a list. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
