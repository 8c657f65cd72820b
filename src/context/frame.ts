/** Page text is untrusted data and must stay inside its block. Escapes everything that could end the block or look like its end. */
import { containerOf, Fences, isBlank } from "./fences.ts";
import { linesOf } from "./passages.ts";

/** Escapes a passage for a block whose heading has this level. */
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
  // An HTML block continues over blank lines (CommonMark §4.6), our blocks end with a URL in angle brackets, and an unmatched fence could
  // become one.
  if (/^(?:<|`{3}|~{3})/.test(text)) return `${start}\\${text}`;
  const heading = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  return heading === undefined ? line : start + "#".repeat(Math.min(LOWEST, level + heading.length)) + text.slice(heading.length);
}

/** A setext underline turns the line above it into a heading. */
function isUnderline(line: string): boolean {
  const signs = line.replace(/[ \t>]/g, "");
  return signs !== "" && (signs.replaceAll("=", "") === "" || signs.replaceAll("-", "") === "");
}

/** Joins a text to one line, for a heading or a list item. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
