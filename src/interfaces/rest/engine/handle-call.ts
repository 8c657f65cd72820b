/** Handles a call: finds the route, runs it, and prepares the answer for the wire. */

import { PatternError } from "../../../analysis/url/index.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { RunningError, StorageError } from "../../../store/index.ts";
import { Problem } from "../problem.ts";
import type { EngineContext, Input, Reply, Route, RouteContext } from "../route.ts";
import { routeById } from "../routes/index.ts";
import type { WorkReply } from "../worker-calls.ts";
import { type Internals, internals } from "./internals.ts";

export async function handleCall(
  context: Omit<RouteContext, "signal"> | Omit<EngineContext, "signal">,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<WorkReply> {
  const fullContext = { ...context, signal } as EngineContext;
  const reply = Object.hasOwn(internals, name)
    ? await internals[name as keyof Internals](fullContext, input as never)
    : await handlerOf(routeById(name))(fullContext, input as Input<never, never, never>);
  return toTransport(reply);
}

function handlerOf(route: Route): (context: EngineContext, input: Input<never, never, never>) => Promise<Reply> {
  if (route.at === "events") throw new Error(`${route.id} is not for a desk`);
  return route.work;
}

function toTransport({ status = 200, headers = {}, data, stream }: Reply): WorkReply {
  if (stream) return { status, headers, type: stream.type, body: undefined, parts: stream.parts };
  return {
    status,
    headers,
    type: data === undefined ? undefined : "application/json; charset=utf-8",
    body: data === undefined ? undefined : JSON.stringify(data),
  };
}

/** Errors a user can fix are returned; internal errors are logged and not revealed to the client. */
export function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  if (cause instanceof SetupError || cause instanceof PatternError)
    return new Problem("validation", withoutFlag(cause.message), hintOf(cause.hint));
  if (cause instanceof RunningError) return new Problem("conflict", cause.message, hintOf(cause.hint));
  if (cause instanceof StorageError) return new Problem("storage", cause.message, { suggestion: cause.hint });
  console.error(cause);
  return new Problem("internal", "this is our fault; the server's log says more");
}

/** Operations name flags in their messages; a request knows them as parameters with the same name in camel case. */
const withoutFlag = (message: string) =>
  message.replace(/^--([a-z][a-z-]*):/, (_, flag: string) => `${flag.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase())}:`);

/** Hints with a command line are dropped, because API clients cannot use them. */
const hintOf = (hint: string) => (/(^|\s)nuthatch [a-z]/.test(hint) ? {} : { suggestion: hint });
