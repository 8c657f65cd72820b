/** Evaluates CSS math functions and lengths, for a window of the size that pages are rendered with. */

export const WINDOW = { width: 1280, height: 800 } as const;
/** The size of letters that browsers begin with. */
export const LETTER = 16;
/** What percentages are taken of where the box is not known. */
const BOX = 1000;

const inPixels: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  em: LETTER,
  rem: LETTER,
  ex: LETTER / 2,
  rex: LETTER / 2,
  ch: LETTER / 2,
  rch: LETTER / 2,
  ic: LETTER,
  ric: LETTER,
  cap: LETTER,
  rcap: LETTER,
  lh: 1.2 * LETTER,
  rlh: 1.2 * LETTER,
};

/** The size of a unit in pixels; undefined if there is no such unit. */
export function unitOf(unit: string): number | undefined {
  const known = inPixels[unit];
  if (known !== undefined) return known;
  const side = /^(?:[sld]?v|cq)(w|h|i|b|min|max)$/.exec(unit)?.[1];
  if (side === undefined) return undefined;
  return (side === "h" || side === "b" || side === "min" ? WINDOW.height : WINDOW.width) / 100;
}

const NUMBER = /^[-+]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[-+]?\d{1,3})?/;

export interface Amount {
  readonly value: number;
  /** Lower case; empty for a plain number. */
  readonly unit: string;
}

/** A number with its unit; undefined for anything else. */
export function amountOf(text: string): Amount | undefined {
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return undefined;
  const unit = text.slice(number.length);
  if (unit !== "" && unit !== "%" && !/^(?:deg|grad|rad|turn|m?s|fr)$/.test(unit) && unitOf(unit) === undefined) return undefined;
  return { value: Number(number), unit };
}

/** A length in pixels. `whole` is what percentages are taken of; undefined for text that is no length. */
export function pixelsOf(text: string | undefined, whole: number = BOX): number | undefined {
  const amount = text === undefined ? undefined : amountOf(text);
  if (amount === undefined) return undefined;
  const { value, unit } = amount;
  if (unit === "") return value === 0 ? 0 : undefined;
  if (unit === "%") return (value / 100) * whole;
  const size = unitOf(unit);
  return size === undefined ? undefined : value * size;
}

/** An angle in degrees. */
export function degreesOf(text: string): number | undefined {
  const amount = amountOf(text);
  const unit = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }[amount?.unit ?? ""];
  if (amount === undefined) return undefined;
  return unit === undefined ? (amount.value === 0 ? 0 : undefined) : amount.value * unit;
}

const MATH = /\b(?:calc|min|max|clamp|abs|sign)\(/;
/** The innermost bracket, so that each round leaves one less. */
const INNERMOST = /(\b(?:-webkit-)?calc|\bmin|\bmax|\bclamp|\babs|\bsign|(?<=[(,+*/\s-]))\(([^()]{0,300})\)/;
const MAX_ROUNDS = 60;

/** Replaces math functions by their values, where these are known. */
export function calculated(value: string): string {
  if (!MATH.test(value)) return value;
  let rest = value;
  for (let round = 0; round < MAX_ROUNDS && MATH.test(rest); round += 1) {
    const found = INNERMOST.exec(rest);
    if (!found) break;
    const amount = evaluated(found[1]!, found[2]!);
    if (amount === undefined) break;
    rest = rest.slice(0, found.index) + writtenAs(amount) + rest.slice(found.index + found[0].length);
  }
  return rest;
}

const writtenAs = ({ value, unit }: Amount): string => `${Number(value.toFixed(6))}${unit}`;

function evaluated(name: string, inner: string): Amount | undefined {
  const all = inner.split(",").map((one) => sumOf(one.trim()));
  if (all.some((one) => one === undefined)) return undefined;
  const amounts = alike(all as Amount[]);
  const values = amounts.map(({ value }) => value);
  const { unit } = amounts[0]!;
  const [first = 0, second = 0, third = 0] = values;
  if (name === "min") return { value: Math.min(...values), unit };
  if (name === "max") return { value: Math.max(...values), unit };
  if (name === "clamp") return { value: Math.max(first, Math.min(second, third)), unit };
  if (name === "abs") return { value: Math.abs(first), unit };
  if (name === "sign") return { value: Math.sign(first), unit: "" };
  return amounts[0];
}

/** Amounts of one unit; those of several become pixels. */
function alike(amounts: readonly Amount[]): readonly Amount[] {
  if (amounts.every(({ unit }) => unit === amounts[0]!.unit)) return amounts;
  return amounts.map(({ value, unit }) =>
    unit === "" ? { value, unit: "px" } : { value: pixelsOf(`${value}${unit}`) ?? value, unit: "px" },
  );
}

function sumOf(text: string): Amount | undefined {
  const tokens = text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:%|[a-z]+)?|\s[-+]\s|[*/]|[^\s]/g) ?? [];
  let sum: Amount | undefined;
  let product: Amount | undefined;
  let sign = 1;
  let operator = "";
  for (const token of tokens) {
    const trimmed = token.trim();
    if (trimmed === "*" || trimmed === "/") operator = trimmed;
    else if (trimmed === "+" || trimmed === "-") {
      if (!product) return undefined;
      sum = added(sum, product, sign);
      sign = trimmed === "-" ? -1 : 1;
      product = undefined;
    } else {
      const amount = amountOf(trimmed);
      if (!amount || (product && operator === "")) return undefined;
      product = product ? multiplied(product, amount, operator) : amount;
      operator = "";
    }
  }
  return product && added(sum, product, sign);
}

function multiplied(one: Amount, other: Amount, operator: string): Amount {
  const value = operator === "*" ? one.value * other.value : one.value / (other.value || Number.MIN_VALUE);
  return { value: Number.isFinite(value) ? value : Math.sign(value) * 1e9, unit: one.unit || other.unit };
}

function added(sum: Amount | undefined, more: Amount, sign: number): Amount {
  if (!sum) return { value: sign * more.value, unit: more.unit };
  const [one, other] = alike([sum, more]) as [Amount, Amount];
  return { value: one.value + sign * other.value, unit: one.unit };
}
