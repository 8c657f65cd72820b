import { describe, expect, test } from "vitest";
import { CookieFile, cookiesFor } from "./cookie-file.ts";

describe("a cookie file", () => {
  const now = 1_800_000_000_000;
  const later = "1900000000";
  const line = (...fields: string[]) => fields.join("\t");
  test.each([
    ["a host's own cookie", line("example.org", "FALSE", "/", "FALSE", later, "a", "1"), "https://example.org/x", "a=1"],
    ["not for a subdomain without the flag", line("example.org", "FALSE", "/", "FALSE", later, "a", "1"), "https://www.example.org/", ""],
    ["for subdomains with it", line(".example.org", "TRUE", "/", "FALSE", later, "a", "1"), "https://a.b.example.org/", "a=1"],
    ["and for the domain itself", line(".example.org", "TRUE", "/", "FALSE", later, "a", "1"), "https://example.org/", "a=1"],
    ["not for a name that only ends alike", line(".example.org", "TRUE", "/", "FALSE", later, "a", "1"), "https://badexample.org/", ""],
    ["not for a parent", line("www.example.org", "TRUE", "/", "FALSE", later, "a", "1"), "https://example.org/", ""],
    ["never for all of a public suffix", line(".co.uk", "TRUE", "/", "FALSE", later, "a", "1"), "https://example.co.uk/", ""],
    ["an address has no subdomains", line("0.32.1", "TRUE", "/", "FALSE", later, "a", "1"), "http://127.0.32.1/", ""],
    ["an address", line("127.0.32.1", "FALSE", "/", "FALSE", later, "a", "1"), "http://127.0.32.1:8080/", "a=1"],
    ["IPv6", line("0:0::1", "FALSE", "/", "FALSE", later, "a", "1"), "http://[::1]/", "a=1"],
    ["HttpOnly is no comment", `#HttpOnly_${line("example.org", "FALSE", "/", "FALSE", later, "a", "1")}`, "https://example.org/", "a=1"],
    [
      "comments, blank lines, CRLF",
      `# Netscape\r\n\r\n${line("example.org", "FALSE", "/", "FALSE", "0", "a", "1")}\r\n`,
      "http://example.org/",
      "a=1",
    ],
    ["secure, over https", line("example.org", "FALSE", "/", "TRUE", later, "a", "1"), "https://example.org/", "a=1"],
    ["secure, not over http", line("example.org", "FALSE", "/", "TRUE", later, "a", "1"), "http://example.org/", ""],
    ["expired", line("example.org", "FALSE", "/", "FALSE", "1700000000", "a", "1"), "https://example.org/", ""],
    ["of a session", line("example.org", "FALSE", "/", "FALSE", "0", "a", "1"), "https://example.org/", "a=1"],
    ["its path", line("example.org", "FALSE", "/my", "FALSE", later, "a", "1"), "https://example.org/my", "a=1"],
    ["under its path", line("example.org", "FALSE", "/my", "FALSE", later, "a", "1"), "https://example.org/my/x", "a=1"],
    ["beside its path", line("example.org", "FALSE", "/my", "FALSE", later, "a", "1"), "https://example.org/mystery", ""],
    ["no value", line("example.org", "FALSE", "/", "FALSE", later, "a", ""), "https://example.org/", "a="],
    [
      "longest path first, the later of two",
      [
        line("example.org", "FALSE", "/", "FALSE", later, "a", "1"),
        line("example.org", "FALSE", "/x/", "FALSE", later, "b", "2"),
        line("example.org", "FALSE", "/", "FALSE", later, "a", "3"),
      ].join("\n"),
      "https://example.org/x/y",
      "b=2; a=3",
    ],
  ])("%s", (_, text, url, expected) => {
    const { origin, pathname } = new URL(url);
    expect(cookiesFor(new CookieFile(text).for(origin), pathname, now)).toBe(expected);
  });

  test.each([
    ["too few fields", line("example.org", "FALSE", "/", "FALSE", later)],
    ["spaces instead of tabs", `example.org FALSE / FALSE ${later} a s3cret`],
    ["too many fields", line("example.org", "FALSE", "/", "FALSE", later, "a", "s3cret", "b")],
    ["a flag that is none", line("example.org", "YES", "/", "FALSE", later, "a", "s3cret")],
    ["an expiry that is none", line("example.org", "FALSE", "/", "FALSE", "soon", "a", "s3cret")],
    ["no path", line("example.org", "FALSE", "", "FALSE", later, "a", "s3cret")],
    ["no host", line("", "FALSE", "/", "FALSE", later, "a", "s3cret")],
    ["a URL for a host", line("https://example.org/", "FALSE", "/", "FALSE", later, "a", "s3cret")],
    ["a semicolon in the value", line("example.org", "FALSE", "/", "FALSE", later, "a", "s3cret; b=2")],
    ["a control character in the value", line("example.org", "FALSE", "/", "FALSE", later, "a", "s3cret\u0001")],
  ])("is refused by line number, without its values: %s", (_, text) => {
    expect(() => new CookieFile(`# Netscape HTTP Cookie File\n\n${text}\n`)).toThrow(/^line 3 of the cookie file (?!.*s3cret)/s);
  });

  test("a hundred thousand lines are no burden", () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => line(`h${n}.example.org`, "FALSE", "/", "FALSE", later, "a", String(n)));
    const file = new CookieFile(lines.join("\n"));
    for (let n = 0; n < 100_000; n += 1) expect(file.for(`https://h${n}.example.org`).length === 1).toBe(true);
  });
});
