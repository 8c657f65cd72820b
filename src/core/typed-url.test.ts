import { expect, test } from "vitest";
import { typedUrl } from "./typed-url.ts";

test.each([
  ["a name", "example.org", "https://example.org"],
  ["a name with a path", "www.example.org/a?b=1#c", "https://www.example.org/a?b=1#c"],
  ["a name with a port", "example.org:8443/", "https://example.org:8443/"],
  ["a name in another script", "bücher.example/ü", "https://bücher.example/ü"],
  ["localhost", "localhost:3000", "http://localhost:3000"],
  ["an IPv4 address", "127.0.0.1:8080/x", "http://127.0.0.1:8080/x"],
  ["an IPv6 address", "[::1]:8080", "http://[::1]:8080"],
])("%s is taken for a URL", (_, typed, url) => {
  expect(typedUrl(typed)).toBe(url);
});

test.each([
  ["a URL", "http://example.org/"],
  ["another scheme", "ftp://example.org/"],
  ["an address of mail", "mailto:a@example.org"],
  ["a word", "show"],
  ["standard input", "-"],
  ["a path", "./pages.html"],
  ["a name with a space", "not a.url"],
])("%s is left as it is", (_, typed) => {
  expect(typedUrl(typed)).toBe(typed);
});
