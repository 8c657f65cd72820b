import { z } from "zod";
import { VERSION } from "../../version.ts";
import { type Route, route } from "../route.ts";

export const systemRoutes: readonly Route[] = [
  route(
    {
      id: "version",
      method: "GET",
      path: "/version",
      tag: "System",
      scope: "read",
      summary: "Which nuthatch answers",
      at: "reader",
      answers: { 200: { about: "Its version", shape: z.object({ version: z.string() }) } },
    },
    async () => ({ data: { version: VERSION } }),
  ),
];
