/** Writes a page, or a part of it, as Markdown (CommonMark with GitHub's tables), or as plain text with the same layout. */

import type { HtmlElement, HtmlNode } from "../html-tree.ts";
import { tableByRoles } from "../role-table.ts";
import { withFootnotes, withoutLabel } from "./footnotes.ts";
import { type InlineOptions, inline, isGutter, longestTicks, textOf } from "./markdown-inline.ts";
import { codeInTable, tableOf } from "./markdown-table.ts";
import { isFormulaPicture } from "./math-text.ts";

/** A paragraph, list, table… Two consecutive lists need different markers, or Markdown would join them. */
interface Block {
  readonly text: string;
  readonly mark?: string;
}

interface Place {
  readonly options: InlineOptions;
  /** Inline elements around whole blocks: they are repeated in each block. */
  readonly around: readonly HtmlElement[];
  readonly nesting: number;
}

/** Deeper quotes and lists are flattened, because the text of each level is copied once for every level above it. */
const MAX_NESTING = 12;
const MAX_AROUND = 6;

export function markdownOf(root: HtmlElement, options: InlineOptions): string {
  const blocks = blocksIn(withFootnotes(root).children, { options, around: [], nesting: 0 });
  return blocks.map(({ text }) => `${text}\n`).join("\n");
}

const blocksIn = (children: readonly HtmlNode[], place: Place): Block[] => gather(children, place, []);

/** Appends to `blocks` without copying it: a page may have a block for every letter. */
function gather(children: readonly HtmlNode[], place: Place, blocks: Block[]): Block[] {
  let run: HtmlNode[] = [];
  const keep = (block: Block) => void (block.text !== "" && blocks.push(block));
  const endRun = () => {
    // Plain text omits a picture that stands alone.
    if (!place.options.isPlain || run.some(hasWords)) keep({ text: inline(within(place.around, run), place.options) });
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

const hasWords = (node: HtmlNode): boolean =>
  typeof node === "string"
    ? /\S/.test(node)
    : (node.name === "img" && isFormulaPicture(node)) || node.children.some(hasWords) || /^(?:noteref|math)$/.test(node.name);

function within(around: readonly HtmlElement[], nodes: HtmlNode[]): HtmlNode[] {
  let inner = nodes;
  for (const element of around.toReversed()) inner = [{ ...element, children: inner }];
  return inner;
}

/** The blocks that an element itself forms; undefined if it only contains others. */
function wholeOf(element: HtmlElement, place: Place, previous: Block | undefined): Block[] | undefined {
  const { name, children } = element;
  const { options } = place;
  const named = tableByRoles(element);
  if (named !== undefined) return tableOf(named, options)?.map((text) => ({ text }));
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
    case "note":
      return [{ text: noteOf(element, place) }];
    case "hr":
      return options.isPlain ? [] : [{ text: "---" }];
    default:
      return undefined;
  }
}

const deeper = (place: Place): Place => ({ ...place, nesting: place.nesting + 1 });

function headingOf({ name, children }: HtmlElement, { options, around }: Place): string {
  // A trailing `{#name}`, which some authors write for the anchor of a heading, is removed.
  const text = inline(within(around, children), { ...options, isOneLine: true }).replace(/\s\{#[\w.:-]{1,80}\}$/, "");
  if (text === "" || options.isPlain) return text;
  // Trailing number signs would be read as the closing sequence of the heading.
  return `${"#".repeat(Number(name[1]))} ${text.replace(/(?<=^|\s)#(?=#*$)/, "\\#")}`;
}

function termOf({ children }: HtmlElement, { options, around }: Place): string {
  const text = inline(within(around, withColons(children)), { ...options, isOneLine: true });
  return text === "" || options.isPlain || text.includes("**") ? text : `**${text}**`;
}

/** Docutils separates a term from its classifier only by style, so a colon is inserted. */
function withColons(children: readonly HtmlNode[]): HtmlNode[] {
  let isApart = true;
  return children.flatMap((child) => {
    const words = typeof child === "string" ? child : textOf(child.children);
    const isKind = typeof child === "object" && /(?:^|\s)classifier(?:$|\s)/.test(child.attributes.class ?? "");
    const withColon = isKind && !isApart ? [" : ", child] : [child];
    if (/\S/.test(words)) isApart = /:\s*$/.test(words);
    return withColon;
  });
}

function noteOf({ attributes, children }: HtmlElement, place: Place): string {
  const label = attributes.id ?? "";
  const text = withoutLabel(joined(blocksIn(children, deeper(place)), "\n\n"), label);
  if (place.options.isPlain) return `[${label}] ${text}`;
  return `[^${label}]: ${text.replace(/\n(?=[^\n])/g, "\n    ")}`;
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
  const numbers: number[] = [];
  const given = itemNumbers(element);
  let next = 1;
  for (const child of element.children) {
    const isItem = typeof child !== "string" && child.name === "li";
    // A list directly inside a list, outside its items, belongs to the previous item.
    const last = typeof child !== "string" && /^([uo]l|menu|dir)$/.test(child.name) ? items.at(-1) : undefined;
    const blocks = gather(isItem ? child.children : [child], deeper(place), last ?? []);
    if (last || (!isItem && blocks.length === 0)) continue;
    items.push(blocks);
    next = (isItem ? given.get(child) : undefined) ?? next;
    numbers.push(next++);
  }
  // An item with several paragraphs makes the whole list loose.
  const isLoose = items.some((blocks) => blocks.filter((block) => block.mark === undefined).length > 1);
  const gap = isLoose ? "\n\n" : "\n";
  const texts = items.map((blocks, at) => itemOf(blocks, isOrdered ? `${numbers[at]}${mark} ` : `${mark} `, gap));
  return { text: texts.filter((text) => text !== "").join(gap), mark };
}

/** The numbers of a list's items, as a browser counts them. */
export function itemNumbers(list: HtmlElement): ReadonlyMap<HtmlElement, number> {
  const items = list.children.filter((child) => typeof child === "object").filter(({ name }) => name === "li");
  const step = list.attributes.reversed === undefined ? 1 : -1;
  let next = numberIn(list.attributes.start) ?? (step > 0 ? 1 : items.length);
  const numbers = new Map<HtmlElement, number>();
  for (const item of items) {
    next = numberIn(item.attributes.value) ?? next;
    numbers.set(item, next);
    next += step;
  }
  return numbers;
}

const numberIn = (written: string | undefined) => (/^\d{1,9}$/.test(written ?? "") ? Number(written) : undefined);

function itemOf(blocks: readonly Block[], marker: string, gap: string): string {
  const text = joined(blocks, gap);
  return text === "" ? "" : marker + text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(marker.length)}`);
}

const joined = (blocks: readonly Block[], gap: string) =>
  blocks.map((block, at) => (at === 0 ? "" : isTextAfter(blocks[at - 1]!, block) ? "\n\n" : gap) + block.text).join("");

/** A list that does not start with 1 cannot interrupt a paragraph (CommonMark §5.3), so it needs a blank line. */
const isTextAfter = (before: Block, { mark, text }: Block) => before.mark === undefined && mark !== undefined && /^(?!1[.)])\d/.test(text);

/** One code block from several elements, each beginning on a new line. */
function codeOf(elements: readonly HtmlElement[], { isPlain }: InlineOptions): string {
  const text = trimLines(elements.map(({ children }) => textOf(withLines(children)).replace(/\n$/, "")).join("\n"));
  if (text === "" || isPlain) return text;
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${languageOf(elements[0]!)}\n${text}\n${fence}`;
}

/** Adds line breaks after spans that CSS displays as lines, if nothing else ends them. */
function withLines(children: readonly HtmlNode[]): readonly HtmlNode[] {
  const [only, ...more] = children.filter((child) => typeof child === "object" || /\S/.test(child));
  if (typeof only === "object" && more.length === 0 && /^(?:code|span|div)$/.test(only.name)) return withLines(only.children);
  const lines = children.filter((child) => typeof child === "object" && isLine(child));
  if (lines.length < 2 || textOf(children).includes("\n")) return withHighlightedLines(children);
  return children.flatMap((child) => (typeof child === "object" && isLine(child) ? [child, "\n"] : [child]));
}

/** A highlighted line that ends only because CSS displays it as a block. */
function withHighlightedLines(children: readonly HtmlNode[]): readonly HtmlNode[] {
  return children.flatMap((child, at) => {
    const isHighlighted = typeof child === "object" && HIGHLIGHTED.test(child.attributes.class ?? "") && !child.isBlock;
    if (!isHighlighted || textOf(child.children).endsWith("\n")) return [child];
    const next = children[at + 1];
    const isEnded = next === undefined || /^\s*\n/.test(textOf([next]));
    return isEnded ? [child] : [child, "\n"];
  });
}

const HIGHLIGHTED = /(?:^|[\s_-])(?:highlight(?:ed)?-(?:code-)?line|code-line-highlight(?:ed)?)(?:$|\s)/i;

const isLine = ({ name, attributes }: HtmlElement) =>
  /^(?:span|code)$/.test(name) && /(?:^|[\s_-])(?:line|row)(?:$|[\s_-](?!num))/i.test(attributes.class ?? "");

const NAMED =
  /(?:^|\s)(?:(?:lang|language|highlight-source|highlight(?!-(?:source|default|none|text))|source)-|brush:\s{0,3})([\w+#.-]{1,30})(?:[\s;]|$)/;
/** Languages that occur as a class name without a prefix. */
const ALONE = new Set(
  (
    "bash c clojure console cpp csharp css dart diff dockerfile elixir erlang fsharp go graphql groovy haskell html http ini java javascript js json jsx " +
    "julia kotlin latex less lua makefile matlab nginx nix objectivec perl php powershell protobuf py python python3 r rb ruby rust scala scss sh shell sql swift toml ts tsx " +
    "typescript vim xml yaml yml zig"
  ).split(" "),
);
const NO_LANGUAGE = /^(?:plain-?text|text|txt|none|nohighlight|default|auto|copy-?code)$/i;

/** The language declared by the code element, or by a box around it. */
export function languageOf(element: HtmlElement): string {
  const code = element.children.find((child) => typeof child !== "string" && child.name === "code") as HtmlElement | undefined;
  const boxes = boxesAround(element);
  for (const { attributes, name } of [...(code ? [code] : []), element, ...boxes]) {
    const { class: classes = "" } = attributes;
    const alone =
      name === "pre" || name === "code"
        ? classes
            .toLowerCase()
            .split(/\s+/)
            .find((one) => ALONE.has(one))
        : undefined;
    const said = NAMED.exec(classes)?.[1] ?? attributes["data-lang"] ?? attributes["data-language"] ?? alone;
    if (said !== undefined && /^[\w+#.-]{1,30}$/.test(said)) return NO_LANGUAGE.test(said) ? "" : said;
  }
  return "";
}

/** The nearest two boxes around code, and those around a table in which it stands beside its line numbers. */
function boxesAround(element: HtmlElement): HtmlElement[] {
  const boxes: HtmlElement[] = [];
  let levels = 2;
  for (let up = element.parent; up !== undefined && boxes.length < levels; up = up.parent) {
    if (up.name === "td" && holdsNumbers(up.parent)) levels = boxes.length + 2;
    else if (/^(?:div|figure|span)$/.test(up.name)) boxes.push(up);
    else if (!/^(?:tr|tbody|table)$/.test(up.name) || levels === 2) break;
  }
  return boxes;
}

const holdsNumbers = (row: HtmlElement | undefined): boolean =>
  row?.children.some((cell) => typeof cell === "object" && isGutter(cell)) === true;

/** Drops blank lines at the start and end. Hand-written, because /\s+$/ is quadratic. */
function trimLines(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let [start, end] = [0, lines.length];
  while (start < end && lines[start]!.trim() === "") start += 1;
  while (end > start && lines[end - 1]!.trim() === "") end -= 1;
  return lines.slice(start, end).join("\n");
}
