import type { Fetched } from "../../core/records.ts";
import { parseRobots, type RobotsRules } from "./parse.ts";

export type RobotsAnswer =
  | { kind: "rules"; rules: RobotsRules }
  | { kind: "allow-all"; why: string }
  | { kind: "disallow-all"; why: string }
  | { kind: "defer"; why: string; retryAfter: number | undefined };

/** RFC 9309 §2.3.1. The caller follows redirects; a redirect that arrives here is beyond its limit. */
export function judgeRobots(fetched: Fetched, agent: string, unreachable: "deny" | "allow"): RobotsAnswer {
  switch (fetched.kind) {
    case "body":
      return fetched.status >= 200 && fetched.status < 300
        ? { kind: "rules", rules: parseRobots(fetched.bytes, agent) }
        : answerByStatus(fetched.status, undefined, "", unreachable);
    case "moved":
      return { kind: "allow-all", why: "robots.txt redirects too often, which counts as unavailable" };
    case "not-modified":
      return unreachableAnswer("robots.txt answered 304 to a request without conditions", unreachable);
    case "gone":
      return answerByStatus(fetched.status, undefined, "", unreachable);
    case "refused":
      return answerByStatus(fetched.status, fetched.retryAfter, fetched.rule, unreachable);
    case "failed":
      return answerByStatus(fetched.status, fetched.retryAfter, fetched.detail, unreachable);
    default:
      return fetched satisfies never;
  }
}

/** 4xx means that there is no file; 5xx or no answer means that its rules are unknown; 429 is neither, so the request is repeated later. */
function answerByStatus(
  status: number | undefined,
  retryAfter: number | undefined,
  detail: string,
  unreachable: "deny" | "allow",
): RobotsAnswer {
  if (status === 429) return { kind: "defer", why: "robots.txt answered 429", retryAfter };
  if (status !== undefined && status >= 400 && status < 500) return { kind: "allow-all", why: `robots.txt answered ${status}` };
  const cause =
    status === undefined ? `robots.txt could not be fetched${detail === "" ? "" : `: ${detail}`}` : `robots.txt answered ${status}`;
  return unreachableAnswer(cause, unreachable);
}

/** §2.3.1.4: unreachable means complete disallow. Only a user with the site's permission may reverse that. */
function unreachableAnswer(cause: string, unreachable: "deny" | "allow"): RobotsAnswer {
  return unreachable === "allow"
    ? { kind: "allow-all", why: `${cause}; allowed by --robots-unreachable allow` }
    : { kind: "disallow-all", why: cause };
}
