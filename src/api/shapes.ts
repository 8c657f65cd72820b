/** What the API answers, field by field: the types of our records as schemas that OpenAPI can tell. */
import { z } from "zod";

export const Id = z.coerce.number().int().positive();
export const Time = z.iso.datetime();

export const Site = z.looseObject({ id: z.number().int(), url: z.string() });

export const RunSummary = z.object({
  id: z.number().int(),
  uid: z.string(),
  status: z.enum(["running", "paused", "finished", "stopped", "failed", "interrupted"]),
  stopReason: z.string().nullable(),
  startedAt: Time,
  endedAt: Time.nullable(),
  seeds: z.array(z.string()),
  sites: z.array(z.object({ id: z.number().int(), uid: z.string(), url: z.string() })),
  counters: z.record(z.string(), z.unknown()),
  links: z.object({ self: z.string(), events: z.string() }),
});
