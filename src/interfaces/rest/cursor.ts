/** Cursors: a position in a list, encoded as one opaque token. */
import type { Cursor } from "../../store/index.ts";
import { Problem } from "./problem.ts";

/** `mark` names the list and its sort order: a cursor is valid only for the list and order that issued it. */
export const cursorOf = (place: Cursor, listName: string): string =>
  Buffer.from(JSON.stringify([listName, ...place])).toString("base64url");

export function readCursor(cursor: string, listName: string): Cursor {
  const decoded = decode(cursor);
  if (decoded?.[0] === listName) return decoded.slice(1) as Cursor;
  throw decoded ? otherListProblem() : cursorProblem("this is no cursor");
}

export const otherListProblem = (): Problem => cursorProblem("this cursor is of another list, or of another order of it");

/** For lists whose position consists of `count` numbers. */
export function numbersOf(place: Cursor, count: number): number[] {
  if (place.length === count && place.every((value) => typeof value === "number")) return [...place] as number[];
  throw otherListProblem();
}

const cursorProblem = (message: string) =>
  new Problem("validation", message, {
    errors: [{ pointer: "/query/cursor", message, suggestion: "take `nextCursor` of the page before, with the same `sort`" }],
  });

function decode(cursor: string): readonly (string | number)[] | undefined {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isPlace =
      Array.isArray(decoded) && decoded.length > 1 && decoded.every((value) => typeof value === "string" || Number.isFinite(value));
    return isPlace ? decoded : undefined;
  } catch {
    // Anything that cannot be decoded is not a cursor.
    return undefined;
  }
}
