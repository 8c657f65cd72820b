/** Style declarations, as far as they can keep text from being seen. */

/** By the name of the property; the value is in small letters. Of what is important, the name with an exclamation mark stands there as well. */
export type Declarations = Map<string, string>;

const telling = new Set(
  (
    "display visibility content-visibility opacity filter font font-size position left top right bottom inset text-indent margin margin-left margin-top " +
    "transform translate scale clip clip-path width height max-width max-height overflow overflow-x overflow-y color background background-color background-clip " +
    "-webkit-background-clip background-image animation animation-name transition"
  ).split(" "),
);

/** Later ones go before earlier ones, and important ones before all others. */
export function addDeclarations(text: string, to: Declarations): void {
  for (const part of text.split(";")) {
    const colon = part.indexOf(":");
    if (colon < 0) continue;
    const name = part.slice(0, colon).trim().toLowerCase();
    if (!telling.has(name)) continue;
    const written = plain(part.slice(colon + 1, colon + 200).toLowerCase());
    const isImportant = written.includes("!");
    if (to.has(`${name}!`) && !isImportant) continue;
    if (isImportant) to.set(`${name}!`, "");
    to.set(name, (isImportant ? written.slice(0, written.indexOf("!")) : written).trim());
  }
}

/** Without comments and escapes (CSS Syntax §4.3), which a browser reads over. Takes a short text. */
function plain(value: string): string {
  if (!value.includes("\\") && !value.includes("/*")) return value;
  const letter = (_: string, code: string) => String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
  return value.replace(/\/\*.*?\*\//gs, "").replace(/\\([0-9a-f]{1,6})\s?/g, letter);
}

/** Text this far outside of its box is outside of the window, too: in pixels, and in letters or parts of the window. */
const FAR_PIXELS = 500;
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

/** In pixels, where it is written in pixels or is nothing at all. */
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

/** Ways in which a style hides an element with all that it holds. */
export type HiddenBy = "display" | "opacity" | "size" | "off-screen";

export function hiddenBy(style: Declarations): HiddenBy | undefined {
  if (style.get("display") === "none" || style.get("content-visibility") === "hidden") return "display";
  if (isSeeThrough(style)) return "opacity";
  if (isOutside(style)) return "off-screen";
  return sizeHides(style);
}

function isSeeThrough(style: Declarations): boolean {
  const opacity = style.get("opacity");
  if (opacity !== undefined && Number.parseFloat(opacity) <= (opacity.endsWith("%") ? 100 * SEEN : SEEN)) return true;
  const faded = /opacity\(\s{0,9}([\d.]{1,9})(%?)/.exec(style.get("filter") ?? "");
  return faded !== null && Number.parseFloat(faded[1]!) <= (faded[2] === "%" ? 100 * SEEN : SEEN);
}

const sides = ["left", "top", "right", "bottom", "margin-left", "margin-top", "text-indent"];

function isOutside(style: Declarations): boolean {
  const isPlaced = /^(?:absolute|fixed)$/.test(style.get("position") ?? "");
  if (sides.some((side) => isFarOut(style.get(side)) && (isPlaced || side === "text-indent" || side.startsWith("margin")))) return true;
  const shorthands = [style.get("margin"), isPlaced ? style.get("inset") : undefined];
  if (shorthands.some((all) => all?.split(/\s+/).some(isFarOut))) return true;
  const moved = /translate(?:x|y|3d)?\(([^()]{1,60})\)/.exec(style.get("transform") ?? "")?.[1] ?? style.get("translate");
  if (moved?.split(/[\s,]+/).some(isFarOut)) return !/%/.test(moved) || isPlaced;
  if (/scale(?:x|y|3d)?\(\s{0,9}0(?:\.0{1,9})?\s{0,9}[,)]/.test(style.get("transform") ?? "")) return true;
  if (/^0(?:\.0{1,9})?(?:%|\s|$)/.test(style.get("scale") ?? "")) return true;
  return isClipped(style.get("clip"), style.get("clip-path"));
}

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
  const inset = /^inset\(\s{0,9}([\d.]{1,9})%/.exec(path)?.[1];
  return inset !== undefined && Number.parseFloat(inset) >= 50;
}

/** A box of no height that cuts what it holds is how pages fold things up: it counts as not displayed. */
function sizeHides(style: Declarations): HiddenBy | undefined {
  const cuts = ["overflow", "overflow-x", "overflow-y"].some((name) => /hidden|clip/.test(style.get(name) ?? ""));
  if (!cuts) return undefined;
  const isNarrow = atMost(style.get("width"), 1) || atMost(style.get("max-width"), 1);
  const isLow = atMost(style.get("height"), 1) || atMost(style.get("max-height"), 1);
  return isNarrow ? "size" : isLow ? "display" : undefined;
}

/** Letters too small to be seen; undefined where nothing is said of them. */
export function isTiny(style: Declarations): boolean | undefined {
  const size = style.get("font-size") ?? /(?:^|\s)([\d.]{1,9}(?:px|pt|r?em|%)?)(?:\s{0,9}\/|\s)/.exec(style.get("font") ?? "")?.[1];
  if (size === undefined) return undefined;
  return atMost(size, 1) || (/^[\d.]{1,9}(?:r?em|%)$/.test(size) && Number.parseFloat(size) <= (size.endsWith("%") ? 5 : 0.05));
}

/** Whether it cannot be seen; undefined where nothing is said of it. */
export function isInvisible(style: Declarations): boolean | undefined {
  const visibility = style.get("visibility");
  return visibility === undefined ? undefined : visibility === "hidden" || visibility === "collapse";
}
