import { z } from "zod";

export const RecrawlOptions = z.object({
  fingerprint: z
    .enum(["links", "text", "both"])
    .default("both")
    .describe("What counts as a change: links with their texts, main text, or both"),
  full: z.boolean().default(false).describe("Fetch everything again, without asking whether it changed"),
});

export type RecrawlOptions = z.infer<typeof RecrawlOptions>;
