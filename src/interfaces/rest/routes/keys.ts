import { z } from "zod";
import { createKey, keyRecord, keyScopes, removeKey } from "../../../features/keys/keys.ts";
import { answerList, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { Id, Time } from "../shapes/shapes.ts";

const Scope = z.enum(keyScopes as ["read", "write", "admin"]);
const Key = z.object({ id: z.number().int(), name: z.string(), scope: Scope, madeAt: Time, usedAt: Time.nullable() }).meta({ id: "Key" });

export const keyRoutes: readonly Route[] = [
  route(
    {
      id: "listKeys",
      method: "GET",
      path: "/keys",
      tag: "System",
      scope: "admin",
      summary: "Who may ask",
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Keys, without what opens them", Key) },
    },
    async ({ app, signal }, { query, asked }) => {
      const list = shortList(await app.store.keys.list());
      return answerList(query, { name: "keys", list, filter: undefined, row: Key, json: keyRecord, signal, asked });
    },
  ),
  route(
    {
      id: "createKey",
      method: "POST",
      path: "/keys",
      tag: "System",
      scope: "admin",
      summary: "Let somebody else ask",
      body: z.strictObject({ name: z.string().min(1).max(200), scope: Scope.default("read") }),
      at: "writer",
      answers: { 201: { about: "The key: it is shown this once", shape: Key.extend({ key: z.string() }) } },
    },
    async ({ app }, { body }) => {
      const { key, card } = await createKey(app, body);
      return {
        status: 201,
        headers: { location: `/api/v1/keys/${card.id}`, "cache-control": "no-store" },
        data: { ...keyRecord(card), key },
      };
    },
  ),
  route(
    {
      id: "deleteKey",
      method: "DELETE",
      path: "/keys/{id}",
      tag: "System",
      scope: "admin",
      summary: "Close a key",
      params: z.object({ id: Id }),
      at: "writer",
      answers: { 204: { about: "It opens nothing any more, within five seconds" } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id } }) => {
      await removeKey(app, id).catch(() => {
        throw new Problem("not-found", `there is no key ${id}`);
      });
      return { status: 204 };
    },
  ),
];
