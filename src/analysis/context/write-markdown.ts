/**
 * A context as Markdown: the four questions, then other passages. Every block ends with its source and the date since when the source
 * has contained it.
 */
import { answersOf, type Block, fitToBudget, otherBlocksOf } from "./blocks.ts";
import { costOf } from "./budget.ts";
import { escapePassage, oneLine } from "./escape-passage.ts";
import type { Pack } from "./pack.ts";

const titles: Readonly<Record<Block["question"], string>> = {
  about: "About",
  features: "Features",
  concepts: "Concepts",
  terminology: "Terminology",
  more: "More from these pages",
};
const order = Object.keys(titles) as Block["question"][];

/** Level of a block's heading. */
const HEADING_LEVEL = 3;

/** Failures are listed unless they would take more than this share of the budget. */
const MAX_FAILURE_SHARE = 0.1;

export function packMarkdown(pack: Pack, maxTokens = Number.POSITIVE_INFINITY): string {
  const head = headOf(pack, maxTokens);
  const failures = failuresOf(pack) + hiddenOf(pack);
  const tail = costOf(failures) <= MAX_FAILURE_SHARE * maxTokens ? failures : "";
  const answers = answersOf(pack);
  const all = [...answers, ...otherBlocksOf(pack, answers)];
  const used = order.filter((question) => all.some((block) => block.question === question));
  const frame = costOf(head) + costOf(tail) + used.reduce((sum, question) => sum + costOf(titleText(question)), 0);
  const blocks = fitToBudget(all, [pack.root, ...pack.linked], { tokens: maxTokens - frame, write: blockText });
  const parts = order.flatMap((question) => {
    const ownBlocks = blocks.filter((block) => block.question === question);
    return ownBlocks.length === 0 ? [] : [titleText(question), ...ownBlocks.map(blockText)];
  });
  return head + parts.join("") + tail;
}

function headOf({ root }: Pack, maxTokens: number): string {
  const { description } = root.metadata;
  const title = `# ${oneLine(root.title) || root.url}\n`;
  if (costOf(title) > maxTokens) return "";
  const whole = typeof description === "string" && oneLine(description) !== "" ? `${title}\n> ${oneLine(description)}\n` : title;
  return costOf(whole) <= maxTokens / 2 ? whole : title;
}

const titleText = (question: Block["question"]) => `\n## ${titles[question]}\n`;

const blockText = ({ name, passages, source, also, since }: Block) => {
  const content = passages.map((passage) => escapePassage(passage, HEADING_LEVEL)).join("\n\n");
  const sources = [source, ...also].map((url) => `<${url}>`).join(" ");
  return `\n### ${oneLine(name)}\n\n${content}\n\n${sources} (${since.slice(0, 10)})\n`;
};

const failuresOf = ({ failed }: Pack) =>
  failed.length === 0
    ? ""
    : `\n## Not reached\n\n${failed.map(({ url, reason, rule }) => `- <${url}>: ${oneLine(rule || reason)}\n`).join("")}`;

/** Lists the pages with hidden text, because such text addresses machines only. */
function hiddenOf({ root, linked }: Pack): string {
  const lines = [root, ...linked].flatMap(({ url, hidden }) =>
    hidden === undefined ? [] : [`- <${url}>: ${hidden} characters of hidden text left out\n`],
  );
  return lines.length === 0 ? "" : `\n## Left out\n\n${lines.join("")}`;
}
