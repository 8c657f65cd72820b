const BULLET = /^\s*[•‣▪●◦–-]\s+/;

/** Makes Markdown from the text lines of a PDF. */
export const pdfParagraphs = (pages: readonly string[]): string => pages.map(paragraphs).filter(Boolean).join("\n\n");

/** Joins lines to paragraphs. A line of at most 75 % of the greatest width ends its paragraph. */
function paragraphs(page: string): string {
  const lines = page.split(/\r?\n/).map((line) => line.replace(/\s+/g, " ").trim());
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const parts: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (line === "") {
      isOpen = false;
      continue;
    }
    if (BULLET.test(line)) parts.push(`- ${line.replace(BULLET, "")}`);
    else if (isOpen) parts.push(joined(parts.pop()!, line));
    else parts.push(line);
    isOpen = line.length > 0.75 * width;
  }
  return parts.join("\n\n");
}

/** Joins a word that was hyphenated at the end of a line. */
const joined = (before: string, line: string): string =>
  /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`;
