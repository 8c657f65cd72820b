import { z } from "zod";

export const RecrawlOptions = z.object({
  fingerprint: z
    .enum(["links", "text", "both"])
    .default("both")
    .describe("What counts as a change: links with their texts, main text, or both"),
  full: z.boolean().default(false).describe("Fetch everything again, without asking whether it changed"),
  keepVersions: z.number().int().min(1).default(10).describe("Versions of each page that stay, the newest first"),
  prune: z.boolean().default(false).describe("After a run that saw everything, remove the pages that are gone, with all their versions"),
  due: z.boolean().default(false).describe("Visit only known pages that have probably changed, and what is new on them"),
  visitsPerDay: z
    .number()
    .positive()
    .max(1e9)
    .optional()
    .describe("Visits that --due shares out over the pages; by default as many as there are pages")
    .meta({ examples: [500] }),
});

export type RecrawlOptions = z.infer<typeof RecrawlOptions>;
