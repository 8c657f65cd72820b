/** A context as a person or a model reads it: the four questions, then what else the pages say. Every block ends with where it came from. */
import { tokensOf, whatFits } from "./budget.ts";
import { passagesOf } from "./consolidate.ts";
import type { Pack, PackPage, PackSection } from "./pack.ts";
import { PassageMemory } from "./same-passage.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

interface Block {
  readonly under: SectionName | "more";
  readonly name: string;
  readonly content: string;
  readonly sources: readonly string[];
  readonly since: string;
  /** How much its page matters: the budget goes there first. */
  readonly worth: number;
}

const titles: Readonly<Record<Block["under"], string>> = {
  about: "About",
  features: "Features",
  concepts: "Concepts",
  terminology: "Terminology",
  more: "More from these pages",
};
const order: readonly Block["under"][] = ["about", "features", "concepts", "terminology", "more"];

export function packMarkdown(pack: Pack, maxTokens = Number.POSITIVE_INFINITY): string {
  const { description } = pack.root.metadata as { description?: string };
  const head = [`# ${oneLine(pack.root.title || pack.root.url)}`, ...(description ? [`> ${oneLine(description)}`] : [])].join("\n\n");
  const blocks = within(blocksOf(pack), maxTokens - tokensOf(head));
  const parts = order.flatMap((under) => {
    const inside = blocks.filter((block) => block.under === under);
    return inside.length === 0 ? [] : [`## ${titles[under]}`, ...inside.map(blockText)];
  });
  return `${[head, ...parts, ...failures(pack)].join("\n\n")}\n`;
}

function blocksOf(pack: Pack): Block[] {
  const worth = new Map([pack.root, ...pack.linked].map(({ url, relevance }) => [url, relevance]));
  const said = sectionNames.flatMap((under) => pack.sections[under].map((section) => sectionBlock(under, section, worth)));
  return [...said, ...restOf(pack, said)];
}

const sectionBlock = (
  under: SectionName,
  { name, content, source, since, also }: PackSection,
  worth: ReadonlyMap<string, number>,
): Block => ({
  under,
  name,
  content,
  since,
  sources: [source, ...also],
  worth: worth.get(source) ?? 0,
});

/** What pages say that no question has taken up. */
function restOf({ root, linked }: Pack, said: readonly Block[]): Block[] {
  const memory = new PassageMemory<true>();
  for (const { content } of said) for (const passage of passagesOf(content)) memory.meet(passage, true);
  return [root, ...linked].flatMap((page) =>
    page.sections.flatMap(({ heading, content }) => {
      const fresh = passagesOf(content).filter((passage) => memory.meet(passage, true) === undefined);
      return fresh.length === 0 ? [] : [blockOfPage(page, heading, fresh.join("\n\n"))];
    }),
  );
}

const blockOfPage = (page: PackPage, heading: string, content: string): Block => ({
  under: "more",
  name: heading || page.title,
  content,
  sources: [page.url],
  since: page.since,
  worth: page.relevance,
});

/** The pages that matter most first, and of a page what answers a question before the rest; what is left out is whole blocks or whole sentences. */
function within(blocks: readonly Block[], tokens: number): Block[] {
  const ranked = blocks.map((block, at) => ({ block, at })).sort((a, b) => b.block.worth - a.block.worth || a.at - b.at);
  let left = tokens;
  const kept = ranked.flatMap(({ block, at }) => {
    const frame = tokensOf(blockText({ ...block, content: "" }));
    const content = contentWithin(block.content, left - frame);
    if (content === "") return [];
    left -= frame + tokensOf(content);
    return [{ block: { ...block, content }, at }];
  });
  return kept.sort((a, b) => a.at - b.at).map(({ block }) => block);
}

function contentWithin(content: string, tokens: number): string {
  let left = tokens;
  const kept: string[] = [];
  for (const passage of passagesOf(content)) {
    const part = left <= 0 ? "" : whatFits(passage, left);
    if (part === "") continue;
    kept.push(part);
    left -= tokensOf(part) + 1;
  }
  return kept.join("\n\n");
}

const blockText = ({ name, content, sources, since }: Block) =>
  `### ${oneLine(name)}\n\n${content}\n\n${sources.map((url) => `<${url}>`).join(" ")} (${since.slice(0, 10)})`;

const failures = ({ failed }: Pack) =>
  failed.length === 0 ? [] : ["## Not reached", failed.map(({ url, reason, rule }) => `- <${url}>: ${rule || reason}`).join("\n")];

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
