/** Versions and history of a page. */
import { z } from "zod";
import { diffAsHtml } from "../../../features/changes/change-markup.ts";
import { diffLines } from "../../../features/changes/change-words.ts";
import { diffPage, ignoredKinds } from "../../../features/changes/diff.ts";
import type { Version as StoredVersion } from "../../../store/index.ts";
import { answerList, listParameter, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { Id } from "../shapes/shapes.ts";
import { PageDiffShape, Version } from "../shapes/shapes-page.ts";
import { once, SANDBOX, types } from "./page-parts.ts";
import { pageOf } from "./pages.ts";

const params = z.object({ id: Id });
const tag = "Pages";
const problems = ["not-found"] as const;

const versionJson = (version: StoredVersion): z.output<typeof Version> => ({
  version: version.number,
  crawlId: version.runId,
  fetchedAt: new Date(version.fetchedAt).toISOString(),
  type: version.type,
  charset: version.charset,
  wordCount: version.wordCount,
  linkCount: version.linkCount,
  hash: { text: version.fingerprint.text, links: version.fingerprint.links },
  hasBody: version.bodyHash !== null,
  renderedBy: version.renderedBy,
  hasScreenshot: version.hasScreenshot,
  metadata: version.metadata,
});

export const pageVersionRoutes: readonly Route[] = [
  route(
    {
      id: "listPageVersions",
      method: "GET",
      path: "/pages/{id}/versions",
      tag,
      scope: "read",
      summary: "The stored versions of a page, the newest first",
      params,
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Versions", Version) },
      problems,
    },
    async ({ app, signal }, { params: { id }, query, asked }) => {
      await pageOf(app, id);
      const versions = await app.store.versions(id);
      return answerList(query, {
        name: "versions",
        list: shortList(versions),
        filter: undefined,
        row: Version,
        json: versionJson,
        signal,
        asked,
      });
    },
  ),
  route(
    {
      id: "getPageVersion",
      method: "GET",
      path: "/pages/{id}/versions/{version}",
      tag,
      scope: "read",
      summary: "One version of a page",
      params: z.object({ id: Id, version: Id }),
      at: "reader",
      answers: { 200: { about: "The version", shape: Version } },
      problems,
    },
    async ({ app }, { params: { id, version: number } }) => {
      await pageOf(app, id);
      const version = (await app.store.versions(id)).find((one) => one.number === number);
      if (!version) throw new Problem("not-found", `page ${id} has no version ${number}`);
      return { data: versionJson(version) };
    },
  ),
  route(
    {
      id: "diffPage",
      method: "GET",
      path: "/pages/{id}/diff",
      tag,
      scope: "read",
      summary: "What became of a page between two versions; what changes by itself is left out",
      params,
      query: z.object({
        from: z.coerce.number().int().min(1).optional().describe("Number of a version; else the one before."),
        to: z.coerce.number().int().min(1).optional().describe("Else the newest."),
        all: z.stringbool().default(false).describe("Also what changes by itself, and what is ignored."),
        ignore: listParameter(z.enum(ignoredKinds))
          .optional()
          .describe("Leave out what differs only in dates, numbers, whitespace; several with commas."),
        format: z.enum(["json", "unified", "html"]).default("json"),
      }),
      at: "reader",
      answers: { 200: { about: "The difference", shape: PageDiffShape, types: ["text/plain", "text/html"] } },
      problems,
    },
    async ({ app }, { params: { id }, query: { format, ...query } }) => {
      await pageOf(app, id);
      const diff = await diffPage(app, { page: String(id), ...query });
      if (format === "json") return { data: diff };
      const text = format === "html" ? diffAsHtml(diff) : `${diffLines(diff).join("\n")}\n`;
      return { headers: SANDBOX, stream: { type: types[format === "html" ? "html" : "text"], parts: once(text) } };
    },
  ),
];
