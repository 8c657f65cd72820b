/** Cursors: a position in a list, encoded as one opaque token. */
import type { Place } from "../store/index.ts";
import { Problem } from "./problem.ts";

/** `mark` names the list and its sort order: a cursor is valid only for the list and order that issued it. */
export const cursorOf = (place: Place, mark: string): string => Buffer.from(JSON.stringify([mark, ...place])).toString("base64url");

export function placeOf(cursor: string, mark: string): Place {
  const said = read(cursor);
  if (said?.[0] === mark) return said.slice(1) as Place;
  throw said ? otherList() : fault("this is no cursor");
}

export const otherList = (): Problem => fault("this cursor is of another list, or of another order of it");

/** For lists whose position consists of `count` numbers. */
export function numbersIn(place: Place, count: number): number[] {
  if (place.length === count && place.every((value) => typeof value === "number")) return [...place] as number[];
  throw otherList();
}

const fault = (message: string) =>
  new Problem("validation", message, {
    errors: [{ pointer: "/query/cursor", message, suggestion: "take `nextCursor` of the page before, with the same `sort`" }],
  });

function read(cursor: string): readonly (string | number)[] | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isPlace = Array.isArray(said) && said.length > 1 && said.every((value) => typeof value === "string" || Number.isFinite(value));
    return isPlace ? said : undefined;
  } catch {
    // Anything that cannot be decoded is not a cursor.
    return undefined;
  }
}
