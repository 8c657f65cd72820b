/** Events as clients get them. */
import { z } from "zod";
import { Time, WholeNumber } from "./shapes.ts";

export const eventTypes = [
  "crawl.started",
  "crawl.progress",
  "crawl.phase",
  "crawl.paused",
  "crawl.resumed",
  "crawl.finished",
  "crawl.failed",
  "crawl.cancelled",
  "page.fetched",
  "page.gone",
  "url.settled",
  "link.found",
  "host.slowed",
  "job.progress",
  "job.finished",
] as const;

export const EventDocument = z
  .object({
    type: z.enum(eventTypes),
    at: Time,
    crawlId: WholeNumber.nullable(),
    siteId: WholeNumber.nullable(),
    data: z
      .looseObject({})
      .describe("Of page.fetched and page.gone a page, of crawl.progress how the run stands, of the others what happened."),
  })
  .meta({ id: "Event" });
