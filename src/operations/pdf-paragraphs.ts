const BULLET = /^\s*[•‣▪●◦–-]\s+/;

/** The text of a PDF as Markdown, from the lines of its pages. */
export const pdfParagraphs = (pages: readonly string[]): string => pages.map(paragraphs).filter(Boolean).join("\n\n");

/** Lines of a page are joined to paragraphs: a line that ends early, or ends a sentence before a capital, was the last of its own. */
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

/** A word that was cut at the end of a line is whole again. */
const joined = (before: string, line: string): string =>
  /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`;
