/**
 * A pack as blocks: answers to the questions, then other passages of the pages, each with its sources; and the selection that fits a
 * budget.
 */
import { costOf, distributeBudget, fitPassage } from "./budget.ts";
import { repeatedPassageTest } from "./consolidate.ts";
import type { Pack, PackPage } from "./pack.ts";
import { PassageStore } from "./passage-store.ts";
import { passagesOf } from "./passages.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

export interface Block {
  readonly question: SectionName | "more";
  readonly name: string;
  readonly id: string;
  readonly passages: readonly string[];
  readonly source: string;
  readonly also: readonly string[];
  readonly since: string;
}

export function answersOf({ sections }: Pack): Block[] {
  return sectionNames.flatMap((question) =>
    sections[question].map(({ content, ...section }) => ({ ...section, question, passages: passagesOf(content) })),
  );
}

/** Passages of pages that answer no question; empty if only some questions were requested. */
export function otherBlocksOf({ root, linked, wanted }: Pack, answers: readonly Block[]): Block[] {
  if (wanted.length < sectionNames.length) return [];
  const pages = [root, ...linked];
  const isRepeated = repeatedPassageTest(pages);
  const memory = new PassageStore<true>();
  for (const { passages } of answers) for (const passage of passages) memory.add(passage, true);
  const isNew = (passage: string) => {
    if (isRepeated(passage) || memory.find(passage)) return false;
    memory.add(passage, true);
    return true;
  };
  return pages.flatMap((page) =>
    page.sections.flatMap(({ id, heading, content }) => {
      const passages = passagesOf(content).filter(isNew);
      return passages.length === 0 ? [] : [blockOfPage(page, { id, name: heading || page.title, passages })];
    }),
  );
}

const blockOfPage = ({ url, since }: PackPage, fields: Pick<Block, "id" | "name" | "passages">): Block => ({
  ...fields,
  question: "more",
  source: url,
  also: [],
  since,
});

/** Renders a block in its final form. */
export type BlockWriter = (block: Block) => string;

/**
 * The blocks that fit the budget, in their order. The root and the most relevant pages come first, and for all pages answers come before
 * the rest. Only whole blocks, passages or sentences are left out. The rendered result never exceeds the budget.
 */
export function fitToBudget(
  blocks: readonly Block[],
  pages: readonly PackPage[],
  { tokens, write }: { tokens: number; write: BlockWriter },
): Block[] {
  if (tokens === Number.POSITIVE_INFINITY) return [...blocks];
  const groups = groupsOf(blocks, pages);
  const shares = distributeBudget(
    groups.map((group) => group.reduce((sum, block) => sum + costOf(write(block)), 0)),
    tokens,
  );
  const kept = new Map<Block, Block>();
  let tokensLeft = 0;
  groups.forEach((group, at) => {
    tokensLeft += shares[at]!;
    for (const block of group) {
      const fittedBlock = fitBlock(block, tokensLeft, write);
      if (fittedBlock === undefined) continue;
      kept.set(block, fittedBlock);
      tokensLeft -= costOf(write(fittedBlock));
    }
  });
  return blocks.flatMap((block) => kept.get(block) ?? []);
}

/** Groups blocks by page, most relevant first: answers of all pages, then the rest. */
function groupsOf(blocks: readonly Block[], pages: readonly PackPage[]): Block[][] {
  const ranked = pages.map(({ url }) => url);
  const answers = new Map<string, Block[]>(ranked.map((url) => [url, []]));
  const rest = new Map<string, Block[]>(ranked.map((url) => [url, []]));
  for (const block of blocks) (block.question === "more" ? rest : answers).get(block.source)?.push(block);
  return [...answers.values(), ...rest.values()];
}

function fitBlock(block: Block, tokens: number, write: BlockWriter): Block | undefined {
  const passages: string[] = [];
  const frame = costOf(write({ ...block, passages: [] }));
  let tokensLeft = tokens - frame;
  for (const passage of block.passages) {
    if (tokensLeft <= 0) break;
    // The cost as rendered: with escapes and the separator from the previous passage.
    const extra = Math.max(0, costOf(write({ ...block, passages: [passage] })) - frame - costOf(passage));
    const gap = passages.length === 0 ? 0 : GAP_COST;
    const part = fitPassage(passage, tokensLeft - extra - gap);
    if (part === "") continue;
    passages.push(part);
    tokensLeft -= costOf(part) + extra + gap;
  }
  return passages.length === 0 ? undefined : { ...block, passages };
}

const GAP_COST = costOf("\n\n");
