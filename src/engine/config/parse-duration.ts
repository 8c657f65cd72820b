import { duration } from "../../core/units.ts";
import { SetupError } from "./setup-error.ts";

/** Parses a duration that is not an option of a run; returns milliseconds. */
export function parseDuration(name: string, given: string | number, example: string): number {
  const time = duration().safeParse(given);
  if (time.success) return time.data;
  throw new SetupError(`${name}: ${JSON.stringify(given)} is not a duration`, example);
}
