/** Colours as pages write them: enough to tell whether text stands out from what is behind it. */

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** 0 is transparent. */
  readonly alpha: number;
}

const named: Readonly<Record<string, string>> = {
  white: "ffffff",
  snow: "fffafa",
  ivory: "fffff0",
  ghostwhite: "f8f8ff",
  floralwhite: "fffaf0",
  whitesmoke: "f5f5f5",
  black: "000000",
  gray: "808080",
  grey: "808080",
  silver: "c0c0c0",
  lightgray: "d3d3d3",
  lightgrey: "d3d3d3",
  red: "ff0000",
  green: "008000",
  blue: "0000ff",
  yellow: "ffff00",
  navy: "000080",
  orange: "ffa500",
};

export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** Undefined for what is not known: other names, gradients, variables. */
export function colourOf(text: string): Colour | undefined {
  const written = text.trim().toLowerCase();
  if (written === "transparent") return { ...WHITE, alpha: 0 };
  const hex = named[written] ?? /^#([0-9a-f]{3,8})$/.exec(written)?.[1];
  if (hex !== undefined) return ofHex(hex);
  const parts = /^rgba?\(([^()]{1,60})\)$/
    .exec(written)?.[1]
    ?.trim()
    .split(/[\s,/]+/);
  if (!parts || parts.length < 3) return undefined;
  const [red, green, blue] = parts.map((part) => (part.endsWith("%") ? 2.55 : 1) * Number.parseFloat(part)) as [number, number, number];
  const alpha = parts[3] === undefined ? 1 : Number.parseFloat(parts[3]) / (parts[3].endsWith("%") ? 100 : 1);
  return [red, green, blue, alpha].some(Number.isNaN) ? undefined : { red, green, blue, alpha };
}

function ofHex(hex: string): Colour | undefined {
  const long = hex.length < 6 ? hex.replace(/./g, "$&$&") : hex;
  if (long.length !== 6 && long.length !== 8) return undefined;
  const [red, green, blue, alpha = 255] = long.match(/../g)!.map((pair) => Number.parseInt(pair, 16)) as [number, number, number, number?];
  return { red, green, blue, alpha: alpha / 255 };
}

/** Whether nobody can tell one from the other. */
export function areAlike(one: Colour, other: Colour): boolean {
  const most = Math.max(Math.abs(one.red - other.red), Math.abs(one.green - other.green), Math.abs(one.blue - other.blue));
  return most <= 20;
}
