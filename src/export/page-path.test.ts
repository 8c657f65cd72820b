import { describe, expect, test } from "vitest";
import { pagePath, secondPath } from "./page-path.ts";

describe("a page's place in a folder", () => {
  test.each([
    ["mirrors its URL", "https://example.org/docs/start", "example.org/docs/start.md"],
    ["leaves out the ending of a page", "https://example.org/docs/start.html", "example.org/docs/start.md"],
    ["is the index of a folder where the path ends in a slash", "https://example.org/docs/", "example.org/docs/index.md"],
    ["keeps a port", "http://127.0.0.1:8080/", "127.0.0.1_8080/index.md"],
    ["cannot climb", "https://example.org/..%2f..%2fetc/passwd", /^example\.org\/etc\/passwd~[0-9a-f]{8}\.md$/],
    ["tells queries apart", "https://example.org/list?page=2", /^example\.org\/list~[0-9a-f]{8}\.md$/],
    ["does not rest on the case of letters", "https://example.org/About", /^example\.org\/about~[0-9a-f]{8}\.md$/],
    ["avoids names of devices", "https://example.org/nul", /^example\.org\/_nul~[0-9a-f]{8}\.md$/],
    ["has no segment that is hidden", "https://example.org/.well-known/x", /^example\.org\/well-known\/x~[0-9a-f]{8}\.md$/],
    ["stands double slashes", "https://example.org//a", /^example\.org\/_\/a~[0-9a-f]{8}\.md$/],
    ["stands other scripts", "https://example.org/日本", /^example\.org\/_~[0-9a-f]{8}\.md$/],
  ])("%s", (_, url, path) => {
    expect(pagePath(url, ".md")).toMatch(typeof path === "string" ? new RegExp(`^${path.replaceAll(".", "\\.")}$`) : path);
  });

  test("is short enough for every file system, and still its own", () => {
    const [one, other] = ["a", "b"].map((last) => pagePath(`https://example.org/${"very-long-name/".repeat(60)}${last}`, ".md"));
    expect(one!.length).toBeLessThan(200);
    expect(one).not.toBe(other);
  });

  test("is another for a second page of the same name", () => {
    expect(secondPath("http://example.org/a.html", ".md")).toMatch(/^example\.org\/a~[0-9a-f]{8}\.md$/);
  });
});
