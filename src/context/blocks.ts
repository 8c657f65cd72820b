/**
 * A pack as blocks: answers to the questions, then other passages of the pages, each with its sources; and the selection that fits a
 * budget.
 */
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

/** Passages of pages that answer no question; empty if only some questions were requested. */
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

/** Renders a block in its final form. */
export type Writer = (block: Block) => string;

/**
 * The blocks that fit the budget, in their order. The root and the most relevant pages come first, and for all pages answers come before
 * the rest. Only whole blocks, passages or sentences are left out. The rendered result never exceeds the budget.
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

/** Groups blocks by page, most relevant first: answers of all pages, then the rest. */
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
    // The cost as rendered: with escapes and the separator from the previous passage.
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
