/** Transforms that move an element away or leave nothing of it. */
import type { Declarations } from "./declared.ts";
import { degreesOf, pixelsOf } from "./numbers.ts";

const FUNCTION = /([a-z0-9]+)\(([^()]{0,200})\)/g;
/** What is left of a side, at least. */
const FLAT = 0.05;

interface Call {
  readonly name: string;
  readonly given: readonly string[];
}

const callsIn = (style: Declarations): Call[] =>
  [...(style.get("transform") ?? "").matchAll(FUNCTION)].map(([, name = "", inner = ""]) => ({
    name,
    given: inner.split(",").map((part) => part.trim()),
  }));

/** In pixels. Percentages are of the element itself, which may be small unless it is placed. */
export function movedBy(style: Declarations, isPlaced: boolean): { readonly x: number; readonly y: number } {
  let x = 0;
  let y = 0;
  const add = (across: string | undefined, down: string | undefined) => {
    const size = (side: string | undefined) =>
      side === undefined || (side.includes("%") && !isPlaced)
        ? 0
        : (pixelsOf(side, side.includes("%") && Number.parseFloat(side) <= -100 ? 500 : 100) ?? 0);
    x += size(across);
    y += size(down);
  };
  const [across, down] = style.get("translate")?.split(/\s+/) ?? [];
  add(across, down);
  for (const { name, given } of callsIn(style)) {
    if (name === "translate" || name === "translate3d") add(given[0], given[1]);
    else if (name === "translatex") add(given[0], undefined);
    else if (name === "translatey") add(undefined, given[0]);
    else if (name === "matrix") add(`${given[4]}px`, `${given[5]}px`);
    else if (name === "matrix3d") add(`${given[12]}px`, `${given[13]}px`);
  }
  return { x, y };
}

/** Scaled, skewed or rotated until nothing is visible. */
export function isFlat(style: Declarations): boolean {
  const calls = callsIn(style);
  const rotate = style.get("rotate")?.split(/\s+/) ?? [];
  const isHiddenBack = style.get("backface-visibility") === "hidden";
  if (style.get("scale")?.split(/\s+/).some(isNearlyNothing)) return true;
  if (rotate.length > 1 && rotate[0] !== "z" && isOnEdge(rotate.at(-1), isHiddenBack)) return true;
  return calls.some(({ name, given }) => isFlatBy(name, given, isHiddenBack)) || isFarBehind(calls);
}

function isFlatBy(name: string, given: readonly string[], isHiddenBack: boolean): boolean {
  if (/^scale[xy]?$/.test(name)) return given.some(isNearlyNothing);
  if (name === "scale3d") return given.slice(0, 2).some(isNearlyNothing);
  if (name === "matrix") return Math.abs(areaOf(given.map(Number), 0, 1, 2, 3)) <= FLAT;
  if (name === "matrix3d") return Math.abs(areaOf(given.map(Number), 0, 1, 4, 5)) <= FLAT * FLAT;
  if (name === "rotatex" || name === "rotatey") return isOnEdge(given[0], isHiddenBack);
  if (name === "rotate3d") return (Number(given[0]) !== 0 || Number(given[1]) !== 0) && isOnEdge(given[3], isHiddenBack);
  if (name === "skewx" || name === "skewy" || name === "skew")
    return given.some((angle) => Math.abs(Math.abs(degreesOf(angle) ?? 0) % 180) === 90);
  return false;
}

/** The area of a unit square after a matrix transform. */
const areaOf = (matrix: readonly number[], a: number, b: number, c: number, d: number): number =>
  matrix[a]! * matrix[d]! - matrix[b]! * matrix[c]!;

function isNearlyNothing(share: string): boolean {
  return Math.abs(Number.parseFloat(share)) <= (share.includes("%") ? 100 * FLAT : FLAT);
}

function isOnEdge(angle: string | undefined, isHiddenBack: boolean): boolean {
  const turn = angle === undefined ? undefined : degreesOf(angle);
  if (turn === undefined) return false;
  const seen = Math.cos((turn / 180) * Math.PI);
  return Math.abs(seen) < 0.03 || (isHiddenBack && seen < 0);
}

/** With a perspective, what is moved back becomes small. */
function isFarBehind(calls: readonly Call[]): boolean {
  const perspective = pixelsOf(calls.find(({ name }) => name === "perspective")?.given[0]);
  const back = pixelsOf(calls.find(({ name }) => name === "translatez")?.given[0]);
  return perspective !== undefined && back !== undefined && back < 0 && perspective / (perspective - back) <= FLAT;
}
