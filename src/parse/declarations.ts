/** Parses the CSS declarations that can hide text. */

/** By property name, with lowercase values. For an important declaration there is also a key with `!` appended to the name. */
export type Declarations = Map<string, string>;

const telling = new Set(
  (
    "display visibility content-visibility opacity filter font font-size zoom position left top right bottom inset text-indent margin margin-left margin-top " +
    "transform translate scale rotate clip clip-path width height max-width max-height overflow overflow-x overflow-y white-space color -webkit-text-fill-color background background-color background-clip " +
    "-webkit-background-clip background-image animation animation-name transition"
  ).split(" "),
);

/** A `calc()` of a single value equals that value. */
const CALCULATED = /\bcalc\(\s{0,9}([-+.%\w]{1,60})\s{0,9}\)/g;
/** Escapes and comments included. */
const LONGEST_NAME = 200;

/** Later declarations override earlier ones, and important ones override all others. */
export function addDeclarations(text: string, to: Declarations): void {
  for (const part of text.split(";")) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    const name = plain(part.slice(Math.max(0, colon - LONGEST_NAME), colon).toLowerCase()).trim();
    if (!telling.has(name)) continue;
    const written = plain(part.slice(colon + 1, colon + 200).toLowerCase()).replace(CALCULATED, "$1");
    const isImportant = written.includes("!");
    if (to.has(`${name}!`) && !isImportant) continue;
    if (isImportant) to.set(`${name}!`, "");
    to.set(name, (isImportant ? written.slice(0, written.indexOf("!")) : written).trim());
  }
}

/** Removes comments and escapes (CSS Syntax §4.3), as a browser does. For short texts. */
function plain(value: string): string {
  if (!value.includes("\\") && !value.includes("/*")) return value;
  const letter = (_: string, code: string) => String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
  return value.replace(/\/\*.*?\*\//gs, "").replace(/\\([0-9a-f]{1,6})\s?/g, letter);
}

/** Text shifted out of its box by this distance is outside the window as well: in pixels, in letters, and in percent of the window. */
const FAR_PIXELS = 500;
/** Larger to the right, because pages can be wide. */
const FAR_RIGHT_PIXELS = 5000;
const FAR_LETTERS = 40;
const FAR_PERCENT = 100;

function isFarOut(value: string | undefined): boolean {
  const found = value === undefined ? undefined : /^-([\d.]{1,20})(px|r?em|ch|ex|vw|vh|%|pt|cm|in)?$/.exec(value);
  if (!found) return false;
  const size = Number.parseFloat(found[1]!);
  const unit = found[2] ?? "px";
  if (unit === "px" || unit === "pt") return size >= FAR_PIXELS;
  return size >= (unit === "%" || unit === "vw" || unit === "vh" ? FAR_PERCENT : unit === "cm" || unit === "in" ? 15 : FAR_LETTERS);
}

function isFarRight(value: string | undefined): boolean {
  const found = value === undefined ? undefined : /^([\d.]{1,20})(px|r?em|vw|%)$/.exec(value);
  if (!found) return false;
  const least = { px: FAR_RIGHT_PIXELS, vw: 150, "%": 150 }[found[2]!] ?? FAR_RIGHT_PIXELS / 16;
  return Number.parseFloat(found[1]!) >= least;
}

/** In pixels, if written in pixels or points, or if zero. */
function pixels(value: string | undefined): number | undefined {
  const found = value === undefined ? undefined : /^([\d.]{1,20})(px|r?em|%|pt|vw|vh)?$/.exec(value);
  const size = found ? Number.parseFloat(found[1]!) : Number.NaN;
  return size === 0 || (found && (found[2] === "px" || found[2] === "pt")) ? size : undefined;
}

const atMost = (value: string | undefined, most: number) => {
  const size = pixels(value);
  return size !== undefined && size <= most;
};

const SEEN = 0.05;

const isNearlyNothing = (share: string | undefined) =>
  share !== undefined && Math.abs(Number.parseFloat(share)) <= (share.includes("%") ? 100 * SEEN : SEEN);

/** Ways in which a style hides an element and everything in it. */
export type HiddenBy = "display" | "opacity" | "size" | "off-screen";

export function hiddenBy(style: Declarations): HiddenBy | undefined {
  if (style.get("display") === "none" || style.get("content-visibility") === "hidden") return "display";
  if (isSeeThrough(style)) return "opacity";
  if (isOutside(style)) return "off-screen";
  return sizeHides(style);
}

function isSeeThrough(style: Declarations): boolean {
  return isNearlyNothing(style.get("opacity")) || isNearlyNothing(/opacity\(\s{0,9}([\d.]{1,9}%?)/.exec(style.get("filter") ?? "")?.[1]);
}

const sides = ["left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent"];

function isOutside(style: Declarations): boolean {
  const isPlaced = /^(?:absolute|fixed)$/.test(style.get("position") ?? "");
  if (isPlaced && isFarRight(style.get("left"))) return true;
  if (sides.some((side) => isFarOut(style.get(side)) && (isPlaced || side === "text-indent" || side.startsWith("margin")))) return true;
  const shorthands = [style.get("margin"), isPlaced ? style.get("inset") : undefined];
  if (shorthands.some((all) => all?.split(/\s+/).some(isFarOut))) return true;
  const moved = /translate(?:x|y|3d)?\(([^()]{1,60})\)/.exec(style.get("transform") ?? "")?.[1] ?? style.get("translate");
  if (moved?.split(/[\s,]+/).some(isFarOut)) return !/%/.test(moved) || isPlaced;
  return isFlat(style) || isPushedOut(style) || isClipped(style.get("clip"), style.get("clip-path"));
}

/** Scaled or rotated until nothing is visible. */
function isFlat(style: Declarations): boolean {
  const transform = style.get("transform") ?? "";
  const scaled = [
    ...(/scale(?:x|y|3d)?\(([^()]{1,60})\)/.exec(transform)?.[1]?.split(",") ?? []),
    ...(style.get("scale")?.split(/\s+/) ?? []),
    areaOf(/matrix\(([^()]{1,60})\)/.exec(transform)?.[1]),
  ];
  if (scaled.some(isNearlyNothing)) return true;
  return /rotate[xy]\(\s{0,9}-?90deg/.test(transform) || /(?:^|\s)[xy]\s+-?90deg/.test(style.get("rotate") ?? "");
}

/** The area of a unit square after a matrix transform. */
function areaOf(matrix: string | undefined): string | undefined {
  const [a = 1, b = 0, c = 0, d = 1] = matrix?.split(",").map(Number) ?? [];
  return matrix === undefined ? undefined : `${a * d - b * c}`;
}

/** The text is indented beyond the right edge of a box that clips its content. */
const isPushedOut = (style: Declarations) =>
  /^[1-9]\d{2,3}%$/.test(style.get("text-indent") ?? "") && style.get("white-space") === "nowrap" && cutsContent(style);

function isClipped(clip = "", path = ""): boolean {
  const box = /^rect\(([^()]{1,60})\)/.exec(clip)?.[1];
  if (
    box
      ?.trim()
      .split(/[\s,]+/)
      .every((side) => atMost(side, 1))
  )
    return true;
  if (/^circle\(\s{0,9}0(?:px|%)?[\s)]/.test(path) || /^polygon\((?:[\s,]|0(?:px|%)?){1,60}\)/.test(path)) return true;
  const inset = /^inset\(([^()]{1,60})\)/.exec(path)?.[1]?.trim().split(/\s+/);
  if (!inset) return false;
  const [top = 0, right = top, bottom = top, left = right] = inset.map((side) => (side.endsWith("%") ? Number.parseFloat(side) : 0));
  return top + bottom >= 100 || left + right >= 100;
}

const cutsContent = (style: Declarations) =>
  ["overflow", "overflow-x", "overflow-y"].some((name) => /hidden|clip/.test(style.get(name) ?? ""));

/** A box of zero height that clips its content is a common way to collapse parts of a page, so it counts as not displayed. */
function sizeHides(style: Declarations): HiddenBy | undefined {
  if (!cutsContent(style)) return undefined;
  const isNarrow = atMost(style.get("width"), 1) || atMost(style.get("max-width"), 1);
  const isLow = atMost(style.get("height"), 1) || atMost(style.get("max-height"), 1);
  return isNarrow ? "size" : isLow ? "display" : undefined;
}

/** Text of at most this size in pixels, or this share of the surrounding size, cannot be read. */
const TINY_PIXELS = 2;
const TINY_SHARE = 0.2;

/** Whether text is too small to be visible; undefined if no size is declared. */
export function isTiny(style: Declarations): boolean | undefined {
  if (isNearlyNothing(style.get("zoom"))) return true;
  const size = style.get("font-size") ?? /(?:^|\s)([\d.]{1,9}(?:px|pt|r?em|%)?)(?:\s{0,9}\/|\s)/.exec(style.get("font") ?? "")?.[1];
  if (size === undefined) return undefined;
  if (/^[\d.]{1,9}(?:r?em|%)$/.test(size)) return Number.parseFloat(size) <= (size.endsWith("%") ? 100 * TINY_SHARE : TINY_SHARE);
  return atMost(size, TINY_PIXELS);
}

/** Whether it is invisible; undefined if no visibility is declared. */
export function isInvisible(style: Declarations): boolean | undefined {
  const visibility = style.get("visibility");
  return visibility === undefined ? undefined : visibility === "hidden" || visibility === "collapse";
}
