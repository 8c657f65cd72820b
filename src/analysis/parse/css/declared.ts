/** Parses declarations, and keeps those that can hide text or color it. */
import { colourOf } from "../hidden/colour.ts";
import { amountOf } from "./numbers.ts";
import { splitOutside, unescaped, withoutComments } from "./scan.ts";
import { hasVariable } from "./variables.ts";

/** Values by property name. Custom properties keep their case; other values are in lower case unless they refer to one. */
export type Declarations = Map<string, string>;

export interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

const telling = new Set(
  (
    "all display visibility content-visibility opacity filter font font-size zoom position left top right bottom inset inset-inline-start inset-inline inset-block-start inset-block " +
    "text-indent margin margin-left margin-top margin-inline margin-inline-start margin-block-start transform translate scale rotate backface-visibility clip clip-path -webkit-clip-path " +
    "width height max-width max-height inline-size block-size max-inline-size max-block-size overflow overflow-x overflow-y contain white-space line-height " +
    "color -webkit-text-fill-color text-shadow -webkit-text-stroke -webkit-text-stroke-width background background-color background-clip -webkit-background-clip background-image background-size " +
    "mask mask-image mask-size -webkit-mask -webkit-mask-image -webkit-mask-size padding padding-top padding-bottom box-sizing letter-spacing animation animation-name animation-fill-mode animation-iteration-count offset-path"
  ).split(" "),
);

/** The same property by its older or flow-relative name, for text that runs from left to right. */
const synonyms: Readonly<Record<string, string>> = {
  "inset-inline-start": "left",
  "inset-block-start": "top",
  "margin-inline-start": "margin-left",
  "margin-block-start": "margin-top",
  "inline-size": "width",
  "block-size": "height",
  "max-inline-size": "max-width",
  "max-block-size": "max-height",
  "-webkit-clip-path": "clip-path",
  "-webkit-mask": "mask",
  "-webkit-mask-image": "mask-image",
  "-webkit-mask-size": "mask-size",
  "-webkit-background-clip": "background-clip",
};

/** Custom properties hold long texts as well, which say nothing about what is hidden. */
const MAX_LENGTH = 2000;

export function declarationsOf(text: string): Declaration[] {
  const declarations: Declaration[] = [];
  for (const part of splitOutside(withoutComments(text), ";")) {
    const colon = part.indexOf(":");
    if (colon < 0 || part.length > MAX_LENGTH) continue;
    const written = unescaped(part.slice(0, colon)).trim();
    const isCustom = written.startsWith("--");
    const lower = isCustom ? written : written.toLowerCase();
    if (!isCustom && !telling.has(lower)) continue;
    const name = synonyms[lower] ?? lower;
    let value = unescaped(part.slice(colon + 1)).trim();
    const mark = value.includes("!") ? /!\s*important\s*$/i.exec(value) : null;
    if (mark) value = value.slice(0, mark.index).trim();
    if (!isCustom && !hasVariable(value)) {
      value = value.toLowerCase();
      if (!isValid(name, value)) continue;
    }
    declarations.push({ name, value, isImportant: mark !== null });
  }
  return declarations;
}

const wide = /^(?:inherit|initial|unset|revert|revert-layer)$/;
const keywords: Readonly<Record<string, RegExp>> = {
  display:
    /^(?:(?:none|contents|block|inline|run-in|flow|flow-root|table|inline-table|flex|inline-flex|grid|inline-grid|ruby|list-item|inline-block|math|table-[a-z-]+|ruby-[a-z]+|-(?:webkit|moz|ms)-[a-z-]+)(?:\s+|$))+$/,
  visibility: /^(?:visible|hidden|collapse)$/,
  "content-visibility": /^(?:visible|auto|hidden)$/,
  position: /^(?:static|relative|absolute|fixed|sticky|-webkit-sticky)$/,
  overflow: /^(?:(?:visible|hidden|clip|scroll|auto|overlay)\s*){1,2}$/,
  "overflow-x": /^(?:visible|hidden|clip|scroll|auto|overlay)$/,
  "overflow-y": /^(?:visible|hidden|clip|scroll|auto|overlay)$/,
  "white-space": /^[a-z-]+(?: [a-z-]+)?$/,
};
const lengths = new Set(
  (
    "font-size left top right bottom inset inset-inline inset-block text-indent margin margin-left margin-top margin-inline width height max-width max-height opacity zoom " +
    "padding padding-top padding-bottom letter-spacing translate scale"
  ).split(" "),
);

/** Browsers ignore what they do not understand, so an invalid value must not replace a valid one. */
export function isValid(name: string, value: string): boolean {
  if (value === "") return false;
  if (wide.test(value)) return true;
  const pattern = keywords[name];
  if (pattern) return pattern.test(value);
  if (name === "color" || name === "-webkit-text-fill-color" || name === "background-color")
    return value === "currentcolor" || colourOf(value) !== undefined;
  if (!lengths.has(name)) return true;
  return splitOutside(value, " ").every((one) => amountOf(one) !== undefined || /^[a-z-]+\(/.test(one) || isKeyword(one));
}

const isKeyword = (value: string) =>
  /^(?:auto|none|normal|hanging|each-line|reset|(?:x+-)?(?:small|large)|medium|smaller|larger|math|stretch|(?:min|max|fit)-content|-(?:webkit|moz)-[a-z-]+)$/.test(
    value,
  );

/** What a shorthand sets anew. */
const parts: Readonly<Record<string, readonly string[]>> = {
  background: ["background-color", "background-image", "background-clip", "background-size"],
  mask: ["mask-image", "mask-size"],
  font: ["font-size", "line-height"],
  overflow: ["overflow-x", "overflow-y"],
  inset: ["left", "top", "right", "bottom"],
  margin: ["margin-left", "margin-top"],
  padding: ["padding-top", "padding-bottom"],
  animation: ["animation-name", "animation-fill-mode", "animation-iteration-count"],
  "-webkit-text-stroke": ["-webkit-text-stroke-width"],
};

/** Adds declarations to those of weaker rules. */
export function addDeclarations(declarations: readonly Declaration[], to: Declarations, isImportant: boolean): void {
  for (const one of declarations) {
    if (one.isImportant !== isImportant) continue;
    if (one.name === "all") reset(to, one.value);
    else to.set(one.name, one.value);
    for (const part of parts[one.name] ?? []) to.delete(part);
  }
}

function reset(to: Declarations, value: string): void {
  for (const name of [...to.keys()]) if (!name.startsWith("--")) to.delete(name);
  if (value !== "initial") return;
  to.set("visibility", "visible");
  to.set("color", "black");
  to.set("font-size", "medium");
}
