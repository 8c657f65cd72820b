import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pagePath } from "./page-path.ts";

describe("a page's place in a folder", () => {
  test.each([
    ["mirrors its URL", "https://example.org/docs/start", "example.org/docs/start.md"],
    ["keeps the ending, so that no two pages meet", "https://example.org/docs/start.html", "example.org/docs/start.html.md"],
    ["is the index of a folder where the path ends in a slash", "https://example.org/docs/", "example.org/docs/index.md"],
    ["which a page of that name is not", "https://example.org/docs/index", /^example\.org\/docs\/index~[0-9a-f]{8}\.md$/],
    ["keeps a port", "http://127.0.0.1:8080/", "127.0.0.1_8080/index.md"],
    ["tells plain HTTP apart", "http://example.org/", "example.org_80/index.md"],
    ["cannot climb", "https://example.org/..%2f..%2fetc/passwd", /^example\.org\/etc\/passwd~[0-9a-f]{8}\.md$/],
    ["tells queries apart", "https://example.org/list?page=2", /^example\.org\/list~[0-9a-f]{8}\.md$/],
    ["does not rest on the case of letters", "https://example.org/About", /^example\.org\/about~[0-9a-f]{8}\.md$/],
    ["avoids names of devices", "https://example.org/nul", /^example\.org\/_nul~[0-9a-f]{8}\.md$/],
    ["has no segment that is hidden", "https://example.org/.git/config", /^example\.org\/git\/config~[0-9a-f]{8}\.md$/],
    ["is in no folder that could be a file", "https://example.org/a.md/b", /^example\.org\/a-\/b~[0-9a-f]{8}\.md$/],
    ["stands double slashes", "https://example.org//a", /^example\.org\/_\/a~[0-9a-f]{8}\.md$/],
    ["stands other scripts", "https://example.org/日本", /^example\.org\/_~[0-9a-f]{8}\.md$/],
    ["stands an address in brackets", "http://[::1]:8080/a", /^_?[0-9a-f._-]+\/a~[0-9a-f]{8}\.md$/],
  ])("%s", (_, url, path) => {
    expect(pagePath(url, ".md")).toMatch(typeof path === "string" ? new RegExp(`^${path.replaceAll(".", "\\.")}$`) : path);
  });

  test("is short enough for every file system, and still its own", () => {
    const [one, other] = ["a", "b"].map((last) => pagePath(`https://example.org/${"very-long-name/".repeat(60)}${last}`, ".md"));
    expect(one!.length).toBeLessThan(200);
    expect(one).not.toBe(other);
  });

  test("stays in the folder, whatever the URL", () => {
    const segment = fc.oneof(
      fc.constantFrom("..", ".", "~", "%2e%2e", "a.md", "a.md.md-", "index", "con", "A", "_", "-", "\\", ":"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.string(), (segments, query) => {
        const path = pagePath(new URL(`https://example.org/${segments.join("/")}?${query}`).href, ".md");
        expect(path).toMatch(/^example\.org(?:\/(?![.])[a-z0-9._-]+)*\/(?![.])[a-z0-9._~-]+\.md$/);
        expect(
          path
            .split("/")
            .slice(0, -1)
            .some((folder) => folder.endsWith(".md") || folder === ".."),
        ).toBe(false);
      }),
    );
  });
});
