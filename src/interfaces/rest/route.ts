/** A route is data: its input, its answers and where it runs. Validation, OpenAPI, access control and tests all use the same card. */
import type { z } from "zod";
import type { App } from "../../engine/app.ts";
import type { Engine } from "./engine/engine.ts";
import type { LiveRuns } from "./events/live.ts";
import type { ProblemName } from "./problem.ts";

export type Scope = "read" | "write" | "admin";

/** The answer of a route: JSON, or a stream. */
export interface Reply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly stream?: { readonly type: string; readonly parts: AsyncIterable<string | Uint8Array> };
}

/** What a route needs for its work, which is done outside the thread that handles HTTP. */
export interface RouteContext {
  readonly app: App;
  readonly signal: AbortSignal;
}

/** The same in the crawling process, which has the runs and long jobs. */
export interface EngineContext extends RouteContext {
  readonly engine: Engine;
}

/** Other properties of a request. */
export interface RequestContext {
  /** Path and query, unchanged. */
  readonly url: string;
  /** Origin of this server, from the host name the client used. */
  readonly origin: string;
  readonly accept?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly access: { readonly scope: Scope; readonly needsKey: boolean };
}

export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Active runs, for routes with `wantsLive`. */
  readonly live?: LiveRuns;
  /** Range header of the request. */
  readonly range?: string | undefined;
  readonly asked: RequestContext;
}

export interface RouteSpec {
  /** Operation id in OpenAPI, such as `listPages`. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /api/v1, in OpenAPI notation: `/sites/{id}/pages`. */
  readonly path: string;
  readonly tag: string;
  readonly scope: Scope;
  /** One line. */
  readonly summary: string;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  /** Whether it needs the current state of the active runs. */
  readonly wantsLive?: boolean;
  /** Path prefix, if not /api/v1. */
  readonly base?: "";
  /** Problems besides those any route can return. */
  readonly problems?: readonly ProblemName[];
}

export interface AnswerSpec {
  readonly about: string;
  /** Schema of the JSON; undefined if there is no body. */
  readonly shape?: z.ZodType | undefined;
  /** Other content types. */
  readonly types?: readonly string[] | undefined;
  /** Content types returned only if requested by `format` or `Accept`. */
  readonly alsoTypes?: readonly string[] | undefined;
}

/** There are several readers, each with a read-only connection, and one writer. */
export type Route = RouteSpec &
  (
    | { readonly at: "reader" | "writer"; readonly work: (context: RouteContext, input: Input<never, never, never>) => Promise<Reply> }
    /** Handled by the front itself: a stream of live events. */
    | { readonly at: "events" }
    | { readonly at: "engine"; readonly work: (context: EngineContext, input: Input<never, never, never>) => Promise<Reply> }
  );

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Derives the types of the input from the schemas. */
export function route<const C extends RouteSpec & { readonly at: "reader" | "writer" | "engine" }>(
  spec: C,
  work: (
    context: C["at"] extends "engine" ? EngineContext : RouteContext,
    input: Input<Parsed<C["params"]>, Parsed<C["query"]>, Parsed<C["body"]>>,
  ) => Promise<Reply>,
): Route {
  return { ...spec, work } as unknown as Route;
}
