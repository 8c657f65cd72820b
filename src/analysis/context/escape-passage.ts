/** Page text is untrusted data and must stay inside its block. Escapes everything that could end the block or look like its end. */
import { containerOf, FenceTracker, isBlank } from "./fences.ts";
import { linesOf } from "./passages.ts";

/** Escapes a passage for a block whose heading has this level. */
export function escapePassage(passage: string, level: number): string {
  const output: string[] = [];
  const fences = new FenceTracker();
  let isAfterText = false;
  for (const rawLine of linesOf(passage)) {
    const { isCode, line, missingFence } = fences.readLine(rawLine);
    if (missingFence !== undefined) output.push(missingFence);
    output.push(isCode ? line : escapeLine(line, isAfterText, level));
    isAfterText = !isBlank(line);
  }
  const missingFence = fences.end();
  return [...output, ...(missingFence === undefined ? [] : [missingFence])].join("\n");
}

const MAX_HEADING_LEVEL = 6;

function escapeLine(line: string, isAfterText: boolean, level: number): string {
  if (isAfterText && isUnderline(line)) return line.replace(/[=-]/, "\\$&");
  const start = containerOf(line);
  const text = line.slice(start.length);
  // An HTML block continues over blank lines (CommonMark §4.6), our blocks end with a URL in angle brackets, and an unmatched fence could
  // become one.
  if (/^(?:<|`{3}|~{3})/.test(text)) return `${start}\\${text}`;
  const heading = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  return heading === undefined
    ? line
    : start + "#".repeat(Math.min(MAX_HEADING_LEVEL, level + heading.length)) + text.slice(heading.length);
}

/** A setext underline turns the line above it into a heading. */
function isUnderline(line: string): boolean {
  const signs = line.replace(/[ \t>]/g, "");
  return signs !== "" && (signs.replaceAll("=", "") === "" || signs.replaceAll("-", "") === "");
}

/** Joins a text to one line, for a heading or a list item. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
