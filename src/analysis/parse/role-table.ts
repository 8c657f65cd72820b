/** Tables made of other elements, which say by their roles what they are (WAI-ARIA 1.2 §5.3.3). */
import { NO_ATTRIBUTES } from "./attributes.ts";
import type { HtmlElement } from "./html-tree.ts";

const cellNames: Readonly<Record<string, string>> = { cell: "td", gridcell: "td", columnheader: "th", rowheader: "th" };

export const isTable = ({ name, attributes }: HtmlElement): boolean =>
  name === "table" || /^(?:table|grid|treegrid)$/.test(attributes.role ?? "");

/** The same as a table element; undefined for all other elements, and without rows of several cells. */
export function tableByRoles(element: HtmlElement): HtmlElement | undefined {
  if (element.name === "table" || !isTable(element)) return undefined;
  const rows = within(element, ({ attributes }) => attributes.role === "row").map(rowOf);
  return rows.some(({ children }) => children.length > 1)
    ? { ...element, name: "table", attributes: NO_ATTRIBUTES, children: rows }
    : undefined;
}

function rowOf(row: HtmlElement): HtmlElement {
  const cells = within(row, ({ attributes }) => Object.hasOwn(cellNames, attributes.role ?? ""));
  return {
    ...row,
    name: "tr",
    children: cells.map((cell) => ({ ...cell, name: cellNames[cell.attributes.role!]!, attributes: NO_ATTRIBUTES })),
  };
}

const within = (element: HtmlElement, fits: (inner: HtmlElement) => boolean): HtmlElement[] =>
  element.children.flatMap((child) => (typeof child === "string" ? [] : fits(child) ? [child] : within(child, fits)));
