/** The API's own description (OpenAPI 3.1), read off the cards of its routes. */
import { z } from "zod";
import { VERSION } from "../version.ts";
import { type ProblemName, problems } from "./problem.ts";
import type { AnswerCard, Route } from "./route.ts";

/** What any route can meet. */
const everywhere: readonly ProblemName[] = ["validation", "unauthorized", "forbidden", "rate-limited", "internal", "storage"];

const schemaOf = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<string, unknown>;
  return json;
};

export function openApi(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `${route.base ?? "/api/v1"}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Nuthatch",
      version: VERSION,
      description: "Crawl sites politely, see what matters and what changed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas: { Problem: problemSchema }, securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    security: [{}, { key: [] }],
  };
}

function operationOf({ id, tag, summary, scope, params, query, body, answers, problems: own = [] }: Route): Record<string, unknown> {
  const parameters = [...parametersOf(params, "path"), ...parametersOf(query, "query")];
  return {
    operationId: id,
    tags: [tag],
    summary,
    "x-scope": scope,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, card]) => [status, answerOf(card)])),
      ...problemsOf([...everywhere, ...own]),
    },
  };
}

function parametersOf(schema: z.ZodObject | undefined, place: "path" | "query"): Record<string, unknown>[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...inner }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    schema: inner,
  }));
}

function answerOf({ about, shape, types = [] }: AnswerCard): Record<string, unknown> {
  const json = shape && { "application/json": { schema: schemaOf(shape, "output") } };
  const others = types.map((type) => [type, { schema: { type: "string" } }] as const);
  const content = { ...json, ...Object.fromEntries(others) };
  return { description: about, ...(Object.keys(content).length > 0 && { content }) };
}

function problemsOf(names: readonly ProblemName[]): Record<string, unknown> {
  const byStatus = new Map<number, ProblemName[]>();
  for (const name of names) byStatus.set(problems[name][0], [...(byStatus.get(problems[name][0]) ?? []), name]);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((name) => `${name}: ${problems[name][1]}`).join("; "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

const problemSchema = {
  type: "object",
  required: ["type", "title", "status", "detail", "instance"],
  properties: {
    type: { type: "string", enum: Object.keys(problems).map((name) => `urn:nuthatch:problem:${name}`) },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string" },
    suggestion: { type: "string" },
    retryAfter: { type: "integer" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "message"],
        properties: { pointer: { type: "string" }, message: { type: "string" }, suggestion: { type: "string" } },
      },
    },
  },
};
