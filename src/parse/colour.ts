/** Parses CSS colours, to tell whether text contrasts with its background. */
import { converter, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch, modeRgb, parse, useMode } from "culori/fn";

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** 0 is transparent. */
  readonly alpha: number;
}

for (const mode of [modeRgb, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch]) useMode(mode);
const toRgb = converter("rgb");

export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** Cached: a site uses few colours, each of them often. */
const MOST_REMEMBERED = 1000;
const remembered = new Map<string, Colour | undefined>();
const LONGEST = 100;

/** Undefined if it is not a plain colour: gradients, variables, `inherit`. */
export function colourOf(text: string): Colour | undefined {
  if (text.length > LONGEST) return undefined;
  if (remembered.has(text)) return remembered.get(text);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const colour = parsed(text.trim().toLowerCase());
  remembered.set(text, colour);
  return colour;
}

function parsed(written: string): Colour | undefined {
  const rgb = toRgb(parse(written));
  if (!rgb) return undefined;
  const [red, green, blue] = [rgb.r, rgb.g, rgb.b].map((part) => Math.min(Math.max(part, 0), 1) * 255) as [number, number, number];
  return { red, green, blue, alpha: rgb.alpha ?? 1 };
}

/** Whether two colours cannot be told apart by eye. */
export function areAlike(one: Colour, other: Colour): boolean {
  const most = Math.max(Math.abs(one.red - other.red), Math.abs(one.green - other.green), Math.abs(one.blue - other.blue));
  return most <= 20;
}
