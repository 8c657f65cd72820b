/** An endpoint compatible with an existing metadata service: path, field names and answer are defined by that service. */
import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { type Route, route } from "../route.ts";

const MAX_BATCH = 100;

/** Field names of that service. */
const serviceNames = new Map([
  ["image", "image_url"],
  ["publishedAt", "published_at"],
  ["modifiedAt", "modified_at"],
  ["lang", "language"],
  ["siteName", "site_name"],
  ["wordCount", "word_count"],
  ["readingTime", "reading_time"],
  ["text", "content_text"],
]);

/** Page ids by number (as in `content.id`) or by the permanent `uid`. */
async function pagesOf({ store }: App, ids: readonly (string | number)[]): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const isNumber = (id: string | number) => typeof id === "number" || /^\d{1,15}$/.test(id);
  const others = ids.filter((id) => !isNumber(id)).map(String);
  const byUid = others.length === 0 ? undefined : await store.service.pageIds(others);
  for (const id of ids) {
    const number = isNumber(id) ? Number(id) : byUid?.get(String(id));
    // An unknown id gets a negative number, so that it is reported as failed under the id of the request.
    found.set(number ?? -found.size - 1, String(id));
  }
  return found;
}

export const enhanceRoutes: readonly Route[] = [
  route(
    {
      id: "enhanceMetadata",
      method: "POST",
      base: "",
      path: "/api/enhance/metadata",
      tag: "Enhancements",
      scope: "write",
      summary: "Fill in the metadata of a batch of stored pages and answer when it is done",
      body: z
        .strictObject({
          contentIds: z
            .array(z.union([z.string().max(100), z.int()]))
            .max(1000)
            .optional()
            .describe("Only these; without them, pages whose metadata was never made or was marked to be made again."),
          batchSize: z.number().int().min(1).max(MAX_BATCH).default(10),
          forceRescrape: z
            .boolean()
            .default(false)
            .describe("Ask for the pages again; without contentIds, those whose metadata is the oldest."),
        })
        .default({ batchSize: 10, forceRescrape: false }),
      at: "engine",
      answers: {
        200: {
          about: "What became of each page",
          shape: z.object({
            message: z.string(),
            processed: z.int(),
            enhanced: z.int(),
            results: z.array(
              z.object({
                id: z.string(),
                url: z.string(),
                status: z.string(),
                fieldsAdded: z.array(z.string()),
                reason: z.string().optional().describe("Why it failed."),
              }),
            ),
          }),
        },
      },
    },
    async ({ app, engine, signal }, { body: { contentIds, batchSize, forceRescrape } }) => {
      const given = contentIds && (await pagesOf(app, contentIds));
      const { processed, enhanced, results } = await engine.enhance({
        pageIds: given && [...given.keys()],
        missing: given === undefined && !forceRescrape,
        limit: given === undefined ? batchSize : undefined,
        batchSize,
        force: forceRescrape,
        oldestFirst: forceRescrape && given === undefined,
        signal,
      });
      return {
        data: {
          message: "Metadata enhancement completed",
          processed,
          enhanced,
          results: results.map(({ id, url, status, fieldsAdded, reason }) => ({
            id: given?.get(id ?? 0) ?? String(id),
            url,
            status,
            fieldsAdded: fieldsAdded.map((field) => serviceNames.get(field) ?? field),
            ...(reason !== undefined && { reason }),
          })),
        },
      };
    },
  ),
];
