/** Whoever listens to the network: checks what comes in, hands it to a desk, and passes on what comes back. It never touches the data file. */
import { Readable } from "node:stream";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { z } from "zod";
import { addDashboard } from "./dashboard-files.ts";
import { openApi } from "./openapi.ts";
import type { Places } from "./places.ts";
import { Problem, type ProblemFault } from "./problem.ts";
import type { Asked, Route } from "./route.ts";
import { routes } from "./routes/index.ts";

export interface FrontSetup {
  readonly places: Places;
}

export const BASE = "/api/v1";
const BODY_LIMIT = 1024 * 1024;

export function openFront({ places }: FrontSetup): FastifyInstance {
  const front = fastify({ bodyLimit: BODY_LIMIT, logger: false, forceCloseConnections: true, requestIdHeader: false });
  front.setErrorHandler((cause, request, reply) => sendProblem(reply, request, problemFrom(cause)));
  front.setNotFoundHandler((request, reply) =>
    sendProblem(reply, request, new Problem("not-found", `there is nothing at ${request.url.slice(0, 200)}`)),
  );
  const described = JSON.stringify(openApi(routes));
  front.get("/openapi.json", (_, reply) => reply.type("application/json").send(described));
  for (const route of routes) add(front, places, route);
  addDashboard(front);
  return front;
}

function add(front: FastifyInstance, places: Places, route: Route): void {
  front.route({
    method: route.method,
    url: BASE + route.path.replace(/\{(\w+)\}/g, ":$1"),
    handler: async (request, reply) => {
      const input = {
        params: checked(route.params, request.params, "path"),
        query: checked(route.query, request.query, "query"),
        body: checked(route.body, request.body, "body"),
        asked: askedOf(request),
      };
      const abort = new AbortController();
      reply.raw.once("close", () => reply.raw.writableFinished || abort.abort());
      const answer = await places.ask(route, input, abort.signal);
      reply.code(answer.status).headers(answer.headers);
      if (answer.type !== undefined) reply.type(answer.type);
      return reply.send(answer.isStream ? Readable.from(answer.parts) : (answer.body ?? null));
    },
  });
}

const askedOf = ({ url, headers }: FastifyRequest): Asked => ({
  url,
  accept: headers.accept,
  ifMatch: headers["if-match"],
  ifNoneMatch: headers["if-none-match"],
});

/** What was sent, in the form the route takes it; whatever is wrong is said at once, each with its place. */
function checked(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: ProblemFault[] = result.error.issues.map(({ path, message }) => ({
    pointer: `/${[place, ...path.map(String)].join("/")}`,
    message,
  }));
  throw new Problem("validation", errors.map(({ pointer, message }) => `${pointer}: ${message}`).join("; "), { errors });
}

function problemFrom(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  const { statusCode, message } = cause as { statusCode?: number; message?: string };
  if (statusCode === 413) return new Problem("payload-too-large", `a request may have ${BODY_LIMIT} bytes`);
  if (statusCode === 415) return new Problem("unsupported-content-type", "send JSON: content-type: application/json");
  if (statusCode !== undefined && statusCode < 500) return new Problem("validation", message ?? "it cannot be read");
  console.error(cause);
  return new Problem("internal", "this is our fault; the server's log says more");
}

const sendProblem = (reply: FastifyReply, request: FastifyRequest, problem: Problem) =>
  reply
    .code(problem.status)
    .type("application/problem+json")
    .send(JSON.stringify(problem.toDocument(request.id)));
