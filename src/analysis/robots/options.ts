import { z } from "zod";
import { duration, MAX_TIMER_MS } from "../../core/units.ts";

export const RobotsOptions = z.object({
  respectRobots: z.boolean().default(true).describe("Obey robots.txt, X-Robots-Tag and robots meta elements"),
  robotsUnreachable: z
    .enum(["deny", "allow"])
    .default("deny")
    .describe("What to do where robots.txt cannot be fetched; allow only with the site's permission"),
  maxCrawlDelay: duration({ max: MAX_TIMER_MS }).prefault("60s").describe("Leave hosts alone that ask for a longer Crawl-delay"),
});
export type RobotsOptions = z.infer<typeof RobotsOptions>;
