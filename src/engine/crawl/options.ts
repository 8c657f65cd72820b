import { z } from "zod";
import { byteSize, duration, MAX_TIMER_MS, orNone, textAs } from "../../core/units.ts";

const sitemapIn = (text: string) =>
  ["auto", "only", "off"].includes(text) || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) ? text : undefined;

export const CrawlOptions = z.object({
  maxPages: orNone(z.number().int().min(1)).default(10_000).describe("Stop after this many pages"),
  maxTime: orNone(duration({ min: 1, max: MAX_TIMER_MS }))
    .prefault("none")
    .describe("Stop after this long"),
  maxBytes: orNone(byteSize({ min: 1 }))
    .prefault("none")
    .describe("Stop after this much was downloaded"),
  sitemap: textAs(sitemapIn, "auto, only, off, or the URL of a sitemap that starts with http:// or https://")
    .default("auto")
    .describe("auto (those robots.txt names), only, off, or the URL of one"),
  maxSitemaps: orNone(z.number().int().min(1)).default(1000).describe("Read at most this many sitemaps of a site"),
  embeddedLinks: z.enum(["on", "off"]).default("on").describe("Find links in JSON inside scripts, as Drupal sites have them"),
  save: z
    .array(z.enum(["raw", "links", "warc", "screenshot", "none"]))
    .default(["raw"])
    .describe(
      "What to keep besides fingerprints: raw bodies, links as rows, requests and answers for web archives (with bodies), screenshots of pages that a browser shows, or none",
    ),
  decisions: z.enum(["full", "off"]).default("full").describe("Keep why each URL was skipped, or only what it takes to carry on"),
  readers: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe("Threads that read pages; by default one less than there are cores")
    .meta({ examples: [2] }),
});

export type CrawlOptions = z.infer<typeof CrawlOptions>;
