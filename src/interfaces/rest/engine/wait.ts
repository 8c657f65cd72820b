/** How long a request waits for a job or run to end: `?wait=30s`, or `Prefer: wait=30`. */
import { z } from "zod";
import { duration } from "../../../core/units.ts";

const MAX_WAIT_MS = 120_000;

export const waitQuery = z
  .string()
  .regex(/^\d{1,6}(ms|s|m)?$/, "a time such as 30s")
  .transform((text) => Math.min(MAX_WAIT_MS, duration().parse(text)))
  .optional()
  .describe("Wait so long for the end, 2 minutes at most; `Prefer: wait=30` says the same.");
