/** Errors of the API (RFC 9457): one stable type for each cause; never a stack trace or a local path. */
import type { Reason } from "../../core/records.ts";

export const problems = {
  validation: [400, "The request is not as it should be"],
  "invalid-url": [400, "Not a URL that can be asked"],
  unauthorized: [401, "A key is needed"],
  forbidden: [403, "That is not allowed"],
  "not-found": [404, "There is no such thing"],
  "method-not-allowed": [405, "Not that way"],
  conflict: [409, "It cannot be so now"],
  "already-running": [409, "A run of this site is at work"],
  gone: [410, "It has moved"],
  "precondition-failed": [412, "It has changed meanwhile"],
  "payload-too-large": [413, "Too much at once"],
  "too-many-items": [422, "Too many items"],
  "unsupported-content-type": [415, "Not in that form"],
  "rate-limited": [429, "Too many requests"],
  unreadable: [422, "The document cannot be read"],
  "robots-disallowed": [422, "robots.txt refuses it"],
  "private-network-blocked": [422, "Private addresses are closed"],
  // Not 502 and 504: a page's answer is not a failure of this server, and clients and proxies retry those statuses automatically.
  "fetch-timeout": [422, "The page took too long"],
  "fetch-failed": [422, "The page could not be fetched"],
  busy: [503, "As many as may are at it"],
  storage: [503, "The data file cannot be used"],
  internal: [500, "Something broke here"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemName = keyof typeof problems;

export interface FieldError {
  /** JSON pointer into the request. */
  readonly pointer: string;
  readonly message: string;
  readonly suggestion?: string | undefined;
}

export interface ProblemDetails {
  readonly errors?: readonly FieldError[] | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** Further helpful values, such as the id of the active run. */
  readonly [extension: string]: unknown;
}

/** Thrown anywhere below a route; sent between threads and processes as plain data. */
export class Problem extends Error {
  readonly problem: ProblemName;
  readonly more: ProblemDetails;

  constructor(problem: ProblemName, detail: string, more: ProblemDetails = {}) {
    super(detail);
    this.name = "Problem";
    this.problem = problem;
    this.more = more;
  }

  get status(): number {
    return problems[this.problem][0];
  }

  /** The document sent to the client. `instance` is the request id. */
  toDocument(instance: string): Record<string, unknown> {
    const [status, title] = problems[this.problem];
    return { type: `urn:nuthatch:problem:${this.problem}`, title, status, detail: this.message, instance, ...this.more };
  }
}

/**
 * Maps the reason why there is no page to a problem. A failure of a remote server is never reported as an error of ours, nor as an empty
 * answer.
 */
export function fetchProblem(reason: Reason): ProblemName {
  if (reason.startsWith("robots.")) return "robots-disallowed";
  if (reason === "private-network") return "private-network-blocked";
  return reason === "timeout" ? "fetch-timeout" : "fetch-failed";
}
