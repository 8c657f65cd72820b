/** A formula on one line. MathML gives only its layout, so TeX from an annotation is preferred. */
import type { HtmlElement, HtmlNode } from "../html-tree.ts";

export function formulaOf({ children, attributes }: HtmlElement): string {
  const tex = texIn(children)?.replace(/\s+/g, " ").trim();
  return tex ? `$${written(tex)}$` : (attributes.alttext ?? wordsIn(children));
}

/** As `formulaOf`, but converts MathML to TeX if there is no other source. */
export function formulaInMarkdown(element: HtmlElement): string {
  const { children, attributes } = element;
  const isOnlyDrawn = attributes.alttext === undefined && isDrawing(children) && texIn(children) === undefined;
  return isOnlyDrawn ? `$${safe(texOf(element)).trim()}$` : formulaOf(element);
}

/** TeX in a script element, to be rendered by a script. */
export const isFormulaScript = ({ name, attributes }: HtmlElement): boolean =>
  name === "script" && /^math\/tex/i.test(attributes.type ?? "");

export function formulaInScript({ attributes, children }: HtmlElement): string {
  const tex = wordsIn(children)
    .replace(/^\s*(?:%\s*)?<!\[CDATA\[|(?:%\s*)?\]\]>\s*$/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return tex === "" || isProse(tex) ? "" : /mode\s*=\s*display/i.test(attributes.type ?? "") ? `$$${written(tex)}$$` : `$${written(tex)}$`;
}

/** Such a script is invisible, so it must not carry prose: that could be hidden text for programs. */
const isProse = (tex: string): boolean => /(?:[\p{L}']{2,}[\s,.]+){4}[\p{L}']{2,}/u.test(tex.replace(/\\[a-z]+/gi, "\\"));

/** A picture of a formula with TeX as its alternative text. */
export const isFormulaPicture = ({ attributes }: HtmlElement): boolean =>
  /(?:^|\s)(?:mwe-math-fallback-image-\w+|latex|tex|math)(?:$|\s)/i.test(attributes.class ?? "") &&
  /[\\^_=]|^\w$/.test(attributes.alt ?? "") &&
  !isProse(attributes.alt ?? "");

export const formulaInPicture = ({ attributes }: HtmlElement): string => `$${written((attributes.alt ?? "").replace(/\s+/g, " ").trim())}$`;

/** TeX between the delimiters that scripts look for. Matches without TeX syntax are ordinary prose. */
const DELIMITED =
  /\\\(([\s\S]{1,500}?)\\\)|\\\[([\s\S]{1,2000}?)\\\]|\$\$([^$]{1,2000})\$\$|(?<![\\\w$])\$(?=\S)([^$\n]{1,300}?)(?<=\S)\$(?![\w$])/g;

/** Splits a text at its formulas. */
export function formulasInText(text: string): { readonly text: string; readonly isFormula: boolean }[] {
  if (!text.includes("$") && !text.includes("\\(") && !text.includes("\\[")) return [{ text, isFormula: false }];
  const parts: { text: string; isFormula: boolean }[] = [];
  let from = 0;
  for (const match of text.matchAll(DELIMITED)) {
    const [whole, inLine, display, doubled, single] = match;
    const tex = (inLine ?? display ?? doubled ?? single ?? "").trim();
    const isTex = single === undefined ? /\\[a-z]|[\^_=+{}]|^\w$/i.test(tex) : /\\[a-z]|[\^_]\{|^[a-z]_\w$|^[a-z]\^\w$/i.test(tex);
    if (!isTex) continue;
    const mark = inLine === undefined && single === undefined ? "$$" : "$";
    parts.push(
      { text: text.slice(from, match.index), isFormula: false },
      { text: `${mark}${safe(tex.replace(/\s+/g, " "))}${mark}`, isFormula: true },
    );
    from = match.index + whole.length;
  }
  return [...parts, { text: text.slice(from), isFormula: false }];
}

/** KaTeX's visual copy of a formula, usually beside an accessible one. */
export const isDrawnFormula = ({ attributes }: HtmlElement): boolean => attributes.class === "katex-html";

export const isSecondCopy = (element: HtmlElement): boolean =>
  isDrawnFormula(element) && element.parent?.children.slice(0, 3).some((child) => typeof child === "object" && isFormula(child)) === true;

const isFormula = ({ name, attributes }: HtmlElement) => name === "math" || attributes.class === "katex-mathml";

function texIn(nodes: readonly HtmlNode[]): string | undefined {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const isTex = node.name === "annotation" && /tex$/i.test(node.attributes.encoding ?? "");
    const found = isTex ? wordsIn(node.children) : texIn(node.children);
    if (found) return found;
  }
  return undefined;
}

const wordsIn = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : node.name === "annotation" ? "" : wordsIn(node.children))).join("");

const written = (tex: string) => safe(/^\{\\(?:display|text)style (.+)\}$/.exec(tex)?.[1] ?? tex);

/** Equivalent for TeX, but without characters that parsers without formula support would read as a tag or link. */
const safe = (tex: string) => tex.replace(/<\s?/g, "\\lt ").replaceAll("](", "] (");

/** Elements whose layout carries meaning that plain text would lose: one half is not twelve. */
const placing = new Set(["mfrac", "msup", "msub", "msubsup", "msqrt", "mroot", "munder", "mover", "munderover", "mtable"]);

const isDrawing = (nodes: readonly HtmlNode[]): boolean =>
  nodes.some((node) => typeof node === "object" && (placing.has(node.name) || isDrawing(node.children)));

/** Converts MathML to TeX (MathML Core §3). */
function texOf(node: HtmlNode): string {
  if (typeof node === "string") return node.trim();
  if (node.name === "annotation") return "";
  const parts = node.children.filter((child) => typeof child === "object" || /\S/.test(child));
  const [first = "", second = "", third = ""] = parts.map(texOf);
  switch (node.name) {
    case "mfrac":
      return `\\frac{${first}}{${second}}`;
    case "msup":
    case "mover":
      return `${grouped(first)}^{${second}}`;
    case "msub":
    case "munder":
      return `${grouped(first)}_{${second}}`;
    case "msubsup":
    case "munderover":
      return `${grouped(first)}_{${second}}^{${third}}`;
    case "msqrt":
      return `\\sqrt{${parts.map(texOf).join("")}}`;
    case "mroot":
      return `\\sqrt[${second}]{${first}}`;
    case "mtable":
      return `\\begin{matrix}${parts.map(texOf).join(" \\\\ ")}\\end{matrix}`;
    case "mtr":
      return parts.map(texOf).join(" & ");
    case "mtext":
      return `\\text{${first}}`;
    default:
      return parts.map(texOf).join("");
  }
}

const grouped = (tex: string) => (tex.length > 1 && !/^\\?[a-z]+$/i.test(tex) ? `{${tex}}` : tex);
