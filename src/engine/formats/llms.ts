/** Writes lines of an `llms.txt` (llmstxt.org): the site's name and description, and lists of links under headings. */
import type { Page } from "../../core/records.ts";
import { cleanText } from "./xml.ts";

export interface LlmsHead {
  readonly name: string;
  readonly description: string | undefined;
}

export interface LlmsLink {
  readonly url: string;
  readonly title: string;
  readonly description: string | undefined;
}

export const llmsHead = ({ name, description }: LlmsHead): string =>
  `# ${oneLine(name)}\n${description === undefined ? "" : `\n> ${oneLine(description)}\n`}`;

export const sectionHead = (name: string): string => `\n## ${oneLine(name)}\n\n`;

/** Brackets in titles and parentheses in URLs are replaced, because readers end the title or URL there. */
export function linkLine({ url, title, description }: LlmsLink): string {
  const name = oneLine(title.replaceAll("[", "(").replaceAll("]", ")"));
  const address = cleanText(url).replaceAll("(", "%28").replaceAll(")", "%29");
  return `- [${name}](${address})${description === undefined ? "" : `: ${oneLine(description)}`}\n`;
}

/** The head above the text of a page. */
export const sourceHead = ({ url, note, tags }: Pick<Page, "url" | "note" | "tags">, firstSeenAt: string): string => {
  const details = [...(tags.length > 0 ? [`Tags: ${oneLine(tags.join(", "))}`] : []), ...(note === "" ? [] : [`Note: ${oneLine(note)}`])];
  return `\n---\n\n${[`Source: ${cleanText(url)} (first seen ${firstSeenAt.slice(0, 10)})`, ...details].join("\n")}\n\n`;
};

const MAX_LINE = 300;

/** Remote text limited to one line and without markup. */
function oneLine(text: string): string {
  const words = cleanText(text.slice(0, 4 * MAX_LINE))
    .replace(/\s+/g, " ")
    .trim()
    .replaceAll("<", "&lt;")
    .replaceAll("](", "] (");
  return words.length <= MAX_LINE ? words : `${words.slice(0, words.lastIndexOf(" ", MAX_LINE) + 1 || MAX_LINE).trimEnd()}…`;
}
