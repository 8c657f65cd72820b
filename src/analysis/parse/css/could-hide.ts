/** Whether a declaration could hide text, alone or with others. Elements without such declarations need no closer look. */
import { areAlike, type Colour, colourOf, coloursIn } from "../hidden/colour.ts";
import { amountOf, calculated, pixelsOf } from "./numbers.ts";

/** Most rules contain nothing of this kind and are skipped. */
const TELLING = new RegExp(
  [
    "display\\s*:\\s*none",
    "visibility\\s*:",
    "opacity",
    "filter\\s*:",
    "zoom\\s*:",
    "font(?:-size)?\\s*:[^;]{0,40}?(?<![\\d.a-z#])(?:0|\\.|[1-3](?:px|pt|q|mm)|[1-5]?\\d%)",
    "-\\d{2}|\\d{4}",
    "clip|mask|transform\\s*:|(?:translate|scale|rotate)\\s*:",
    "(?:width|height|-size|spacing|indent)\\s*:\\s*(?:[0-3](?![\\d.]|r?em|%|v)|0|\\.|-|\\d{3}%)",
    "animation|offset",
    "calc\\(|min\\(|max\\(|clamp\\(|var\\(|v[whib]\\b|\\\\",
  ].join("|"),
  "i",
);
const INK = /(?:^|[;\s])(?:color|-webkit-text-fill-color)\s*:\s*([^;!]*)/gi;

export function isTelling(body: string, grounds: () => readonly Colour[]): boolean {
  if (TELLING.test(body)) return true;
  if (!body.includes("olor")) return false;
  for (const [, value = ""] of body.matchAll(INK)) if (couldVanish(value.trim().toLowerCase(), grounds())) return true;
  return false;
}

const NEGATIVE = -400;
const FAR = 1000;

const isBelow = (value: string, most: number) => {
  const amount = amountOf(value);
  return amount !== undefined && (amount.unit === "%" ? amount.value / 100 : amount.value) < most;
};

const isFar = (value: string): boolean =>
  value.split(/[\s,]+/).some((one) => {
    const size = pixelsOf(one);
    return size !== undefined && (size <= NEGATIVE || size >= FAR);
  });

const isSmall = (value: string): boolean => {
  const size = pixelsOf(value);
  return size !== undefined && size <= 3;
};

const isSmallFont = (value: string): boolean => {
  const amount = amountOf(value);
  if (amount === undefined) return false;
  if (amount.unit === "em" || amount.unit === "rem" || amount.unit === "%") return amount.value < (amount.unit === "%" ? 60 : 0.6);
  return (pixelsOf(value) ?? 99) < 4;
};

/** Those that `couldHide` knows. */
export const hidingProperties: ReadonlySet<string> = new Set(
  (
    "display visibility content-visibility opacity zoom font-size font filter offset-path animation animation-name clip clip-path mask mask-image mask-size transform scale rotate translate left top " +
    "right bottom inset inset-inline inset-block margin margin-left margin-top margin-inline text-indent letter-spacing line-height width height max-width max-height color -webkit-text-fill-color"
  ).split(" "),
);

/** `grounds` are the colours of the page's backgrounds. */
export function couldHide(name: string, written: string, grounds: readonly Colour[]): boolean {
  const value = calculated(written);
  switch (name) {
    case "display":
      return value === "none";
    case "visibility":
    case "content-visibility":
      return value === "hidden" || value === "collapse";
    case "opacity":
    case "zoom":
      return isBelow(value, 0.35);
    case "font-size":
      return isSmallFont(value);
    case "font":
      return value.split(/[\s/]+/).some(isSmallFont);
    case "filter":
    case "offset-path":
    case "animation":
    case "animation-name":
      return value !== "none";
    case "clip":
    case "clip-path":
    case "mask":
    case "mask-image":
    case "mask-size":
      return value !== "none" && value !== "auto";
    case "transform":
      return /[-\d]\d{3}|-\d\d%|scale|matrix|rotate[xy3]|perspective|skew|-\d+v|turn|rad|\d{2}e?m/.test(value);
    case "scale":
    case "rotate":
      return value !== "none";
    case "translate":
    case "left":
    case "top":
    case "right":
    case "bottom":
    case "inset":
    case "inset-inline":
    case "inset-block":
    case "margin":
    case "margin-left":
    case "margin-top":
    case "margin-inline":
    case "text-indent":
      return isFar(value);
    case "letter-spacing":
      return isBelow(value, -0.3);
    case "line-height":
      return isBelow(value, 0.2);
    case "width":
    case "height":
    case "max-width":
    case "max-height":
      return isSmall(value);
    case "color":
    case "-webkit-text-fill-color":
      return couldVanish(value, grounds);
    default:
      return false;
  }
}

function couldVanish(value: string, grounds: readonly Colour[]): boolean {
  if (value === "currentcolor" || value === "inherit") return false;
  const colour = colourOf(value);
  return colour !== undefined && (colour.alpha < 0.1 || grounds.some((ground) => areAlike(colour, ground)));
}

const MAX_GROUNDS = 200;
const GROUND = /background(?:-color|-image)?\s*:([^;}]{1,300})/gi;

/** The colours that a text sets for backgrounds. Variables are kept apart: each custom property may hold one. */
export function groundsIn(css: string, to: Colour[]): void {
  for (const [, written = ""] of css.matchAll(GROUND)) {
    for (const colour of coloursIn(written.toLowerCase()))
      if (to.length < MAX_GROUNDS && colour.alpha > 0.1 && !to.includes(colour)) to.push(colour);
  }
}
