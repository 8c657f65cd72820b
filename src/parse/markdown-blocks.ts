/** A page, or a part of it, as Markdown (CommonMark, with the tables of GitHub), or as plain text laid out the same way. */
import type { HtmlElement, HtmlNode } from "./html-tree.ts";
import { type InlineOptions, inline, longestTicks, textOf } from "./markdown-inline.ts";
import { codeInTable, tableOf } from "./markdown-table.ts";

/** A paragraph, list, table… Two lists after another need different marks, or they would be one. */
interface Block {
  readonly text: string;
  readonly mark?: string;
}

interface Place {
  readonly options: InlineOptions;
  /** Inline elements that stand around whole blocks: each block gets its own. */
  readonly around: readonly HtmlElement[];
  readonly nesting: number;
}

/** Deeper quotes and lists are laid flat: each level is written again for every level above it. */
const MAX_NESTING = 12;
const MAX_AROUND = 6;

export function markdownOf(root: HtmlElement, options: InlineOptions): string {
  const blocks = blocksIn(root.children, { options, around: [], nesting: 0 });
  return blocks.map(({ text }) => `${text}\n`).join("\n");
}

const blocksIn = (children: readonly HtmlNode[], place: Place): Block[] => gather(children, place, []);

/** Adds to what there is, and never copies it: a page may have a block for every letter. */
function gather(children: readonly HtmlNode[], place: Place, blocks: Block[]): Block[] {
  let run: HtmlNode[] = [];
  const keep = (block: Block) => void (block.text !== "" && blocks.push(block));
  const endRun = () => {
    keep({ text: inline(within(place.around, run), place.options) });
    run = [];
  };
  for (const child of children) {
    if (typeof child === "string" || !(child.isBlock || child.hasBlock)) run.push(child);
    else {
      endRun();
      const whole = wholeOf(child, place, blocks.at(-1));
      if (whole) whole.forEach(keep);
      else gather(child.children, child.isBlock ? place : { ...place, around: [...place.around, child].slice(-MAX_AROUND) }, blocks);
    }
  }
  endRun();
  return blocks;
}

function within(around: readonly HtmlElement[], nodes: HtmlNode[]): HtmlNode[] {
  let inner = nodes;
  for (const element of around.toReversed()) inner = [{ ...element, children: inner }];
  return inner;
}

/** The blocks that an element is by its own nature; undefined if it only holds others. */
function wholeOf(element: HtmlElement, place: Place, previous: Block | undefined): Block[] | undefined {
  const { name, children } = element;
  const { options } = place;
  const isTooDeep = place.nesting >= MAX_NESTING;
  if (/^h[1-6]$/.test(name)) return [{ text: headingOf(element, place) }];
  switch (name) {
    case "ul":
    case "ol":
    case "menu":
    case "dir":
      return isTooDeep ? undefined : [listOf(element, place, previous)];
    case "blockquote":
      return isTooDeep ? undefined : [{ text: quoteOf(element, place) }];
    case "dd":
      return isTooDeep ? undefined : [{ text: itemOf(blocksIn(children, deeper(place)), "- ", "\n\n") }];
    case "dt":
      return [{ text: termOf(element, place) }];
    case "pre":
      return [{ text: codeOf([element], options) }];
    case "table": {
      const code = codeInTable(element);
      return code ? [{ text: codeOf(code, options) }] : tableOf(element, options)?.map((text) => ({ text }));
    }
    case "hr":
      return options.isPlain ? [] : [{ text: "---" }];
    default:
      return undefined;
  }
}

const deeper = (place: Place): Place => ({ ...place, nesting: place.nesting + 1 });

function headingOf({ name, children }: HtmlElement, { options, around }: Place): string {
  const text = inline(within(around, children), { ...options, isOneLine: true });
  if (text === "" || options.isPlain) return text;
  // Number signs at the end would be taken for the end of the heading.
  return `${"#".repeat(Number(name[1]))} ${text.replace(/(?<=^|\s)#(?=#*$)/, "\\#")}`;
}

function termOf({ children }: HtmlElement, { options, around }: Place): string {
  const text = inline(within(around, children), { ...options, isOneLine: true });
  return text === "" || options.isPlain || text.includes("**") ? text : `**${text}**`;
}

function quoteOf({ children }: HtmlElement, place: Place): string {
  const text = joined(blocksIn(children, deeper(place)), "\n\n");
  if (text === "" || place.options.isPlain) return text;
  return text.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">");
}

function listOf(element: HtmlElement, place: Place, previous: Block | undefined): Block {
  const isOrdered = element.name === "ol";
  const [usual, other] = isOrdered ? [".", ")"] : ["-", "*"];
  const mark = previous?.mark === usual ? other : usual;
  const items: Block[][] = [];
  for (const child of element.children) {
    const isItem = typeof child !== "string" && child.name === "li";
    // A list within a list, and not within an item of it, belongs to the item before.
    const last = typeof child !== "string" && /^([uo]l|menu|dir)$/.test(child.name) ? items.at(-1) : undefined;
    const blocks = gather(isItem ? child.children : [child], deeper(place), last ?? []);
    if (!last && (isItem || blocks.length > 0)) items.push(blocks);
  }
  const first = isOrdered && /^\d{1,9}$/.test(element.attributes.start ?? "") ? Number(element.attributes.start) : 1;
  // An item of several paragraphs sets all of them apart.
  const isLoose = items.some((blocks) => blocks.filter((block) => block.mark === undefined).length > 1);
  const gap = isLoose ? "\n\n" : "\n";
  const texts = items.map((blocks, at) => itemOf(blocks, isOrdered ? `${first + at}${mark} ` : `${mark} `, gap));
  return { text: texts.filter((text) => text !== "").join(gap), mark };
}

function itemOf(blocks: readonly Block[], marker: string, gap: string): string {
  const text = joined(blocks, gap);
  return text === "" ? "" : marker + text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(marker.length)}`);
}

const joined = (blocks: readonly Block[], gap: string) =>
  blocks.map((block, at) => (at === 0 ? "" : isTextAfter(blocks[at - 1]!, block) ? "\n\n" : gap) + block.text).join("");

/** A list that does not begin with 1 would be taken for a line of the paragraph before it (CommonMark §5.3). */
const isTextAfter = (before: Block, { mark, text }: Block) => before.mark === undefined && mark !== undefined && /^(?!1[.)])\d/.test(text);

/** The lines of one element after those of another. */
function codeOf(elements: readonly HtmlElement[], { isPlain }: InlineOptions): string {
  const text = trimLines(elements.map(({ children }) => textOf(children).replace(/\n$/, "")).join("\n"));
  if (text === "" || isPlain) return text;
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${languageOf(elements[0]!)}\n${text}\n${fence}`;
}

function languageOf({ attributes, children }: HtmlElement): string {
  const named = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#.-]{1,30})(?:\s|$)/.exec(attributes.class ?? "")?.[1];
  if (named !== undefined) return named;
  const code = children.find((child) => typeof child !== "string");
  return typeof code === "object" && code.name === "code" ? languageOf({ ...code, children: [] }) : "";
}

/** Lines as they are; the blank ones around them are gone. By hand, because /\s+$/ is quadratic. */
function trimLines(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let [start, end] = [0, lines.length];
  while (start < end && lines[start]!.trim() === "") start += 1;
  while (end > start && lines[end - 1]!.trim() === "") end -= 1;
  return lines.slice(start, end).join("\n");
}
