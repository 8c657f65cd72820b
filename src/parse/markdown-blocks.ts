/** A page, or a part of it, as Markdown (CommonMark, with the tables of GitHub), or as plain text laid out the same way. */
import type { HtmlElement, HtmlNode } from "./html-tree.ts";
import { type InlineOptions, inline, longestTicks, textOf } from "./markdown-inline.ts";
import { tableOf } from "./markdown-table.ts";

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

function blocksIn(children: readonly HtmlNode[], place: Place): Block[] {
  const blocks: Block[] = [];
  let run: HtmlNode[] = [];
  const endRun = () => {
    const text = inline(within(place.around, run), place.options);
    run = [];
    if (text !== "") blocks.push({ text });
  };
  for (const child of children) {
    if (typeof child === "string" || !(child.isBlock || child.hasBlock)) run.push(child);
    else {
      endRun();
      blocks.push(...blockOf(child, place, blocks.at(-1)).filter(({ text }) => text !== ""));
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

function blockOf(element: HtmlElement, place: Place, previous: Block | undefined): Block[] {
  const { name, children } = element;
  const { options } = place;
  if (!element.isBlock) return blocksIn(children, { ...place, around: [...place.around, element].slice(-MAX_AROUND) });
  switch (name) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return [{ text: headingOf(element, place) }];
    case "ul":
    case "ol":
    case "menu":
    case "dir":
      return place.nesting < MAX_NESTING ? [listOf(element, place, previous)] : blocksIn(children, place);
    case "blockquote":
      return place.nesting < MAX_NESTING ? [{ text: quoteOf(element, place) }] : blocksIn(children, place);
    case "pre":
      return [{ text: options.isPlain ? trimLines(textOf(children)) : fencedOf(element) }];
    case "table":
      return tableOf(element, options)?.map((text) => ({ text })) ?? blocksIn(children, place);
    case "hr":
      return options.isPlain ? [] : [{ text: "---" }];
    case "dt":
      return [{ text: termOf(element, place) }];
    case "dd":
      return place.nesting < MAX_NESTING ? [{ text: itemOf(blocksIn(children, deeper(place)), "- ", "\n\n") }] : blocksIn(children, place);
    default:
      return blocksIn(children, place);
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
    const blocks = blocksIn(isItem ? child.children : [child], deeper(place));
    const isSublist = !isItem && blocks[0]?.mark !== undefined;
    if (isSublist && items.length > 0) items.at(-1)!.push(...blocks);
    else if (isItem || blocks.length > 0) items.push(blocks);
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

const joined = (blocks: readonly Block[], gap: string) => blocks.map(({ text }) => text).join(gap);

function fencedOf(element: HtmlElement): string {
  const text = trimLines(textOf(element.children));
  if (text === "") return "";
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${languageOf(element)}\n${text}\n${fence}`;
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
