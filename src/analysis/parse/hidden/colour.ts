/** Parses CSS colours, to tell whether text contrasts with its background. */
import {
  converter,
  interpolate,
  modeA98,
  modeHsl,
  modeHwb,
  modeLab,
  modeLch,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeP3,
  modeProphoto,
  modeRec2020,
  modeRgb,
  modeXyz50,
  modeXyz65,
  parse as parseText,
  useMode,
} from "culori/fn";
import { calculated } from "../css/numbers.ts";
import { splitOutside } from "../css/scan.ts";

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** 0 is transparent. */
  readonly alpha: number;
}

const modes = [modeRgb, modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch, modeLrgb, modeP3, modeA98, modeProphoto, modeRec2020];
for (const mode of [...modes, modeXyz50, modeXyz65]) useMode(mode);
const toRgb = converter("rgb");

export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/** Cached: a site uses few colours, each of them often. */
const MAX_REMEMBERED = 5000;
const remembered = new Map<string, Colour | undefined>();
const MAX_LENGTH = 300;
const MAX_NESTED = 5;

/** Undefined if it is not a plain colour: gradients, variables, `inherit`, `currentcolor`. */
export function colourOf(text: string): Colour | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (remembered.has(text)) return remembered.get(text);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const rgb = toRgb(read(text.trim().toLowerCase(), 0));
  const [red, green, blue] = [rgb?.r, rgb?.g, rgb?.b].map((part) => Math.min(Math.max(part ?? 0, 0), 1) * 255) as [number, number, number];
  const colour = rgb && { red, green, blue, alpha: rgb.alpha ?? 1 };
  remembered.set(text, colour);
  return colour;
}

type Parsed = NonNullable<ReturnType<typeof parseText>>;

/** culori throws at some texts that are no colours. */
function parse(text: string) {
  try {
    return parseText(text);
  } catch {
    return undefined;
  }
}

/** The colours of the system, in a light scheme. */
const system: Readonly<Record<string, string>> = {
  canvas: "#fff",
  field: "#fff",
  highlighttext: "#fff",
  selecteditemtext: "#fff",
  canvastext: "#000",
  fieldtext: "#000",
  buttontext: "#000",
  marktext: "#000",
  mark: "#ff0",
  graytext: "#808080",
  linktext: "#00e",
  visitedtext: "#551a8b",
  activetext: "#f00",
  buttonface: "#efefef",
};

function read(written: string, depth: number): Parsed | undefined {
  const text = system[written] ?? written;
  const [, name = "", inner] = /^([a-z-]+)\(([\s\S]*)\)$/.exec(text) ?? [];
  if (inner === undefined) return parse(text);
  if (depth > MAX_NESTED) return undefined;
  if (name === "color-mix") return mixed(inner, depth);
  if (name === "light-dark") return read(splitOutside(inner, ",")[0]!.trim(), depth + 1);
  if (/^\s*from\s/.test(inner)) return relative(name, inner, depth);
  return parse(calculated(text)) ?? parse(`${name}(${calculated(inner)})`);
}

const spaces: Readonly<Record<string, string>> = {
  srgb: "rgb",
  "srgb-linear": "lrgb",
  "display-p3": "p3",
  "a98-rgb": "a98",
  "prophoto-rgb": "prophoto",
  xyz: "xyz65",
  "xyz-d65": "xyz65",
  "xyz-d50": "xyz50",
};

/** `color-mix()` (CSS Color 5 §3). */
function mixed(inner: string, depth: number): Parsed | undefined {
  const parts = splitOutside(inner, ",").map((part) => part.trim());
  const space = /^in\s+([\w-]+)/.exec(parts[0] ?? "")?.[1];
  const [one, other] = parts.slice(space === undefined ? 0 : 1).map((part) => shareOf(part, depth));
  if (!one?.colour || !other?.colour) return undefined;
  const second = other.share ?? (one.share === undefined ? 0.5 : 1 - one.share);
  const first = one.share ?? 1 - second;
  const sum = first + second;
  if (!(sum > 0)) return undefined;
  const mode = space === undefined ? "oklab" : (spaces[space] ?? space);
  try {
    const at = second / sum;
    const opaque = interpolate(
      [
        { ...one.colour, alpha: 1 },
        { ...other.colour, alpha: 1 },
      ],
      mode as "rgb",
    );
    const [left, right] = [one.colour.alpha ?? 1, other.colour.alpha ?? 1];
    const alpha = left * (1 - at) + right * at;
    return { ...opaque(alpha === 0 ? at : (right * at) / alpha), alpha: alpha * Math.min(sum, 1) };
  } catch {
    return undefined;
  }
}

function shareOf(part: string, depth: number): { readonly colour: Parsed | undefined; readonly share: number | undefined } {
  const percent = /(?:^|\s)([\d.]{1,20})%(?:\s|$)/.exec(calculated(part));
  const colour = percent ? calculated(part).replace(percent[0], " ") : part;
  return { colour: read(colour.trim(), depth + 1), share: percent ? Number(percent[1]) / 100 : undefined };
}

/** What a function calls its channels, and how it writes them: times what is kept of them. */
const channels: Readonly<
  Record<string, readonly [mode: string, ...channels: (readonly [name: string, key: string, scale: number, unit: string])[]]>
> = {
  rgb: ["rgb", ["r", "r", 255, ""], ["g", "g", 255, ""], ["b", "b", 255, ""]],
  hsl: ["hsl", ["h", "h", 1, ""], ["s", "s", 100, "%"], ["l", "l", 100, "%"]],
  hwb: ["hwb", ["h", "h", 1, ""], ["w", "w", 100, "%"], ["b", "b", 100, "%"]],
  lab: ["lab", ["l", "l", 1, ""], ["a", "a", 1, ""], ["b", "b", 1, ""]],
  lch: ["lch", ["l", "l", 1, ""], ["c", "c", 1, ""], ["h", "h", 1, ""]],
  oklab: ["oklab", ["l", "l", 1, ""], ["a", "a", 1, ""], ["b", "b", 1, ""]],
  oklch: ["oklch", ["l", "l", 1, ""], ["c", "c", 1, ""], ["h", "h", 1, ""]],
};

/** `rgb(from red r g b / 0)` (CSS Color 5 §4). */
function relative(name: string, inner: string, depth: number): Parsed | undefined {
  const [, origin = "", ...rest] = splitOutside(inner.trim(), " ");
  const spaceName = name === "color" ? rest.shift() : undefined;
  const mode = name === "color" ? (spaces[spaceName ?? ""] ?? "rgb") : (channels[name.replace(/a$/, "")]?.[0] ?? "");
  const from = read(origin, depth + 1);
  if (!from || mode === "") return undefined;
  const values = converter(mode as "rgb")(from) as unknown as Readonly<Record<string, number | undefined>>;
  const known =
    name === "color" ? (["r", "g", "b"] as const).map((key) => [key, key, 1, ""] as const) : channels[name.replace(/a$/, "")]!.slice(1);
  const written = (known as readonly (readonly [string, string, number, string])[]).reduce(
    (text, [channel, key, scale, unit]) =>
      text.replace(new RegExp(`(?<![\\w-])${channel}(?![\\w-(])`, "g"), `${Number(((values[key] ?? 0) * scale).toFixed(4))}${unit}`),
    rest.join(" ").replace(/\balpha\b/g, String(from.alpha ?? 1)),
  );
  return parse(`${name}(${spaceName === undefined ? "" : `${spaceName} `}${calculated(written)})`);
}

/** All colours in a value, such as the stops of a gradient. */
export function coloursIn(value: string): Colour[] {
  const whole = colourOf(value);
  if (whole) return [whole];
  return splitOutside(value.replace(/!.*$/s, ""), " ").flatMap((part) => {
    const colour = colourOf(part.replace(/,$/, ""));
    if (colour) return [colour];
    const inner = /^(?:repeating-)?(?:linear|radial|conic)-gradient\(([\s\S]*)\),?$/.exec(part)?.[1];
    return inner === undefined ? [] : splitOutside(inner, ",").flatMap((stop) => coloursOfStop(stop.trim()));
  });
}

const coloursOfStop = (stop: string): Colour[] => splitOutside(stop, " ").flatMap((part) => colourOf(part) ?? []);

/** Whether two colours cannot be told apart by eye. */
export function areAlike(one: Colour, other: Colour): boolean {
  const most = Math.max(Math.abs(one.red - other.red), Math.abs(one.green - other.green), Math.abs(one.blue - other.blue));
  return most <= 20;
}
