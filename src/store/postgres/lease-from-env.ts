import { duration } from "../../core/units.ts";
import { WrongLocationError } from "../store.ts";
import { LEASE_MS } from "./worker-session.ts";

const MIN_LEASE_MS = 100;
const MAX_LEASE_MS = 600_000;

/** How long a worker may be silent before its leases expire, in milliseconds, from NUTHATCH_LEASE. */
export function leaseFromEnv(text: string | undefined): number {
  if (text === undefined) return LEASE_MS;
  const time = duration({ min: MIN_LEASE_MS, max: MAX_LEASE_MS }).safeParse(text);
  if (time.success) return time.data;
  throw new WrongLocationError(
    `NUTHATCH_LEASE: ${JSON.stringify(text.slice(0, 100))} is not a time from 100ms to 10m`,
    "NUTHATCH_LEASE=30s",
  );
}
