/** A pack as blocks: what answers a question, then what else the pages say, each with its sources; and those of them that fit into a budget. */
import { costOf, shareOut, whatFits } from "./budget.ts";
import { repeatedOn } from "./consolidate.ts";
import type { Pack, PackPage } from "./pack.ts";
import { passagesOf } from "./passages.ts";
import { PassageMemory } from "./same-passage.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

export interface Block {
  readonly under: SectionName | "more";
  readonly name: string;
  readonly id: string;
  readonly passages: readonly string[];
  readonly source: string;
  readonly also: readonly string[];
  readonly since: string;
}

export function answersOf({ sections }: Pack): Block[] {
  return sectionNames.flatMap((under) =>
    sections[under].map(({ content, ...section }) => ({ ...section, under, passages: passagesOf(content) })),
  );
}

/** What pages say that no question has taken up; nothing where somebody asked for some questions only. */
export function restOf({ root, linked, wanted }: Pack, answers: readonly Block[]): Block[] {
  if (wanted.length < sectionNames.length) return [];
  const pages = [root, ...linked];
  const isRepeated = repeatedOn(pages);
  const memory = new PassageMemory<true>();
  for (const { passages } of answers) for (const passage of passages) memory.keep(passage, true);
  const isNew = (passage: string) => {
    if (isRepeated(passage) || memory.find(passage)) return false;
    memory.keep(passage, true);
    return true;
  };
  return pages.flatMap((page) =>
    page.sections.flatMap(({ id, heading, content }) => {
      const passages = passagesOf(content).filter(isNew);
      return passages.length === 0 ? [] : [blockOfPage(page, { id, name: heading || page.title, passages })];
    }),
  );
}

const blockOfPage = ({ url, since }: PackPage, said: Pick<Block, "id" | "name" | "passages">): Block => ({
  ...said,
  under: "more",
  source: url,
  also: [],
  since,
});

/** How a block is written in the end. */
export type Writer = (block: Block) => string;

/**
 * The blocks that fit, in their order. The root and the pages that matter most come first, and of all pages what answers a question before the rest;
 * what is left out is whole blocks, whole passages or whole sentences. What is written costs no more than there is.
 */
export function within(
  blocks: readonly Block[],
  pages: readonly PackPage[],
  { tokens, write }: { tokens: number; write: Writer },
): Block[] {
  if (tokens === Number.POSITIVE_INFINITY) return [...blocks];
  const groups = groupsOf(blocks, pages);
  const shares = shareOut(
    groups.map((group) => group.reduce((sum, block) => sum + costOf(write(block)), 0)),
    tokens,
  );
  const kept = new Map<Block, Block>();
  let left = 0;
  groups.forEach((group, at) => {
    left += shares[at]!;
    for (const block of group) {
      const fitting = fitted(block, left, write);
      if (fitting === undefined) continue;
      kept.set(block, fitting);
      left -= costOf(write(fitting));
    }
  });
  return blocks.flatMap((block) => kept.get(block) ?? []);
}

/** The blocks by page, the most relevant first: answers, then the rest. */
function groupsOf(blocks: readonly Block[], pages: readonly PackPage[]): Block[][] {
  const ranked = pages.map(({ url }) => url);
  const answers = new Map<string, Block[]>(ranked.map((url) => [url, []]));
  const rest = new Map<string, Block[]>(ranked.map((url) => [url, []]));
  for (const block of blocks) (block.under === "more" ? rest : answers).get(block.source)?.push(block);
  return [...answers.values(), ...rest.values()];
}

function fitted(block: Block, tokens: number, write: Writer): Block | undefined {
  const passages: string[] = [];
  const frame = costOf(write({ ...block, passages: [] }));
  let left = tokens - frame;
  for (const passage of block.passages) {
    if (left <= 0) break;
    // As it will be written: with what makes it harmless, and what parts it from the one before.
    const extra = Math.max(0, costOf(write({ ...block, passages: [passage] })) - frame - costOf(passage));
    const gap = passages.length === 0 ? 0 : GAP;
    const part = whatFits(passage, left - extra - gap);
    if (part === "") continue;
    passages.push(part);
    left -= costOf(part) + extra + gap;
  }
  return passages.length === 0 ? undefined : { ...block, passages };
}

const GAP = costOf("\n\n");
