/** Whether conditional rules apply to an ordinary visitor: a window on a desktop, with a mouse, in light colours. */
import { pixelsOf, WINDOW } from "./numbers.ts";
import { splitOutside } from "./scan.ts";

/** The answers of a browser to questions with a fixed value. */
const facts: Readonly<Record<string, string>> = {
  "prefers-color-scheme": "light",
  "prefers-reduced-motion": "no-preference",
  "prefers-reduced-transparency": "no-preference",
  "prefers-reduced-data": "no-preference",
  "prefers-contrast": "no-preference",
  "forced-colors": "none",
  "inverted-colors": "none",
  hover: "hover",
  "any-hover": "hover",
  pointer: "fine",
  "any-pointer": "fine",
  orientation: "landscape",
  scripting: "enabled",
  update: "fast",
  grid: "0",
  monochrome: "0",
  "display-mode": "browser",
  "overflow-block": "scroll",
  "overflow-inline": "scroll",
  "color-gamut": "srgb",
  "dynamic-range": "standard",
  "-webkit-transform-3d": "1",
};
const NOTHING = new Set(["none", "0", "no-preference"]);

const sizes: Readonly<Record<string, number>> = {
  width: WINDOW.width,
  height: WINDOW.height,
  "inline-size": WINDOW.width,
  "block-size": WINDOW.height,
  "device-width": WINDOW.width,
  "device-height": WINDOW.height,
  "aspect-ratio": WINDOW.width / WINDOW.height,
  "device-aspect-ratio": WINDOW.width / WINDOW.height,
  resolution: 1,
  "-webkit-device-pixel-ratio": 1,
  color: 8,
  "color-index": 0,
  monochrome: 0,
};

/** Whether a media query list applies (Media Queries 4). */
export const isMediaInForce = (list: string): boolean =>
  list.trim() === "" || splitOutside(list.toLowerCase(), ",").some((query) => isQueryInForce(query.trim()));

/** Whether some window or some taste makes a media query list apply. */
export const isMediaForSome = (list: string): boolean =>
  splitOutside(list.toLowerCase(), ",").some(
    (query) =>
      !/^\s*(?:not\s+(?:all|screen)\b|(?:only\s+)?(?:print|speech|tty|tv|projection|handheld|braille|embossed|aural)\b)/.test(query),
  );

function isQueryInForce(query: string): boolean {
  const [, not, type] =
    /^(?:(not)\s+|only\s+)?(all|screen|print|speech|tty|tv|projection|handheld|braille|embossed|aural)(?![-\w])/.exec(query) ?? [];
  if (type === undefined) return isTrue(query, isFeatureTrue) === true;
  const rest = query.slice(query.indexOf(type) + type.length).replace(/^\s*and\b/, "");
  const applies = (type === "all" || type === "screen") && (rest.trim() === "" || isTrue(rest, isFeatureTrue) === true);
  return not === undefined ? applies : !applies;
}

/** The size of a container is not known; it is taken for that of the window. */
export const isContainerInForce = (prelude: string): boolean => {
  const condition = /(?:\bnot\s*)?\(.*$|style\(.*$/s.exec(prelude.toLowerCase())?.[0] ?? "";
  return isTrue(condition, (feature) => isFeatureTrue(feature) ?? true) !== false;
};

export const isSupported = (condition: string): boolean => isTrue(condition.toLowerCase(), isDeclarationSupported) === true;

type Ask = (inner: string) => boolean | undefined;

const MAX_DEPTH = 10;

/** `not`, `and` and `or` of conditions in brackets. Undefined if it is not known. */
function isTrue(condition: string, ask: Ask, depth = 0): boolean | undefined {
  const parts = splitOutside(condition.trim(), " ").flatMap(splitGlued);
  let result: boolean | undefined;
  let isNegated = false;
  let operator = "and";
  for (const part of parts) {
    if (part === "not") isNegated = true;
    else if (part === "and" || part === "or") operator = part;
    else {
      const found = depth > MAX_DEPTH ? undefined : isTermTrue(part, ask, depth);
      if (found === undefined) return undefined;
      const value = isNegated ? !found : found;
      result = result === undefined ? value : operator === "and" ? result && value : result || value;
      isNegated = false;
    }
  }
  return result;
}

/** `not(` and `and(` are written without a space too. */
const splitGlued = (part: string): string[] => {
  const [, word, rest] = /^(not|and|or)(\(.*)$/s.exec(part) ?? [];
  return word !== undefined && rest !== undefined ? [word, rest] : [part];
};

function isTermTrue(part: string, ask: Ask, depth: number): boolean | undefined {
  const name = /^[\w-]+(?=\()/.exec(part)?.[0];
  if (name !== undefined) return name === "selector" ? !/:-moz|:-ms/.test(part) : true;
  const inner = /^\(([\s\S]*)\)$/.exec(part)?.[1];
  if (inner === undefined) return undefined;
  return /^\s*(?:not\b|\()/.test(inner) ? isTrue(inner, ask, depth + 1) : ask(inner.trim());
}

function isFeatureTrue(feature: string): boolean | undefined {
  const [, name, value] = /^([\w-]+)\s*(?::\s*(.+))?$/s.exec(feature) ?? [];
  if (name === undefined) return isRangeTrue(feature);
  const limit = /^(-webkit-)?(min|max)-(?:-moz-)?(.+)$/.exec(name);
  if (limit && value !== undefined) return isLimit(`${limit[1] ?? ""}${limit[3]}`, limit[2]!, value);
  const fact = facts[name];
  if (value === undefined) return fact === undefined ? (sizes[name] ?? 0) > 0 : !NOTHING.has(fact);
  if (fact !== undefined) return fact === value.trim();
  const size = sizes[name];
  return size === undefined ? false : size === sizeOf(value);
}

function isLimit(name: string, kind: string, value: string): boolean | undefined {
  const size = sizes[name];
  const limit = sizeOf(value);
  if (size === undefined || limit === undefined) return false;
  return kind === "min" ? size >= limit : size <= limit;
}

/** `width >= 600px`, `400px < width <= 2000px`. */
function isRangeTrue(feature: string): boolean | undefined {
  const parts = feature.split(/(<=|>=|<|>|=)/).map((part) => part.trim());
  if (parts.length < 3) return false;
  const values = parts.map((part, at) => (at % 2 === 0 ? (sizes[part] ?? sizeOf(part)) : undefined));
  for (let at = 1; at < parts.length; at += 2) {
    const [one, other] = [values[at - 1], values[at + 1]];
    if (one === undefined || other === undefined) return false;
    const sign = parts[at]!;
    const holds = sign.startsWith("<") ? one < other : sign.startsWith(">") ? one > other : false;
    if (!holds && !(sign.endsWith("=") && one === other)) return false;
  }
  return true;
}

function sizeOf(value: string): number | undefined {
  const text = value.trim();
  const ratio = /^([\d.]{1,9})\s*\/\s*([\d.]{1,9})$/.exec(text);
  if (ratio) return Number(ratio[1]) / Number(ratio[2]);
  const resolution = /^([\d.]{1,9})(dpi|dpcm|dppx|x)?$/.exec(text);
  if (resolution) return Number(resolution[1]) / ({ dpi: 96, dpcm: 96 / 2.54 }[resolution[2] ?? ""] ?? 1);
  return pixelsOf(text);
}

/** The first words of the names of all properties that browsers know. */
const known = new Set(
  (
    "accent align all anchor animation app appearance aspect backdrop backface background baseline block border bottom box break buffered caption caret clear clip color " +
    "column columns contain container content corner counter cursor cx cy d direction display dominant dynamic empty field fill filter flex float flood font " +
    "forced gap grid height hyphenate hyphens image initial inline inset interactivity interpolate isolation justify left letter lighting line list margin marker mask " +
    "math max min mix object offset opacity order orphans outline overflow overlay overscroll padding page paint perspective place pointer position print quotes " +
    "r reading resize right rotate row ruby rx ry scale scroll scrollbar shape size speak stop stroke tab table text timeline top touch transform transition translate " +
    "unicode user vector vertical view visibility white widows width will word writing x y z zoom"
  ).split(" "),
);

function isDeclarationSupported(declaration: string): boolean {
  const colon = declaration.indexOf(":");
  if (colon < 0) return false;
  const name = declaration.slice(0, colon).trim();
  if (name.startsWith("--")) return true;
  if (/^-(?:moz|ms|o|khtml)-/.test(name)) return false;
  return known.has(name.replace(/^-webkit-/, "").split("-", 1)[0]!) && declaration.slice(colon + 1).trim() !== "";
}
