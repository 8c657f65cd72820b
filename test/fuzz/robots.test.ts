import fc from "fast-check";
import { expect, test } from "vitest";
import { indexing, judgeRobots, matchPathOf, mayVisit, parseRobots, productTokenOf } from "../../src/analysis/robots/index.ts";
import { bytesOf, numRuns, soup } from "./soup.ts";

const files = soup([
  ..."User-agent: user-agent User_agent: * nuthatch NutHatch/1.0 otherbot Disallow: disallow Allow: allow: Dissallow: Crawl-delay: 1 0.5 1e9 -3 Sitemap: http://a.test/s.xml / /a /a* /*b$ $ ** %2F %41 %zz # , : é \u0000".split(
    " ",
  ),
  "\n",
  "\n",
  "\r",
  "\r\n",
  " ",
  "\t",
]);
const urls = soup("/ a b c ? = & % %2F * $ é robots.txt http://a.test // index.html".split(" "), 12);

test("any file gives rules, and the rules an answer to any URL", () => {
  fc.assert(
    fc.property(bytesOf(files), urls, (bytes, url) => {
      const rules = parseRobots(bytes, "nuthatch");
      expect(rules.crawlDelay ?? 0).toBeGreaterThanOrEqual(0);
      const { allowed, rule } = mayVisit(rules, url);
      expect(mayVisit(rules, url)).toEqual({ allowed, rule });
      expect(mayVisit(rules, "http://a.test/robots.txt").allowed).toBe(true);
      if (!allowed) expect(rule).toMatch(/^Disallow: .* \(line \d+\)$/);
      expect(mayVisit(parseRobots(bytes, "nuthatch"), url)).toEqual({ allowed, rule });
      expect(matchPathOf(url)).toMatch(/^\//);
    }),
    { numRuns },
  );
});

test("bytes that are no file at all do not throw either", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), urls, (bytes, url) => {
      expect(typeof mayVisit(parseRobots(bytes, "nuthatch"), url).allowed).toBe("boolean");
    }),
    { numRuns },
  );
});

test("a group that closes everything closes everything, whatever stands around it", () => {
  const noise = fc.array(soup(["Sitemap:", "Host:", "#", ":", " ", "x", "é", "Crawl-delay: 3"], 6), { maxLength: 6 });
  fc.assert(
    fc.property(noise, noise, soup(["/", "a", "?", "%2F", "é"], 8), (before, after, path) => {
      const quiet = (lines: readonly string[]) => lines.map((line) => `# ${line.replaceAll(/[\r\n]/g, " ")}`);
      const file = [...quiet(before), "User-agent: nuthatch", "Disallow: /", ...quiet(after)].join("\n");
      fc.pre(!matchPathOf(`http://a.test/${path}`).startsWith("/robots.txt"));
      expect(mayVisit(parseRobots(file, "nuthatch"), `http://a.test/${path}`).allowed).toBe(false);
    }),
    { numRuns },
  );
});

test("every answer for a robots.txt is judged", () => {
  const timing = { startedAt: 0, duration: 1 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), bytesOf(files), fc.constantFrom("deny", "allow"), (status, bytes, unreachable) => {
      const body = {
        kind: "body",
        status,
        contentType: undefined,
        bytes,
        etag: undefined,
        lastModified: undefined,
        robotsTags: [],
        wireBytes: 0,
        timing,
      } as const;
      const gone = { kind: "gone", status, timing } as const;
      for (const fetched of [body, gone])
        expect(["rules", "allow-all", "disallow-all", "defer"]).toContain(judgeRobots(fetched, "nuthatch", unreachable).kind);
    }),
    { numRuns },
  );
});

test("what pages and headers say about indexing is read without a throw", () => {
  const tags = soup(
    "noindex nofollow none all , : nuthatch: otherbot: robots unavailable_after: 25-Jun-2027 max-snippet:-1 ; =".split(" "),
    12,
  );
  fc.assert(
    fc.property(
      fc.array(tags, { maxLength: 4 }),
      tags,
      fc.constantFrom("robots", "NUTHATCH ", "otherbot", "__proto__"),
      (headers, content, name) => {
        const said = indexing({ headers, metas: [{ name, content }] }, "nuthatch", 0);
        expect([typeof said.noindex, typeof said.nofollow]).toEqual(["boolean", "boolean"]);
        expect(indexing({ headers: [...headers, "none"], metas: [] }, "nuthatch", 0)).toEqual({ noindex: true, nofollow: true });
        expect(typeof productTokenOf(content)).toBe("string");
      },
    ),
    { numRuns },
  );
});
