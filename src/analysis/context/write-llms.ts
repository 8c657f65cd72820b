/** A context as llms.txt (llmstxt.org): title, one sentence of summary, and lists of pages under headings; optional pages come last. */
import { costOf } from "./budget.ts";
import { oneLine } from "./escape-passage.ts";
import type { Pack, PackPage } from "./pack.ts";
import { passagesOf, visibleText } from "./passages.ts";
import { questionOfPage } from "./questions.ts";
import { type SectionName, sectionNames } from "./section-names.ts";
import { sentencesOf } from "./sentences.ts";

type Heading = SectionName | "optional";

const titles: Readonly<Record<Heading, string>> = {
  about: "About",
  features: "Features",
  concepts: "Concepts",
  terminology: "Terminology",
  // "Optional" has a defined meaning in llms.txt: may be skipped if a shorter context is needed.
  optional: "Optional",
};
const order = Object.keys(titles) as Heading[];

export function packLlms(pack: Pack, maxTokens = Number.POSITIVE_INFINITY): string {
  const { root, linked } = pack;
  let tokensLeft = maxTokens;
  const ifAffordable = (text: string): string => {
    const cost = costOf(text);
    if (cost > tokensLeft) return "";
    tokensLeft -= cost;
    return text;
  };
  const title = ifAffordable(`# ${plainLine(root.title) || root.url}\n`);
  const about = descriptionOf(root);
  const quote = title && about ? ifAffordable(`\n> ${about}\n`) : "";
  const lists = new Map<Heading, string[]>();
  // Most relevant pages first, so that the least relevant are left out if the budget is too small.
  for (const page of [root, ...linked]) {
    const heading = headingOf(page, pack);
    if (heading === undefined || title === "") continue;
    const known = lists.get(heading);
    const item = ifAffordable(`${known ? "" : `\n## ${titles[heading]}\n\n`}${itemOf(page)}`);
    if (item !== "") lists.set(heading, [...(known ?? []), item]);
  }
  return title + quote + order.flatMap((heading) => lists.get(heading) ?? []).join("");
}

/** Pages that answer no question are optional; if only some questions were requested, pages of the others are left out. */
function headingOf(page: PackPage, { root, wanted }: Pack): Heading | undefined {
  if (page === root) return questionOfPage({ ...page, isRoot: true }) ?? "about";
  const question = questionOfPage({ ...page, isRoot: false });
  if (question !== undefined) return wanted.includes(question) ? question : undefined;
  return wanted.length === sectionNames.length ? "optional" : undefined;
}

function itemOf(page: PackPage): string {
  const about = descriptionOf(page);
  return `- [${plainLine(page.title).replace(/[[\]\\]/g, "\\$&") || page.url}](${escapedUrl(page.url)})${about === "" ? "" : `: ${about}`}\n`;
}

const escapedUrl = (url: string) => url.replaceAll("(", "%28").replaceAll(")", "%29");

const MAX_SENTENCE_LENGTH = 300;

/** The page's own description, or its first sentence. */
function descriptionOf({ metadata, sections }: PackPage): string {
  const { description } = metadata;
  if (typeof description === "string" && plainLine(description) !== "") return plainLine(description);
  const first = passagesOf((sections[0]?.content ?? "").slice(0, 4 * MAX_SENTENCE_LENGTH)).find((passage) =>
    /^[\p{L}\p{N}“"]/u.test(passage),
  );
  const [sentence = ""] = sentencesOf(plainLine(first ?? ""));
  return sentence.length <= MAX_SENTENCE_LENGTH ? sentence.trim() : "";
}

const plainLine = (text: string) => oneLine(visibleText(text)).replace(/^[#>\s-]+/, "");
