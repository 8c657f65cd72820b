import { expect, test } from "vitest";
import { givenHost } from "./given-host.ts";

test.each<[string, string, string | undefined]>([
  ["a name", "other.test", "other.test"],
  ["with a port", "other.test:9201", "other.test:9201"],
  ["with the usual port", "other.test:443", "other.test"],
  ["a URL", "http://other.test:9201/", "other.test:9201"],
  ["a URL of its beginning alone", "HTTPS://Other.test", "other.test"],
  ["a dot at its end", "other.test.", "other.test"],
  ["capitals", "OTHER.Test", "other.test"],
  ["all below it", "*.other.test", "other.test"],
  ["letters that no name server knows", "bücher.test", "xn--bcher-kva.test"],
  ["an address", "127.0.0.1:80", "127.0.0.1"],
  ["an address of IPv6", "[::1]:8080", "[::1]:8080"],
  ["nothing", "", undefined],
  ["a path", "other.test/a", undefined],
  ["a URL with a path", "http://other.test/a", undefined],
  ["a user", "me@other.test", undefined],
  ["another scheme", "ftp://other.test", undefined],
  ["a star within", "a.*.test", undefined],
  ["two dots", "a..test", undefined],
  ["a label that is too long", `${"a".repeat(64)}.test`, undefined],
  ["a port that is none", "other.test:99999", undefined],
])("a host: %s", (_, text, host) => {
  expect(givenHost(text)).toBe(host);
  if (host !== undefined) expect(givenHost(host)).toBe(host);
});
