import { z } from "zod";
import { siteReports } from "../../operations/sites.ts";
import { listOf, listQuery } from "../list.ts";
import { type Route, route } from "../route.ts";
import { Site } from "../shapes.ts";

export const siteRoutes: readonly Route[] = [
  route(
    {
      id: "listSites",
      method: "GET",
      path: "/sites",
      tag: "Sites",
      scope: "read",
      summary: "The sites so far",
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: { about: "Sites, the one crawled last first", shape: listOf(Site) } },
    },
    async ({ app }, { query: { limit } }) => ({
      data: { data: (await siteReports(app)).slice(0, limit), page: { nextCursor: null, limit } },
    }),
  ),
];
