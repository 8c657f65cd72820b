/** The OpenAPI 3.1 document, generated from the route cards. */
import type { z } from "zod";
import { VERSION } from "../../../core/version.ts";
import { type ProblemName, problems } from "../problem.ts";
import type { AnswerSpec, Route } from "../route.ts";
import { Components, type Json } from "./openapi-schemas.ts";
import { EventDocument } from "./shapes-event.ts";

/** Problems any route can return. */
const commonProblems: readonly ProblemName[] = ["validation", "unauthorized", "forbidden", "rate-limited", "internal", "storage"];

/** Further problems of routes that change something or take a body. */
const writeProblems = ({ method, body }: Route): readonly ProblemName[] => [
  ...(method === "POST" ? (["conflict"] as const) : []),
  ...(body ? (["payload-too-large", "unsupported-content-type"] as const) : []),
];

const tags: Readonly<Record<string, string>> = {
  System: "The server itself, and who may ask it.",
  Sites: "What is crawled, with its options and keywords, and what is known of it as a whole.",
  Crawls: "Runs: started, paused, changed and stopped, and why each URL was visited or not.",
  Hosts: "Whom runs ask: how fast, why not faster, and what you have to say about it.",
  Workers: "Who is at work where several processes share a database, and which hosts are whose.",
  Events: "What happens, as it happens: Server-Sent Events that can be caught up with.",
  Pages: "What is stored of single pages: content, metadata, links and versions.",
  Links: "Links by what they are worth, with the pages that have them.",
  Changes: "What became of pages between runs.",
  Contexts: "A page and the links that explain it, as one text for a model to read.",
  Enhancements: "Metadata of stored pages, made anew.",
  Exports: "Files of what is stored.",
  "One-shot": "A page or a site asked for at once, without a crawl.",
  Jobs: "What takes longer than a request.",
};

const ABOUT = `Crawl sites politely, see what matters and what changed.

Lists have pages: \`nextCursor\` of one is the \`cursor\` of the next. What cannot be done is told as a problem (RFC 9457) whose \`type\` never changes its name.
A POST with an \`Idempotency-Key\` can be sent again without harm. A key is needed wherever others than this machine can reach the server.`;

export function openApi(routes: readonly Route[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `${route.base ?? "/api/v1"}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  components.schemaOf(EventDocument, "output");
  return {
    openapi: "3.1.0",
    info: { title: "Nuthatch", version: VERSION, summary: "A polite, incremental web crawler.", description: ABOUT, license: LICENSE },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      schemas: { ...components.schemas, Problem: problemSchema },
      responses: components.answers,
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "`nuthatch keys create` makes one; on loopback none is needed unless there is one.",
        },
        header: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key in a header of its own." },
      },
    },
    security: [{}, { key: [] }, { header: [] }],
  };
}

const LICENSE = { name: "MIT", identifier: "MIT" };

function operationOf(route: Route, components: Components): Json {
  const { id, tag, summary, scope, params, query, body, answers, problems: own = [] } = route;
  const parameters = [...parametersOf(params, "path", components), ...parametersOf(query, "query", components), ...headersOf(route)];
  return {
    operationId: id,
    tags: [tag],
    summary,
    "x-scope": scope,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { "application/json": { schema: components.schemaOf(body, "input") } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, card]) => [status, answerOf(card, components)])),
      ...problemsOf([...commonProblems, ...writeProblems(route), ...own], components),
    },
  };
}

function parametersOf(schema: z.ZodObject | undefined, place: "path" | "query", components: Components): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.schemaOf(schema, "input") as {
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

/** Request headers a route supports, derived from its card. */
function headersOf({ method, at, answers, problems: own = [] }: Route): Json[] {
  const supported = [
    method === "POST" && (["Idempotency-Key", "A name for this request: sent again, it gets the first answer."] as const),
    own.includes("precondition-failed") && (["If-Match", "Only if it is still what this `ETag` said."] as const),
    304 in answers && (["If-None-Match", "The `ETag` of what you have."] as const),
    206 in answers && (["Range", "A part of the file: bytes=0-999."] as const),
    at === "events" && (["Last-Event-ID", "The id of the last event heard: what was missed is told first."] as const),
  ];
  return supported
    .filter((header) => header !== false)
    .map(([name, description]) => ({ name, in: "header", required: false, description, schema: { type: "string", maxLength: 4000 } }));
}

function answerOf({ about, shape, types = [], alsoTypes = [] }: AnswerSpec, components: Components): Json {
  const json = shape && { "application/json": { schema: components.schemaOf(shape, "output") } };
  const others = types.map((type) => [type, { schema: typedText(type) }] as const);
  const content = { ...json, ...Object.fromEntries(others) };
  return {
    description: about,
    ...(Object.keys(content).length > 0 && { content }),
    ...(alsoTypes.length > 0 && { "x-also-types": alsoTypes }),
  };
}

function typedText(type: string): Json {
  if (type === "text/event-stream")
    return {
      type: "string",
      description: "Each `data` is an Event.",
      contentMediaType: "application/json",
      contentSchema: { $ref: "#/components/schemas/Event" },
    };
  return type === "application/octet-stream" ? { type: "string", format: "binary" } : { type: "string" };
}

/** Error responses of a route; each combination is placed once under `components`. */
function problemsOf(names: readonly ProblemName[], components: Components): Json {
  const byStatus = new Map<number, ProblemName[]>();
  for (const name of new Set(names)) byStatus.set(problems[name][0], [...(byStatus.get(problems[name][0]) ?? []), name]);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      const description = same.map((name) => `${name}: ${problems[name][1]}`).join("; ");
      const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
      return [status, components.answer(same.join("."), { description, content })];
    }),
  );
}

const problemSchema = {
  type: "object",
  description: "Why something could not be done (RFC 9457). Some problems have more fields that help, such as the run that is in the way.",
  required: ["type", "title", "status", "detail", "instance"],
  properties: {
    type: { type: "string", enum: Object.keys(problems).map((name) => `urn:nuthatch:problem:${name}`) },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    instance: { type: "string", description: "The id of the request." },
    suggestion: { type: "string", description: "What may help." },
    retryAfter: { type: "integer", description: "Seconds." },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "message"],
        properties: {
          pointer: { type: "string", description: "A JSON pointer into path, query or body." },
          message: { type: "string" },
          suggestion: { type: "string" },
        },
      },
    },
  },
  examples: [
    {
      type: "urn:nuthatch:problem:not-found",
      title: "There is no such thing",
      status: 404,
      detail: "there is no page 7",
      instance: "5c9f2f4e-0f0e-4d57-9d3c-2f5a8f3b7c11",
    },
  ],
};
