/** How long a request waits for a job or run to end: `?wait=30s`, or `Prefer: wait=30`. */
import { z } from "zod";
import { duration } from "../units.ts";

const MOST = 120_000;

export const waitQuery = z
  .string()
  .regex(/^\d{1,6}(ms|s|m)?$/, "a time such as 30s")
  .transform((text) => Math.min(MOST, duration().parse(text)))
  .optional()
  .describe("Wait so long for the end, 2 minutes at most; `Prefer: wait=30` says the same.");
