import { z } from "zod";

export const MetadataOptions = z.object({
  enhance: z
    .boolean()
    .default(true)
    .describe("Say what each page is: title, image, author, dates, topics and the like, with where they stood; --no-enhance leaves it out"),
  cascade: z
    .enum(["weighed", "classic"])
    .default("weighed")
    .describe("How a value is chosen: by weighing all that speaks for it, or by a fixed order of sources"),
  topics: z
    .array(z.string().trim().min(1).max(100))
    .max(10)
    .default([])
    .describe("Topics of your own that every page of the site has, besides those found on it")
    .meta({ examples: ["harbour"] }),
});

export type MetadataOptions = z.infer<typeof MetadataOptions>;
