/** Semantic elements only, with absolute URLs and without scripts, styles and machine-readable data. */
import { escapeAttribute, escapeText } from "entities/escape";
import type { HtmlElement, HtmlNode } from "./html-tree.ts";
import { formulaOf } from "./markdown/math-text.ts";
import type { Resolve } from "./resolve.ts";

const kept = ["href", "src", "alt", "title", "start", "reversed", "value", "colspan", "rowspan"] as const;
const empty = new Set(["br", "hr", "img"]);

export function cleanHtml(root: HtmlElement, resolve: Resolve): string {
  return `${root.children
    .map((child) => htmlOf(child, resolve, false))
    .join("")
    .trim()}\n`;
}

function htmlOf(node: HtmlNode, resolve: Resolve, isVerbatim: boolean): string {
  if (typeof node === "string") return escapeText(isVerbatim ? node : node.replace(/\s+/g, (blank) => (blank.includes("\n") ? "\n" : " ")));
  if (node.name === "math") return escapeText(formulaOf(node));
  const inner = node.children.map((child) => htmlOf(child, resolve, isVerbatim || node.name === "pre")).join("");
  // Elements used only for layout are replaced by their contents.
  if (/^(html|body|span|label|form|fieldset|center|noscript)$/.test(node.name)) return inner;
  const open = `<${node.name}${attributesOf(node, resolve)}>`;
  return empty.has(node.name) ? open : `${open}${inner}</${node.name}>`;
}

function attributesOf({ attributes }: HtmlElement, resolve: Resolve): string {
  return kept
    .map((name) => {
      const value = attributes[name];
      const isAddress = name === "href" || name === "src";
      const shown = value !== undefined && isAddress ? resolve(value.trim()) : value;
      if (shown === undefined || (isAddress && !/^(https?|mailto|tel|ftp):/i.test(shown))) return "";
      return ` ${name}="${escapeAttribute(shown)}"`;
    })
    .join("");
}
