/** The ways in which a style hides an element and everything in it. Values are without variables and math functions. */
import { colourOf, coloursIn } from "../hidden/colour.ts";
import type { Declarations } from "./declared.ts";
import { amountOf, LETTER, pixelsOf, WINDOW } from "./numbers.ts";
import { splitOutside } from "./scan.ts";
import { isFlat, movedBy } from "./transforms.ts";

export type HiddenBy = "display" | "opacity" | "size" | "off-screen";

/** Text shifted out of its box by this distance is outside the window as well: in pixels, and in percent of the window. */
const FAR_PIXELS = 500;
/** Larger to the right, because pages can be wide. */
const FAR_RIGHT_PIXELS = 5000;
const FAR_RIGHT_PERCENT = 150;
const FAR_PERCENT = 100;

/** `opacity` is that of the elements around. */
export function hiddenBy(style: Declarations, opacity = 1): HiddenBy | undefined {
  if (style.get("display") === "none" || style.get("content-visibility") === "hidden") return "display";
  if (isSeeThrough(style, opacity)) return "opacity";
  if (isOutside(style)) return "off-screen";
  return isPiledUp(style.get("letter-spacing")) ? "size" : sizeHides(style);
}

/** Letters on top of each other cannot be read. */
function isPiledUp(spacing: string | undefined): boolean {
  const amount = spacing === undefined ? undefined : amountOf(spacing);
  return amount !== undefined && (amount.unit === "em" ? amount.value <= -0.8 : (pixelsOf(spacing) ?? 0) <= -14);
}

const SEEN = 0.05;

const shareOf = (value: string | undefined): number | undefined => {
  const amount = value === undefined ? undefined : amountOf(value);
  return amount === undefined ? undefined : amount.unit === "%" ? amount.value / 100 : amount.unit === "" ? amount.value : undefined;
};

export const opacityOf = (style: Declarations): number => Math.min(Math.max(shareOf(style.get("opacity")) ?? 1, 0), 1);

const FILTER = /(opacity|blur|brightness|contrast|invert)\(\s*([^()]{0,40}?)\s*\)/g;
/** Letters blurred by so many pixels cannot be read. */
const UNREADABLE = 12;

function isSeeThrough(style: Declarations, around: number): boolean {
  if (opacityOf(style) * around <= SEEN) return true;
  let brightness: number | undefined;
  for (const [, name, given = ""] of (style.get("filter") ?? "").matchAll(FILTER)) {
    const share = shareOf(given);
    if (name === "opacity" && share !== undefined && share <= SEEN) return true;
    if (name === "blur" && (pixelsOf(given) ?? 0) >= UNREADABLE) return true;
    // Everything becomes black, and its inverse white.
    if (name === "brightness" && share !== undefined && share <= SEEN) brightness = 0;
    if (name === "contrast" && share !== undefined && share <= SEEN) brightness = 0.5;
    if (name === "brightness" && brightness === 0.5 && share !== undefined && share >= 1.9) return true;
    if (name === "invert" && brightness === 0 && (share ?? 1) >= 0.9) return true;
  }
  return isMasked(style);
}

/** A mask of nothing but transparent colours, or of no size. */
function isMasked(style: Declarations): boolean {
  const mask = style.get("mask-image") ?? style.get("mask");
  if (mask === undefined || /^(?:none|initial)/.test(mask)) return false;
  const size = style.get("mask-size") ?? /\/\s*([^,]+?)(?:\s+(?:no-repeat|repeat|space|round)|$)/.exec(mask)?.[1];
  if (size?.split(/\s+/).some((side) => pixelsOf(side) !== undefined && pixelsOf(side)! <= 1)) return true;
  const layers = splitOutside(mask, ",").map((layer) => coloursIn(layer.trim()));
  return layers.every((colours) => colours.length > 0 && colours.every(({ alpha }) => alpha <= SEEN));
}

const isFarOut = (value: string | undefined): boolean => {
  if (value === undefined) return false;
  const isShare = /(?:%|v[whib]|vmin|vmax)$/.test(value);
  return isShare ? Number.parseFloat(value) <= -FAR_PERCENT : (pixelsOf(value) ?? 0) <= -FAR_PIXELS;
};

const isFarRight = (value: string | undefined): boolean => {
  const amount = value === undefined ? undefined : amountOf(value);
  if (amount === undefined) return false;
  if (amount.unit === "%" || amount.unit === "vw") return amount.value >= FAR_RIGHT_PERCENT;
  return (pixelsOf(value) ?? 0) >= FAR_RIGHT_PIXELS;
};

function isOutside(style: Declarations): boolean {
  const position = style.get("position");
  const isPlaced = position === "absolute" || position === "fixed";
  if (isPlaced && isFarRight(style.get("left") ?? style.get("inset")?.split(/\s+/).at(-1))) return true;
  if (isPlaced || position === "relative" || position === "sticky") {
    const [top, right = top, bottom = top, left = right] = style.get("inset")?.split(/\s+/) ?? [];
    const [start] = style.get("inset-inline")?.split(/\s+/) ?? [];
    const sides = [style.get("left") ?? left ?? start, style.get("top") ?? top];
    if (sides.some((side) => isFarOut(side) && (isPlaced || !side!.endsWith("%")))) return true;
    if (position === "relative" && isFarRight(style.get("left")) && !style.get("left")!.endsWith("%")) return true;
    if (isPlaced && [style.get("right") ?? right, style.get("bottom") ?? bottom].some(isFarOut)) return true;
  }
  const margin = style.get("margin")?.split(/\s+/) ?? [];
  const margins = [style.get("margin-left"), style.get("margin-top"), ...margin, ...(style.get("margin-inline")?.split(/\s+/) ?? [])];
  if (margins.some(isFarOut) || isFarOut(style.get("text-indent"))) return true;
  const { x, y } = movedBy(style, isPlaced);
  if (x <= -FAR_PIXELS || y <= -FAR_PIXELS || x >= FAR_RIGHT_PIXELS) return true;
  return isFlat(style) || isPushedOut(style) || isClipped(style) || isLostOnPath(style);
}

const isLostOnPath = (style: Declarations): boolean => /^path\(\s*["']m\s*-\d{3}/.test(style.get("offset-path") ?? "");

/** The text is indented beyond the right edge of a box that clips its content. */
function isPushedOut(style: Declarations): boolean {
  const indent = style.get("text-indent");
  if (indent === undefined || !/nowrap|^pre$/.test(style.get("white-space") ?? "") || !cutsContent(style)) return false;
  return indent.endsWith("%") ? Number.parseFloat(indent) >= 100 : (pixelsOf(indent) ?? 0) >= WINDOW.width;
}

const isNone = (value: string | undefined, most = 0) => {
  const size = value === undefined ? undefined : pixelsOf(value);
  return size !== undefined && Math.abs(size) <= most;
};

function isClipped(style: Declarations): boolean {
  const box = /^rect\(([^()]{1,80})\)/.exec(style.get("clip") ?? "")?.[1];
  if (box !== undefined && style.get("position") !== "relative" && isEmptyClip(box.trim().split(/[\s,]+/))) return true;
  const path = style.get("clip-path") ?? "none";
  const [, shape = "", inner = ""] = /^([a-z]+)\(([\s\S]*)\)/.exec(path) ?? [];
  const [sizes = ""] = inner.split(/\bat\b|\bround\b/, 1);
  const parts = sizes.trim().split(/[\s,]+/);
  switch (shape) {
    case "circle":
    case "ellipse":
      return parts.some((part) => isNone(part, 1));
    case "inset":
      return isInsetAway(parts);
    case "rect":
      return isEmptyClip(parts);
    case "xywh":
      return isNone(parts[2], 1) || isNone(parts[3], 1);
    case "polygon":
      return isPointOrLine(sizes);
    case "path":
      return !/[lhvcsqta]/i.test(inner.replace(/^\s*(?:evenodd|nonzero)\s*,/, ""));
    default:
      return false;
  }
}

/** `top right bottom left`, from the upper left corner. */
function isEmptyClip(sides: readonly string[]): boolean {
  const [top, right, bottom, left] = sides.map((side) => (side === "auto" ? undefined : pixelsOf(side)));
  if (sides.length !== 4) return false;
  return isTooNear(top, bottom) || isTooNear(left, right);
}

const isTooNear = (one: number | undefined, other: number | undefined) => one !== undefined && other !== undefined && other - one <= 1;

function isInsetAway(sides: readonly string[]): boolean {
  const [top = "0", right = top, bottom = top, left = right] = sides;
  const pairs = [
    [top, bottom],
    [left, right],
  ] as const;
  return pairs.some((pair) => {
    const percent = pair.reduce((sum, side) => sum + (side.endsWith("%") ? Number.parseFloat(side) : 0), 0);
    const pixels = pair.reduce((sum, side) => sum + (side.endsWith("%") ? 0 : (pixelsOf(side) ?? 0)), 0);
    return percent >= 100 || pixels >= FAR_RIGHT_PIXELS;
  });
}

/** All corners have the same place across or down. */
function isPointOrLine(points: string): boolean {
  const corners = points
    .replace(/^\s*(?:evenodd|nonzero)\s*,/, "")
    .split(",")
    .map((corner) => corner.trim().split(/\s+/));
  if (corners.some((corner) => corner.length !== 2)) return false;
  const same = (side: 0 | 1) => new Set(corners.map((corner) => (Number.parseFloat(corner[side]!) === 0 ? "0" : corner[side]))).size === 1;
  return same(0) || same(1);
}

const cutsContent = (style: Declarations) =>
  ["overflow", "overflow-x", "overflow-y"].some((name) => /hidden|clip|auto|scroll/.test(style.get(name) ?? "")) ||
  /paint|strict|content/.test(style.get("contain") ?? "");

/** A box of zero height that clips its content is a common way to collapse parts of a page, so it counts as not displayed. */
function sizeHides(style: Declarations): HiddenBy | undefined {
  if (!cutsContent(style)) return undefined;
  const isSmall = (...names: readonly string[]) => names.some((name) => isNone(style.get(name), 3));
  const isNarrow = isSmall("width", "max-width");
  const isLow = (isSmall("height", "max-height") && !isHeldOpen(style)) || isPadded(style);
  // A strip of text without height is only cut off if the lines have no height either.
  return isNarrow ? "size" : isLow || isNone(style.get("line-height")) || shareOf(style.get("line-height")) === 0 ? "display" : undefined;
}

/** The usual way to keep a place for a picture is padding in a box without height. */
const isHeldOpen = (style: Declarations): boolean =>
  [style.get("padding-top"), style.get("padding-bottom"), ...(style.get("padding")?.split(/\s+/) ?? [])].some(
    (side) => (side === undefined ? 0 : (pixelsOf(side) ?? 0)) >= LETTER / 2,
  );

/** The padding fills the box, so that its content is below its edge. */
function isPadded(style: Declarations): boolean {
  if (style.get("box-sizing") !== "border-box") return false;
  const height = pixelsOf(style.get("height"));
  const padding = pixelsOf(style.get("padding-top") ?? style.get("padding")?.split(/\s+/)[0]);
  return height !== undefined && padding !== undefined && padding >= height;
}

/** Whether it is invisible; undefined if no visibility is declared. */
export function isInvisible(style: Declarations): boolean | undefined {
  const visibility = style.get("visibility");
  return visibility === undefined ? undefined : visibility === "hidden" || visibility === "collapse";
}

/** Whether outlines or shadows show letters that have no colour of their own. `isLost` tells whether a colour cannot be seen. */
export function isDrawnOtherwise(style: Declarations, isLost: (colour: string) => boolean): boolean {
  const stroke = style.get("-webkit-text-stroke");
  const width = style.get("-webkit-text-stroke-width") ?? stroke?.split(/\s+/).find((part) => pixelsOf(part) !== undefined);
  if (width !== undefined && (pixelsOf(width) ?? 0) > 0.2) {
    const colour = stroke === undefined ? undefined : splitOutside(stroke, " ").find((part) => colourOf(part) !== undefined);
    if (colour !== undefined && !isLost(colour)) return true;
  }
  return splitOutside(style.get("text-shadow") ?? "none", ",").some((shadow) => {
    const parts = splitOutside(shadow.trim(), " ");
    const offsets = parts.map((part) => pixelsOf(part)).filter((size) => size !== undefined);
    const colour = parts.find((part) => colourOf(part) !== undefined);
    return colour !== undefined && !isLost(colour) && offsets.every((size) => Math.abs(size) < FAR_PIXELS);
  });
}
