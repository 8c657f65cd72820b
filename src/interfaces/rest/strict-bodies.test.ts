import { expect, test } from "vitest";
import { z } from "zod";
import { routes } from "./routes/index.ts";

/** Finds objects in a schema that silently drop unknown fields. */
function openObjects(schema: unknown, path: string, seen = new Set<unknown>()): string[] {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return [];
  seen.add(schema);
  const deeper = (one: unknown, step: string) => openObjects(one, `${path}${step}`, seen);
  if (schema instanceof z.ZodObject) {
    // For schemas with a catch-all, options are checked when they are parsed.
    const isSilent = schema.def.catchall === undefined;
    return [...(!isSilent ? [] : [path]), ...Object.entries(schema.shape).flatMap(([key, one]) => deeper(one, `.${key}`))];
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => deeper(one, ""));
  if (schema instanceof z.ZodArray) return deeper(schema.element, "[]");
  if (schema instanceof z.ZodPipe) return deeper(schema.def.in, "");
  if (schema instanceof z.ZodRecord) return deeper(schema.valueType, ".*");
  if ("unwrap" in schema && typeof schema.unwrap === "function") return deeper(schema.unwrap(), "");
  return [];
}

test("no body drops a field that nobody knows", () => {
  expect(routes.flatMap(({ id, body }) => openObjects(body, id))).toEqual([]);
});
