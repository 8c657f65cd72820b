/**
 * The HTTP front: validates requests, passes them to a desk (thread or process), and returns the answers. It never touches the data file.
 */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { z } from "zod";
import type { SavedResponse } from "../../store/index.ts";
import type { Access } from "./access.ts";
import type { Backends } from "./backends.ts";
import { type BrowserSetup, checkHost, checkOrigin, corsHeaders } from "./browser-guard.ts";
import { checkDepth, checkInput } from "./check-input.ts";
import { addDashboard, isPageRequest, sendView } from "./dashboard-files.ts";
import { addDocs } from "./docs-files.ts";
import { Replays, replayKey, requestHash } from "./engine/replays.ts";
import type { Events } from "./events/events.ts";
import { addHealth } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { Problem } from "./problem.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { RequestContext, Route, Scope } from "./route.ts";
import { routes } from "./routes/index.ts";
import { openApi } from "./shapes/openapi.ts";
import type { PeerReply } from "./worker-calls.ts";

export interface FrontSetup {
  readonly backends: Backends;
  readonly events: Events;
  readonly access: Access;
  readonly browser: BrowserSetup;
  readonly rateLimiter: RateLimiter;
  readonly metrics: Metrics;
  readonly withDashboard: boolean;
  readonly log: (line: string) => void;
}

export const BASE = "/api/v1";
const BODY_LIMIT = 1024 * 1024;
/** Time limit for receiving a request, against slow senders. */
const REQUEST_TIMEOUT_MS = 30_000;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

export function openFront(setup: FrontSetup): FastifyInstance {
  const { browser, rateLimiter, metrics } = setup;
  const front = fastify({
    bodyLimit: BODY_LIMIT,
    logger: false,
    forceCloseConnections: true,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // Unreadable paths, for which Fastify calls no hook.
    frameworkErrors: (_, request, reply) =>
      void sendProblem(reply.headers(SECURITY_HEADERS), request as FastifyRequest, new Problem("validation", "this path cannot be read")),
  });
  front.removeContentTypeParser("text/plain");
  front.addHook("onRequest", async (request, reply) => {
    const cors = corsHeaders(request.headers, browser);
    reply.headers({ ...SECURITY_HEADERS, ...cors });
    checkHost(request.headers, browser);
    if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS") checkOrigin(request.headers, browser);
    reply.headers(rateLimiter.takeToken(request.ip));
    // CORS preflight requests carry no key.
    if (request.method === "OPTIONS" && "access-control-allow-origin" in cors) return reply.code(204).send();
    if (request.is404 && !(setup.withDashboard && isPageRequest(request))) await setup.access.check(request.headers, "read");
  });
  front.addHook("onResponse", async (request, reply) => {
    metrics.request(request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
  });
  front.setErrorHandler((cause, request, reply) => sendProblem(reply, request, problemFrom(cause, setup.log)));
  front.setNotFoundHandler((request, reply) => {
    const problem = unmatchedProblem(front, request, reply);
    return setup.withDashboard && problem.status === 404 && isPageRequest(request)
      ? sendView(request, reply, setup.access, 404)
      : sendProblem(reply, request, problem);
  });
  let openApiText: string | undefined;
  front.get("/openapi.json", {
    onRequest: (request) => setup.access.check(request.headers, "read"),
    handler: (_, reply) => {
      // Created on first use: it takes as long as the rest of the start.
      openApiText ??= JSON.stringify(openApi(routes));
      return reply.type("application/json").send(openApiText);
    },
  });
  for (const route of routes) if (route.base === undefined) addRoute(front, setup, route);
  front.register(async (inner) => addCompatibleRoutes(inner, setup));
  addHealth(front, setup);
  addDocs(front, setup.access, setup.withDashboard);
  if (setup.withDashboard) addDashboard(front, setup.access);
  return front;
}

/** Routes of compatible services accept JSON sent as `application/x-www-form-urlencoded`, which is what curl sends by default. */
function addCompatibleRoutes(front: FastifyInstance, setup: FrontSetup): void {
  front.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, front.getDefaultJsonParser("error", "error"));
  for (const route of routes) if (route.base !== undefined) addRoute(front, setup, route);
}

const NO_PARAMETERS = z.object({});

/** The scope of the client of each request. */
const scopes = new WeakMap<FastifyRequest, Scope>();

function addRoute(front: FastifyInstance, setup: FrontSetup, route: Route): void {
  const replays = new Replays();
  const query = (route.query ?? NO_PARAMETERS).strict();
  front.route({
    method: route.method,
    url: (route.base ?? BASE) + route.path.replace(/\{(\w+)\}/g, ":$1"),
    onRequest: async (request) => {
      scopes.set(request, await setup.access.check(request.headers, route.scope));
    },
    handler: async (request, reply) => {
      checkDepth(request.body, "body");
      const input = {
        params: checkInput(route.params, request.params, "path"),
        query: checkInput(query, withWait(route, request), "query"),
        body: checkInput(route.body, request.body ?? undefined, "body"),
        range: request.headers.range,
        asked: requestContextOf(request, { scope: scopes.get(request) ?? route.scope, needsKey: !setup.access.isOpen }),
      };
      if (route.at === "events") return sendEvents(setup, request, reply, input);
      const abort = new AbortController();
      reply.raw.once("close", () => reply.raw.writableFinished || abort.abort(disconnected()));
      const name = route.method === "POST" ? request.headers["idempotency-key"] : undefined;
      if (name === undefined) return send(reply, await setup.backends.ask(route, input, abort.signal));
      if (name.length > 255) throw new Problem("validation", "an Idempotency-Key has at most 255 characters");
      const key = replayKey(setup.access.clientIdOf(request.headers), String(name));
      // Not aborted when the client disconnects, because it may retry with the same key to get the answer.
      const ask = () => setup.backends.ask(route, input, new AbortController().signal);
      return sendOnce(reply, { key, asked: requestHash(route.id, { ...input, asked: undefined }), ask, replays, setup });
    },
  });
}

/** The client has disconnected, so it does not get this; nor is it an error to log. */
const disconnected = () => new Problem("conflict", "whoever asked has left");

/** `Prefer: wait=30` means the same as `?wait=30s`. */
function withWait({ query }: Route, { query: given, headers: { prefer } }: FastifyRequest): unknown {
  const [, seconds] = /(?:^|[\s,])wait=(\d{1,4})/.exec(String(prefer ?? "")) ?? [];
  if (seconds === undefined || !query || !("wait" in query.shape)) return given;
  return { wait: `${seconds}s`, ...(given as object) };
}

async function sendEvents(
  { events, access }: FrontSetup,
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { params, query }: { params: unknown; query: unknown },
): Promise<FastifyReply> {
  if (method === "HEAD") return reply.type("text/event-stream; charset=utf-8").header("cache-control", "no-store").send();
  const { id: runId } = (params ?? {}) as { id?: number };
  const { types, after } = query as { types?: readonly string[]; after?: string };
  const lastId = headers["last-event-id"] === undefined ? after : String(headers["last-event-id"]);
  const own = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  await events.serve(reply.raw, Object.fromEntries(own), { clientId: access.clientIdOf(headers), runId, types, lastId });
  return reply.hijack();
}

function send(reply: FastifyReply, answer: PeerReply): FastifyReply {
  reply.code(answer.status).headers(answer.headers);
  if (answer.type !== undefined) reply.type(answer.type);
  return reply.send(answer.isStream ? Readable.from(answer.parts) : answer.body);
}

interface ReplayableRequest {
  readonly key: string;
  readonly asked: string;
  readonly ask: () => Promise<PeerReply>;
  readonly replays: Replays;
  readonly setup: FrontSetup;
}

/** Problems are answered but not stored, so that a client can retry with the same key after fixing the cause. */
async function sendOnce(reply: FastifyReply, { key, asked, ask, replays, setup: { backends } }: ReplayableRequest): Promise<FastifyReply> {
  const { kept, isReplayed } = await replays.answer(key, asked, {
    find: async () => (await backends.askInternal("reader", "findReplay", key)) as SavedResponse | undefined,
    make: async () => {
      const { status, headers, body } = await ask();
      const replay = { asked, status, headers, body: body ?? null };
      // An answer with a secret is stored without its body; only the fact that the request was done is kept.
      const stored = isSecret(replay) ? { ...replay, body: null } : replay;
      await backends.askInternal("writer", "keepReplay", { key, replay: stored });
      return replay;
    },
  });
  if (isReplayed && isSecret(kept))
    throw new Problem("conflict", "this was done before, and its answer, which holds a secret, is shown once", {
      suggestion: `remove ${kept.headers.location ?? "what was made"} and ask again under another Idempotency-Key, if the answer was lost`,
    });
  if (isReplayed) reply.header("idempotency-replayed", "true");
  if (kept.body !== null) reply.type("application/json; charset=utf-8");
  return reply
    .code(kept.status)
    .headers(kept.headers)
    .send(kept.body ?? undefined);
}

const isSecret = ({ headers }: SavedResponse) => headers["cache-control"] === "no-store";

const requestContextOf = ({ url, headers }: FastifyRequest, access: RequestContext["access"]): RequestContext => ({
  url,
  origin: `${headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${headers.host ?? ""}`,
  access,
  accept: headers.accept,
  ifMatch: headers["if-match"],
  ifNoneMatch: headers["if-none-match"],
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function unmatchedProblem(front: FastifyInstance, { url, method }: FastifyRequest, reply: FastifyReply): Problem {
  const path = url.split("?", 1)[0]!;
  const allowed = METHODS.filter((other) => other !== method && front.findRoute({ method: other, url: path }) !== null);
  if (allowed.length === 0) return new Problem("not-found", `there is nothing at ${path.slice(0, 200)}; /docs tells what there is`);
  reply.header("allow", allowed.join(", "));
  return new Problem("method-not-allowed", `${path.slice(0, 200)} takes ${allowed.join(", ")}`);
}

function problemFrom(cause: unknown, log: (line: string) => void): Problem {
  if (cause instanceof Problem) return cause;
  const { statusCode, message } = cause as { statusCode?: number; message?: string };
  if (statusCode === 413) return new Problem("payload-too-large", `a request may have ${BODY_LIMIT} bytes`);
  if (statusCode === 415) return new Problem("unsupported-content-type", "send JSON: content-type: application/json");
  if (statusCode !== undefined && statusCode < 500) return new Problem("validation", message ?? "it cannot be read");
  log(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  return new Problem("internal", "this is our fault; the server's log says more");
}

function sendProblem(reply: FastifyReply, { id }: FastifyRequest, problem: Problem): FastifyReply {
  if (problem.more.retryAfter !== undefined) reply.header("retry-after", String(problem.more.retryAfter));
  if (problem.problem === "unauthorized") reply.header("www-authenticate", "Bearer");
  return reply
    .code(problem.status)
    .type("application/problem+json")
    .send(JSON.stringify(problem.toDocument(id)));
}
