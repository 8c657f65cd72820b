/** The size of letters, through all elements around. */
import type { Declarations } from "./declared.ts";
import { amountOf, LETTER, pixelsOf } from "./numbers.ts";

/** Text of at most this size in pixels, or this share of the surrounding size, cannot be read. */
const TINY_PIXELS = 2;
const TINY_SHARE = 0.2;

interface Size {
  readonly letter: number;
  readonly isTiny: boolean;
}

export function letterSizeOf(style: Declarations, around: Size): Size {
  const zoom = amountOf(style.get("zoom") ?? "");
  // Browsers take zero for one.
  if (zoom !== undefined && zoom.value !== 0 && (zoom.unit === "%" ? zoom.value / 100 : zoom.value) <= 0.05)
    return { letter: 0, isTiny: true };
  const written = style.get("font-size") ?? sizeInFont(style.get("font"));
  const amount = written === undefined ? undefined : amountOf(written);
  if (amount === undefined) return written === undefined ? around : { letter: LETTER, isTiny: false };
  const { value, unit } = amount;
  const share = unit === "%" ? value / 100 : unit === "em" ? value : undefined;
  const letter = share === undefined ? (pixelsOf(written) ?? around.letter) : share * around.letter;
  // What `rem` means is often set by a script.
  return { letter, isTiny: letter <= TINY_PIXELS || (share ?? (unit === "rem" ? value : 1)) <= TINY_SHARE };
}

const sizeInFont = (font: string | undefined): string | undefined =>
  font
    ?.split(/\s+/)
    .map((part) => part.split("/", 1)[0]!)
    .find((part) => /^[\d.]+(?:[a-z]+|%)$|^0$/.test(part));
