/** A route is data: what it takes, what it answers and where its work is done. Validation, OpenAPI, access and tests are all read off the same card. */
import type { z } from "zod";
import type { App } from "../app.ts";
import type { Engine } from "./engine.ts";
import type { LiveRuns } from "./live.ts";
import type { ProblemName } from "./problem.ts";

export type Scope = "read" | "write" | "admin";

/** What a route answers. JSON, or something else a part at a time. */
export interface Reply {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly stream?: { readonly type: string; readonly parts: AsyncIterable<string | Uint8Array> };
}

/** Where work is done, away from whoever listens to the network. */
export interface Desk {
  readonly app: App;
  readonly signal: AbortSignal;
}

/** Where runs and long jobs live: a process of its own. */
export interface EngineDesk extends Desk {
  readonly engine: Engine;
}

/** What else came with a request. */
export interface Asked {
  /** Path and query, as they were written. */
  readonly url: string;
  /** Of this server, by the name it was asked by. */
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
  /** Runs at work, for routes that want them. */
  readonly live?: LiveRuns;
  /** As a client asks for a part of a file. */
  readonly range?: string | undefined;
  readonly asked: Asked;
}

export interface RouteCard {
  /** In OpenAPI: `listPages`. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below /api/v1, as OpenAPI writes it: `/sites/{id}/pages`. */
  readonly path: string;
  readonly tag: string;
  readonly scope: Scope;
  /** One line. */
  readonly summary: string;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly answers: Readonly<Record<number, AnswerCard>>;
  /** Whether its work needs to know how runs stand at this moment. */
  readonly wantsLive?: boolean;
  /** Where its path begins, if not below /api/v1. */
  readonly base?: "";
  /** Besides those any route can meet. */
  readonly problems?: readonly ProblemName[];
}

export interface AnswerCard {
  readonly about: string;
  /** Of the JSON; undefined where there is no body. */
  readonly shape?: z.ZodType | undefined;
  /** Other forms it can have. */
  readonly types?: readonly string[] | undefined;
  /** Forms it has only for who asks for them by `format` or `Accept`. */
  readonly alsoTypes?: readonly string[] | undefined;
}

/** A reader has a connection that cannot write, and there are several; there is one writer. */
export type Route = RouteCard &
  (
    | { readonly at: "reader" | "writer"; readonly work: (desk: Desk, input: Input<never, never, never>) => Promise<Reply> }
    /** The front's own: events as they come. */
    | { readonly at: "events" }
    | { readonly at: "engine"; readonly work: (desk: EngineDesk, input: Input<never, never, never>) => Promise<Reply> }
  );

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Ties the types of what comes in to their schemas. */
export function route<const C extends RouteCard & { readonly at: "reader" | "writer" | "engine" }>(
  card: C,
  work: (
    desk: C["at"] extends "engine" ? EngineDesk : Desk,
    input: Input<Parsed<C["params"]>, Parsed<C["query"]>, Parsed<C["body"]>>,
  ) => Promise<Reply>,
): Route {
  return { ...card, work } as unknown as Route;
}
