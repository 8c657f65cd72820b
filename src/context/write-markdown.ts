/**
 * A context as Markdown: the four questions, then other passages. Every block ends with its source and the date since when the source
 * has contained it.
 */
import { answersOf, type Block, restOf, within } from "./blocks.ts";
import { costOf } from "./budget.ts";
import { framed, oneLine } from "./frame.ts";
import type { Pack } from "./pack.ts";

const titles: Readonly<Record<Block["under"], string>> = {
  about: "About",
  features: "Features",
  concepts: "Concepts",
  terminology: "Terminology",
  more: "More from these pages",
};
const order = Object.keys(titles) as Block["under"][];

/** Level of a block's heading. */
const LEVEL = 3;

/** Failures are listed unless they would take more than this share of the budget. */
const MOST_FAILURES = 0.1;

export function packMarkdown(pack: Pack, maxTokens = Number.POSITIVE_INFINITY): string {
  const head = headOf(pack, maxTokens);
  const failures = failuresOf(pack) + hiddenOf(pack);
  const tail = costOf(failures) <= MOST_FAILURES * maxTokens ? failures : "";
  const answers = answersOf(pack);
  const all = [...answers, ...restOf(pack, answers)];
  const used = order.filter((under) => all.some((block) => block.under === under));
  const frame = costOf(head) + costOf(tail) + used.reduce((sum, under) => sum + costOf(titleText(under)), 0);
  const blocks = within(all, [pack.root, ...pack.linked], { tokens: maxTokens - frame, write: blockText });
  const parts = order.flatMap((under) => {
    const inside = blocks.filter((block) => block.under === under);
    return inside.length === 0 ? [] : [titleText(under), ...inside.map(blockText)];
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

const titleText = (under: Block["under"]) => `\n## ${titles[under]}\n`;

const blockText = ({ name, passages, source, also, since }: Block) => {
  const content = passages.map((passage) => framed(passage, LEVEL)).join("\n\n");
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
