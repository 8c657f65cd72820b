/** Search in stored pages by words, and lookup by address. */
import { z } from "zod";
import { pageByUrl } from "../../../features/pages/find.ts";
import { search } from "../../../features/search/search.ts";
import { requireSite } from "../json/site-json.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { SiteId, Time, Url, WholeNumber } from "../shapes/shapes.ts";
import { PageMetadataDocument } from "../shapes/shapes-page.ts";
import { metadataDocument } from "./page-parts.ts";
import { pageOf } from "./pages.ts";

const Found = z
  .object({
    id: WholeNumber,
    url: z.string(),
    title: z.string().nullable(),
    score: z.number().describe("The greater the better; of no meaning beyond this query."),
    snippet: z.looseObject({ text: z.string() }).describe("The part of its text that says most of what was asked."),
    firstSeenAt: Time,
    lang: z.string().nullable(),
    site: z.string(),
  })
  .meta({ id: "FoundPage" });

export const searchRoutes: readonly Route[] = [
  route(
    {
      id: "searchPages",
      method: "GET",
      path: "/search",
      tag: "Pages",
      scope: "read",
      summary: "Stored pages by their words; nothing is asked of the web",
      query: z.object({
        q: z.string().min(1).max(500).describe('All of these words; "a phrase" in quotes, -without, begin*.'),
        siteId: SiteId.optional(),
        since: z.string().max(40).optional().describe("Only pages first seen as they are since: a date, or how long ago (7d)."),
        until: z.string().max(40).optional(),
        lang: z.string().max(35).optional(),
        topic: z.string().max(100).optional(),
        all: z.stringbool().default(false).describe("Also copies, walls, errors, shells, and pages that ask not to be indexed."),
        sort: z.enum(["relevance", "-relevance", "date", "-date"]).default("relevance").describe("The best or newest first."),
        limit: z.coerce.number().int().min(1).max(100).default(10),
      }),
      // On the writer, because a search first indexes pages that are not indexed yet.
      at: "writer",
      answers: {
        200: {
          about: "What was found",
          shape: z.object({ total: WholeNumber, leftOut: WholeNumber.describe("Further matches that `all` takes."), data: z.array(Found) }),
        },
      },
      problems: ["not-found"],
    },
    async ({ app, signal }, { query: { q, siteId, ...query } }) => {
      const site = siteId === undefined ? undefined : String((await requireSite(app, siteId)).id);
      const { total, leftOut, results } = await search(app, { words: q, site, ...query, signal });
      return { data: { total, leftOut, data: results } };
    },
  ),
  route(
    {
      id: "getMetadata",
      method: "GET",
      path: "/metadata",
      tag: "Pages",
      scope: "read",
      summary: "What a stored page says about itself, by its address",
      query: z.object({ url: Url }),
      at: "reader",
      answers: { 200: { about: "By field", shape: PageMetadataDocument } },
      problems: ["not-found"],
    },
    async ({ app }, { query: { url } }) => {
      const page = await pageByUrl(app, url);
      if (page) return { data: await metadataDocument(app, await pageOf(app, page.id)) };
      throw new Problem("not-found", "this page is not stored", { suggestion: "POST /api/v1/enhancements with it in `urls`" });
    },
  ),
];
