import { expect, test } from "vitest";
import { parseHost } from "./hosts.ts";

test.each([
  ["a name", "example.org", "example.org"],
  ["in capitals, with a dot at its end", "Example.ORG.", "example.org"],
  ["with a port", "example.org:8080", "example.org:8080"],
  ["with the usual port", "example.org:443", "example.org"],
  ["in other letters", "bücher.test", "xn--bcher-kva.test"],
  ["as a URL", "https://Example.org:8443/a?b#c", "example.org:8443"],
  ["an address", "[::1]:8080", "[::1]:8080"],
])("a host is known: %s", (_, text, host) => {
  expect(parseHost(text)).toBe(host);
});

test.each(["", " ", "*.example.org", "example.org/docs", "user@example.org", "two words", "example..org", "http://"])(
  "%j is no host",
  (text) => {
    expect(() => parseHost(text)).toThrow(/is not the name of a host/);
  },
);
