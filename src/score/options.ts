import { z } from "zod";

const weight = z.number().min(0).max(1);

export const ScoreOptions = z.object({
  keywords: z
    .record(z.string().trim().min(1).max(100), weight)
    .default({})
    .describe("What matters: words or phrases, each with a weight of 0 to 1"),
  scorer: z
    .enum(["lexical", "embedded", "llm"])
    .default("embedded")
    .describe("How links are held against keywords: their words alone, with word vectors too, or by a model afterwards"),
  scoreRatio: z.number().min(0).max(1).default(0.5).describe("What each further keyword of a link counts of the one before it"),
});

export type ScoreOptions = z.infer<typeof ScoreOptions>;
