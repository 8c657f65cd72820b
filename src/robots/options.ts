import { z } from "zod";
import { duration, LONGEST_TIMER } from "../units.ts";

export const RobotsOptions = z.object({
  respectRobots: z.boolean().default(true).describe("Obey robots.txt, X-Robots-Tag and robots meta elements"),
  robotsUnreachable: z
    .enum(["deny", "allow"])
    .default("deny")
    .describe("What to do where robots.txt cannot be fetched; allow only with the site's permission"),
  maxCrawlDelay: duration({ max: LONGEST_TIMER }).prefault("60s").describe("Leave hosts alone that ask for a longer Crawl-delay"),
});
export type RobotsOptions = z.infer<typeof RobotsOptions>;
