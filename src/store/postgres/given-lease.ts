import { duration } from "../../units.ts";
import { WrongPlaceError } from "../store.ts";
import { LEASE } from "./presence.ts";

const SHORTEST = 100;
const LONGEST = 600_000;

/** How long a worker may be silent before its leases expire, in milliseconds, from NUTHATCH_LEASE. */
export function givenLease(text: string | undefined): number {
  if (text === undefined) return LEASE;
  const time = duration({ min: SHORTEST, max: LONGEST }).safeParse(text);
  if (time.success) return time.data;
  throw new WrongPlaceError(`NUTHATCH_LEASE: ${JSON.stringify(text.slice(0, 100))} is not a time from 100ms to 10m`, "NUTHATCH_LEASE=30s");
}
