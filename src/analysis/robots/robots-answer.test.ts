import { expect, test } from "vitest";
import type { Fetched } from "../../core/records.ts";
import { indexing, judgeRobots, mayVisit } from "./index.ts";

const timing = { startedAt: 0, duration: 1 };
const body = (status: number, text: string): Fetched => ({
  ...{ kind: "body", status, contentType: "text/plain", bytes: Buffer.from(text), etag: undefined, lastModified: undefined },
  ...{ robotsTags: [], wireBytes: text.length, timing },
});
const refused = (status: number | undefined, by: "server" | "guard" = "server", retryAfter?: number): Fetched => ({
  ...{ kind: "refused", by, reason: "http.4xx", rule: "10.0.0.0/8", status, retryAfter, timing },
});
const failed = (status: number | undefined): Fetched => ({
  ...{
    kind: "failed",
    reason: "connection",
    detail: "ECONNREFUSED",
    status,
    mayHeal: true,
    hostFault: true,
    retryAfter: undefined,
    timing,
  },
});

test.each([
  ["401: there is no file for us", refused(401), "allow-all", "robots.txt answered 401"],
  ["403: so too", refused(403), "allow-all", "robots.txt answered 403"],
  ["404: there is none", { kind: "gone", status: 404, timing }, "allow-all", "robots.txt answered 404"],
  ["410: no longer", { kind: "gone", status: 410, timing }, "allow-all", "robots.txt answered 410"],
  ["500: nobody can say", failed(500), "disallow-all", "robots.txt answered 500"],
  ["503: so too", refused(503, "server", 1000), "disallow-all", "robots.txt answered 503"],
  ["no connection: so too", failed(undefined), "disallow-all", "robots.txt could not be fetched: ECONNREFUSED"],
  ["not let out: so too", refused(undefined, "guard"), "disallow-all", "robots.txt could not be fetched: 10.0.0.0/8"],
  [
    "304 unasked: so too",
    { kind: "not-modified", etag: undefined, lastModified: undefined, timing },
    "disallow-all",
    "robots.txt answered 304 to a request without conditions",
  ],
  [
    "one redirect too many",
    { kind: "moved", status: 301, location: "/x", timing },
    "allow-all",
    "robots.txt redirects too often, which counts as unavailable",
  ],
] as [string, Fetched, string, string][])("%s", (_, fetched, kind, why) => {
  expect(judgeRobots(fetched, "nuthatch", "deny")).toEqual({ kind, why });
});

test("429 is asked again when the server likes", () => {
  expect(judgeRobots(refused(429, "server", 7000), "nuthatch", "allow")).toEqual({
    kind: "defer",
    why: "robots.txt answered 429",
    retryAfter: 7000,
  });
});

test("permission to crawl without a reachable file is said aloud", () => {
  const why = "robots.txt answered 500; allowed by --robots-unreachable allow";
  expect(judgeRobots(failed(500), "nuthatch", "allow")).toEqual({ kind: "allow-all", why });
});

test("a file is read for our agent", () => {
  const answer = judgeRobots(body(200, "User-agent: nuthatch\nDisallow: /a"), "nuthatch", "deny");
  expect(answer.kind === "rules" && mayVisit(answer.rules, "http://a.test/a").allowed).toBe(false);
});

const at = Date.UTC(2027, 0, 1);
test.each([
  ["nothing said", [], [], false, false],
  ["noindex in a header", ["noindex"], [], true, false],
  ["none is both", ["none"], [], true, true],
  ["several headers are united", ["noindex", "nofollow"], [], true, true],
  ["capitals and blanks", [" NoIndex ,NOFOLLOW "], [], true, true],
  ["for us by name", ["nuthatch: noindex"], [], true, false],
  ["for us by name, both", ["Nuthatch: noindex, nofollow"], [], true, true],
  ["for another", ["otherbot: noindex, nofollow"], [], false, false],
  ["for another, then for us", ["otherbot: noindex, nuthatch: nofollow"], [], false, true],
  ["for all, then for another", ["nofollow, otherbot: noindex"], [], false, true],
  ["directives with values are no names", ["max-snippet: 20, noindex"], [], true, false],
  ["no longer available", ["unavailable_after: 25 Jun 2020 15:00:00 GMT"], [], true, false],
  ["no longer available, with a comma", ["unavailable_after: Thu, 25 Jun 2020 15:00:00 GMT"], [], true, false],
  ["still available", ["unavailable_after: 2030-01-01"], [], false, false],
  ["a date that is none", ["unavailable_after: soon"], [], false, false],
  ["robots in a meta element", [], [["robots", "noindex,nofollow"]], true, true],
  ["our name in a meta element", [], [["NutHatch", "nofollow"]], false, true],
  ["another name in a meta element", [], [["otherbot", "none"]], false, false],
  ["index takes nothing back", ["noindex"], [["robots", "index, follow, all"]], true, false],
  ["header and meta element are united", ["noindex"], [["robots", "nofollow"]], true, true],
] as [string, string[], [string, string][], boolean, boolean][])("indexing: %s", (_, headers, metas, noindex, nofollow) => {
  const input = { headers, metas: metas.map(([name, content]) => ({ name, content })) };
  expect(indexing(input, "nuthatch", at)).toEqual({ noindex, nofollow });
});
