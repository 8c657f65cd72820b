export interface Block {
  /** The words behind the fence: what it is written in, and what the test should do with it. */
  readonly language: string;
  readonly code: string;
  /** Line of its fence in the document. */
  readonly line: number;
}

/** The fenced blocks of a document, in their order. */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; code: string[] } | undefined;
  for (const [index, text] of document.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(text);
    if (!fence) open?.code.push(text);
    else if (open) {
      blocks.push({ language: open.language, line: open.line, code: `${open.code.join("\n")}\n` });
      open = undefined;
    } else open = { language: fence[1]!.trim(), line: index + 1, code: [] };
  }
  return blocks;
}

/** Commands that stand in a table or a sentence: `npx nuthatch …`. */
export const inlineCommands = (document: string): string[] =>
  [...document.matchAll(/`((?:npx )?(?:nuthatch|crawler) [^`]+)`/g)].map(([, command]) => command!.trim());
