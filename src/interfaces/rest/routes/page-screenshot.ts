import { z } from "zod";
import { etagOf, isUnchanged } from "../etag.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { Id } from "../shapes/shapes.ts";
import { pageOf } from "./pages.ts";

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

export const pageScreenshotRoutes: readonly Route[] = [
  route(
    {
      id: "getPageScreenshot",
      method: "GET",
      path: "/pages/{id}/screenshot",
      tag: "Pages",
      scope: "read",
      summary: "What a page looked like in the browser that showed it, in a run with --save screenshot",
      params: z.object({ id: Id }),
      query: z.object({ version: z.coerce.number().int().min(1).optional().describe("Number of a version; else the newest.") }),
      at: "reader",
      answers: { 200: { about: "The picture", types: ["image/jpeg", "image/png"] }, 304: { about: "It is what you have" } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query: { version }, asked }) => {
      await pageOf(app, id);
      const { store } = app;
      const picture = await store.rendering.picture(id, version);
      const bytes = picture && (await store.bodyUncached(picture.bodyHash));
      if (!picture || !bytes) throw new Problem("not-found", `no screenshot of page ${id} is stored`);
      const headers = { etag: etagOf(picture.bodyHash), "x-content-type-options": "nosniff" };
      if (isUnchanged(asked, headers.etag)) return { status: 304, headers };
      return { headers, stream: { type: picture.type, parts: once(bytes) } };
    },
  ),
];
