/** Maps the robots cases of a conformance folder onto the robots room's own functions. */

import { isProductToken, judgeRobots, matchPathOf, mayVisit, parseRobots, robotsUrlFor } from "../../src/analysis/robots/index.ts";
import type { Fetched } from "../../src/core/records.ts";

interface RobotsCase {
  readonly kind: string;
  readonly class: string;
  readonly test: string;
  readonly robotsTxt?: string;
  readonly robotsTxtB64?: string;
  readonly userAgent?: string | null;
  readonly url: string;
  readonly robotsUrl?: string;
  readonly allowed: boolean | null;
  readonly rfcAllowed?: boolean;
  readonly status: number;
  readonly expected: unknown;
  readonly expectedCount?: number;
}

/** Right, wrong, or undefined where the case is not about this room (redirects are walked by the gate). */
export function check(caseRow: unknown): boolean | undefined {
  const row = caseRow as RobotsCase;
  switch (row.kind) {
    case "allow":
      return answer(row) === (row.class === "conflict" ? (row.rfcAllowed ?? row.allowed) : row.allowed);
    case "crawlDelay": {
      const delay = rulesOf(row).crawlDelay;
      return (delay === undefined ? null : delay / 1000) === row.expected;
    }
    case "sitemaps": {
      const { sitemaps } = rulesOf(row);
      return row.expectedCount === undefined
        ? JSON.stringify(sitemaps) === JSON.stringify(row.expected)
        : sitemaps.length === row.expectedCount;
    }
    case "productToken":
      return isProductToken(row.userAgent ?? "") === row.expected;
    case "matchPath":
      return matchPathOf(row.url) === row.expected;
    case "robotsUrl":
      return robotsUrlFor(row.url) === row.expected;
    case "status":
      return checkStatus(row);
    case "fetch":
      return checkFetch(row);
    default:
      return undefined;
  }
}

const rulesOf = (row: RobotsCase) =>
  parseRobots(row.robotsTxtB64 === undefined ? (row.robotsTxt ?? "") : Buffer.from(row.robotsTxtB64, "base64"), row.userAgent ?? "somebot");

/** A file of one origin says nothing about another. */
function answer(row: RobotsCase): boolean | null {
  if (row.robotsUrl !== undefined && robotsUrlFor(row.url) !== robotsUrlFor(row.robotsUrl)) return null;
  return mayVisit(rulesOf(row), row.url).allowed;
}

const timing = { startedAt: 0, duration: 0 };

function fetchedWith(status: number): Fetched {
  if (status < 300) {
    const bytes = new Uint8Array();
    return {
      kind: "body",
      status,
      bytes,
      contentType: undefined,
      etag: undefined,
      lastModified: undefined,
      robotsTags: [],
      wireBytes: 0,
      timing,
    };
  }
  if (status < 400) return { kind: "moved", status, location: "/robots.txt", timing };
  if (status < 500) return { kind: "refused", by: "server", reason: "http.4xx", rule: "", status, retryAfter: undefined, timing };
  return { kind: "failed", reason: "http.5xx", detail: "", status, mayHeal: true, hostFault: true, retryAfter: undefined, timing };
}

const judge = (fetched: Fetched) => judgeRobots(fetched, "somebot", "deny").kind;

function checkStatus(row: RobotsCase): boolean {
  // 401 and 403 are "unavailable", not "keep out" (RFC 9309 §2.3.1.3), whatever the source of a conflicting case thought.
  const expected = row.class === "conflict" ? "allow-all" : String(row.expected);
  const kind = judge(fetchedWith(row.status));
  return expected.includes(kind) || (kind === "disallow-all" && expected.includes("disallow"));
}

function checkFetch(row: RobotsCase): boolean | undefined {
  const status = Number(/(?:^|-)(\d{3})$/.exec(row.test)?.[1]);
  if (row.test === "429") return judge(fetchedWith(429)) === "defer";
  if (/^(net-|truncated)/.test(row.test)) {
    return (
      judge({
        kind: "failed",
        reason: "connection",
        detail: "",
        status: undefined,
        mayHeal: true,
        hostFault: true,
        retryAfter: undefined,
        timing,
      }) === "disallow-all"
    );
  }
  if (row.test.startsWith("redirect-loop")) return judge(fetchedWith(301)) === "allow-all";
  if (row.test.startsWith("redirect")) return undefined;
  if (row.test.startsWith("content-type-html"))
    return mayVisit(parseRobots("<!doctype html><title>Not here: 404</title>", "somebot"), "http://host/a").allowed;
  if (status >= 500) return judge(fetchedWith(status)) === "disallow-all";
  if (status >= 400) return judge(fetchedWith(status)) === "allow-all";
  return status === 200 ? judge(fetchedWith(200)) === "rules" : undefined;
}
