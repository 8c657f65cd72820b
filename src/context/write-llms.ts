/** A context as llms.txt (llmstxt.org): title, one sentence of summary, and lists of pages under headings; optional pages come last. */
import { costOf } from "./budget.ts";
import { oneLine } from "./frame.ts";
import type { Pack, PackPage } from "./pack.ts";
import { passagesOf, readable } from "./passages.ts";
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
  let left = maxTokens;
  const paid = (text: string): string => {
    const cost = costOf(text);
    if (cost > left) return "";
    left -= cost;
    return text;
  };
  const title = paid(`# ${plainLine(root.title) || root.url}\n`);
  const about = descriptionOf(root);
  const quote = title && about ? paid(`\n> ${about}\n`) : "";
  const lists = new Map<Heading, string[]>();
  // Most relevant pages first, so that the least relevant are left out if the budget is too small.
  for (const page of [root, ...linked]) {
    const under = headingOf(page, pack);
    if (under === undefined || title === "") continue;
    const known = lists.get(under);
    const item = paid(`${known ? "" : `\n## ${titles[under]}\n\n`}${itemOf(page)}`);
    if (item !== "") lists.set(under, [...(known ?? []), item]);
  }
  return title + quote + order.flatMap((under) => lists.get(under) ?? []).join("");
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
  return `- [${plainLine(page.title).replace(/[[\]\\]/g, "\\$&") || page.url}](${addressOf(page.url)})${about === "" ? "" : `: ${about}`}\n`;
}

const addressOf = (url: string) => url.replaceAll("(", "%28").replaceAll(")", "%29");

const LONGEST = 300;

/** The page's own description, or its first sentence. */
function descriptionOf({ metadata, sections }: PackPage): string {
  const { description } = metadata;
  if (typeof description === "string" && plainLine(description) !== "") return plainLine(description);
  const first = passagesOf((sections[0]?.content ?? "").slice(0, 4 * LONGEST)).find((passage) => /^[\p{L}\p{N}“"]/u.test(passage));
  const [sentence = ""] = sentencesOf(plainLine(first ?? ""));
  return sentence.length <= LONGEST ? sentence.trim() : "";
}

const plainLine = (text: string) => oneLine(readable(text)).replace(/^[#>\s-]+/, "");
