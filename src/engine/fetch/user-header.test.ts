import { describe, expect, test } from "vitest";
import { parseAuth, parseHeader } from "./user-header.ts";

describe("a header is read", () => {
  test.each([
    ["for the seeds", "X-Key: s3cret", { origin: undefined, name: "X-Key", value: "s3cret" }],
    ["for an origin", "https://Example.org X-Key: a b", { origin: "https://example.org", name: "X-Key", value: "a b" }],
    [
      "for an origin with its usual port",
      "https://example.org:443/ X-Key: a",
      { origin: "https://example.org", name: "X-Key", value: "a" },
    ],
    ["for another port", "http://example.org:8080  X-Key:a", { origin: "http://example.org:8080", name: "X-Key", value: "a" }],
    ["with colons and commas in it", "X: a: b, c", { origin: undefined, name: "X", value: "a: b, c" }],
    ["by its name alone", "Authorization:", { origin: undefined, name: "Authorization", value: "" }],
  ])("%s", (_, text, expected) => expect(parseHeader(text)).toEqual(expected));

  test.each([
    ["not without a colon", "Bearer s3cret"],
    ["not with a space in its name", "Authorization Bearer s3cret: x"],
    ["not with a line break in its value", "X: s3cret\r\nHost: evil"],
    ["not with a line break in its name", "X\r\nHost: s3cret"],
    ["not with a control character", "X: s3cret\u0000"],
    ["not with letters beyond ASCII", "X: s3crét"],
    ["not when it has no end", `X: s3cret${"x".repeat(9000)}`],
    ["not for a path", "https://example.org/s3cret X: a"],
    ["not for a user", "https://me:s3cret@example.org X: a"],
    ["not from an origin alone", "https://s3cret.example.org"],
    ["not for another scheme", "ftp://example.org/ X: s3cret"],
    ...[
      "Host",
      "connection",
      "Content-Length",
      "Transfer-Encoding",
      "TE",
      "Upgrade",
      "Expect",
      "Proxy-Authorization",
      "Proxy-Connection",
    ].map((name) => [`not ${name}, which is ours`, `${name}: s3cret`]),
    ...["Accept", "Accept-Encoding", "User-Agent", "If-None-Match", "if-modified-since", "Range", "Trailer", "Keep-Alive"].map((name) => [
      `not ${name}, which the crawler says`,
      `${name}: s3cret`,
    ]),
  ] as [string, string][])("%s, and the mistake is not repeated", (_, text) => {
    expect(() => parseHeader(text)).toThrow(/^(?!.*s3cret)/s);
  });

  test.each([
    ["a user and a password", "alice:s3:cret", "Basic YWxpY2U6czM6Y3JldA=="],
    ["letters beyond ASCII are UTF-8 (RFC 7617)", "jörg:ß", `Basic ${Buffer.from("jörg:ß").toString("base64")}`],
    ["a blank at its end belongs to a password", "a:b ", `Basic ${Buffer.from("a:b ").toString("base64")}`],
  ])("%s", (_, text, value) => expect(parseAuth(text)).toEqual({ origin: undefined, name: "Authorization", value }));

  test.each([
    ["no colon", "s3cret"],
    ["a line break", "alice:s3cret\n"],
    ["a URL with a user", "https://alice:s3cret@example.org"],
  ])("user and password are refused: %s", (_, text) => expect(() => parseAuth(text)).toThrow(/^(?!.*s3cret)/s));
});
