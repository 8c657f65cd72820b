/** Parts of pages that people have excluded from changes. */
import { z } from "zod";
import { ignorePart } from "../../../features/changes/ignored.ts";
import type { IgnoredPart } from "../../../store/index.ts";
import { requireSite } from "../json/site-json.ts";
import { answerList, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { Id, SiteId, Time, WholeNumber } from "../shapes/shapes.ts";
import { pageOf } from "./pages.ts";

const IgnoredRow = z
  .object({
    id: WholeNumber,
    siteId: WholeNumber,
    pageId: WholeNumber.nullable().describe("Only on this page; null: on all pages of the site."),
    kind: z.enum(["text", "pattern"]),
    value: z.string(),
    madeAt: Time,
  })
  .meta({ id: "IgnoredPart" });

const ignoredJson = ({ pageId, madeAt, id, siteId, kind, value }: IgnoredPart): z.output<typeof IgnoredRow> => ({
  ...{ id, siteId, pageId: pageId ?? null, kind, value },
  madeAt: new Date(madeAt).toISOString(),
});

const tag = "Changes";

export const ignoredRoutes: readonly Route[] = [
  route(
    {
      id: "listIgnored",
      method: "GET",
      path: "/sites/{id}/ignored",
      tag,
      scope: "read",
      summary: "What is left out of the changes of a site",
      params: z.object({ id: SiteId }),
      query: z.object({ ...listQuery, pageId: Id.optional().describe("Only what holds on this page.") }),
      at: "reader",
      answers: { 200: listSpec("Parts of pages", IgnoredRow) },
      problems: ["not-found"],
    },
    async ({ app, signal }, { params: { id }, query: { pageId, ...query }, asked }) => {
      const parts = await app.store.userData.ignored((await requireSite(app, id)).id);
      const list = shortList(parts.filter((part) => pageId === undefined || (part.pageId ?? pageId) === pageId));
      return answerList(query, { name: "ignored", list, filter: undefined, row: IgnoredRow, json: ignoredJson, signal, asked });
    },
  ),
  route(
    {
      id: "addIgnored",
      method: "POST",
      path: "/sites/{id}/ignored",
      tag,
      scope: "write",
      summary: "Leave a part of pages out of changes: out of diffs at once, out of what runs count and tell from the next run on",
      params: z.object({ id: SiteId }),
      body: z
        .strictObject({
          kind: z
            .enum(["text", "pattern"])
            .default("text")
            .describe(
              "text: these words, whatever numbers, dates and codes stand among them. pattern: with anything where a * is; a * at an end reaches to the end of the block.",
            ),
          value: z.string().min(1).max(5000),
          pageId: z.int().positive().nullable().optional().describe("Only on this page; else on all pages of the site."),
        })
        .meta({ examples: [{ value: "Visitors today: 4,211" }, { kind: "pattern", value: "Last updated * ago" }] }),
      at: "writer",
      answers: { 201: { about: "What is ignored", shape: IgnoredRow } },
      problems: ["not-found", "conflict"],
    },
    async ({ app }, { params: { id }, body: { kind, value, pageId } }) => {
      const site = await requireSite(app, id);
      if (pageId && (await pageOf(app, pageId)).siteId !== site.id) throw new Problem("not-found", `site ${id} has no page ${pageId}`);
      const { isNew, ...part } = await ignorePart(app, { siteId: site.id, pageId: pageId ?? undefined, kind, value });
      if (!isNew) throw new Problem("conflict", "it is ignored already", { id: part.id });
      return { status: 201, headers: { location: `/api/v1/sites/${site.id}/ignored/${part.id}` }, data: ignoredJson(part) };
    },
  ),
  route(
    {
      id: "removeIgnored",
      method: "DELETE",
      path: "/sites/{id}/ignored/{partId}",
      tag,
      scope: "write",
      summary: "Heed a part of pages again",
      params: z.object({ id: SiteId, partId: Id }),
      at: "writer",
      answers: { 204: { about: "It counts again" } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id, partId } }) => {
      const site = await requireSite(app, id);
      if (await app.store.userData.stopIgnoring(site.id, partId)) return { status: 204 };
      throw new Problem("not-found", `site ${id} ignores nothing of the number ${partId}`);
    },
  ),
];
