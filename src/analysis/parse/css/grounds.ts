/** What is behind a text. */
import { areAlike, type Colour, coloursIn, WHITE } from "../hidden/colour.ts";
import type { HtmlElement } from "../html-tree.ts";
import type { Cascade } from "./cascade.ts";
import type { Declarations } from "./declared.ts";

/** Null if it is a picture, or not known. */
type Ground = Colour | null;

export class Grounds {
  readonly #styles: Cascade;
  readonly #known = new Map<HtmlElement, Ground>();

  constructor(styles: Cascade) {
    this.#styles = styles;
  }

  /** Whether nothing around it has a background that is known. */
  isUnknown(element: HtmlElement): boolean {
    for (let at: HtmlElement | undefined = element; at; at = at.parent)
      if (groundOf(this.#styles.styleOf(at), at.attributes.bgcolor, "black").ground !== undefined) return false;
    return true;
  }

  /** `ink` is the colour that `currentcolor` stands for. */
  behind(element: HtmlElement, ink: string): Ground {
    const passed: HtmlElement[] = [];
    let ground: Ground | undefined;
    let at: HtmlElement | undefined = element;
    for (; at && ground === undefined; at = at.parent) {
      ground = this.#known.get(at);
      if (ground !== undefined) break;
      const own = groundOf(this.#styles.styleOf(at), at.attributes.bgcolor, ink);
      if (!own.isOwn) passed.push(at);
      ground = own.ground;
    }
    ground ??= ground === null ? null : WHITE;
    for (const one of passed) this.#known.set(one, ground);
    return ground;
  }
}

interface Own {
  /** Undefined if it lets through what is behind it. */
  readonly ground: Ground | undefined;
  /** Whether it depends on the ink. */
  readonly isOwn: boolean;
}

function groundOf(style: Declarations, bgcolor: string | undefined, ink: string): Own {
  const colour = style.get("background-color");
  const shorthand = style.get("background");
  const image = style.get("background-image");
  const isOwn = [colour, shorthand].some((one) => one?.includes("currentcolor"));
  const all = [image, colour ?? shorthand ?? bgcolor].filter((one) => one !== undefined).map((one) => one.replaceAll("currentcolor", ink));
  for (const written of all) {
    const ground = groundIn(written, style.get("background-size"));
    if (ground !== undefined) return { ground, isOwn };
  }
  return { ground: undefined, isOwn };
}

/** A gradient that is only a line, such as one under a link. */
const isStrip = (written: string, size: string | undefined): boolean =>
  /\/\s*(?!100%\s+100%|cover)[\d.]/.test(written.replace(/\([\s\S]*\)/, "")) ||
  (size !== undefined && !/^(?:100%\s*){2}|cover|auto/.test(size));

function groundIn(written: string, size: string | undefined): Ground | undefined {
  if (/gradient\(/.test(written) && isStrip(written, size)) return undefined;
  if (/\burl\(|image-set\(|element\(|cross-fade\(|paint\(/.test(written)) return null;
  const colours = coloursIn(written);
  const [first] = colours;
  if (first === undefined) return /var\(|gradient/.test(written) ? null : undefined;
  if (colours.every(({ alpha }) => alpha < 0.1)) return undefined;
  const isOne = colours.every((one) => one.alpha > 0.9 && areAlike(one, first));
  return isOne ? first : null;
}
