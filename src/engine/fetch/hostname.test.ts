import { describe, expect, test } from "vitest";
import { canonicalHost, isPrivateName } from "./hostname.ts";

describe("a host has one spelling", () => {
  test.each([
    ["Example.ORG", "example.org"],
    ["localhost.", "localhost"],
    ["LOCALHOST..", "localhost"],
    ["ｌｏｃａｌｈｏｓｔ", "localhost"],
    ["münchen.example", "xn--mnchen-3ya.example"],
    ["127.1", "127.0.0.1"],
    ["127.0.0.1.", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["0x7f.0.0.1", "127.0.0.1"],
    ["①②⑦.0.0.1", "127.0.0.1"],
    ["127。0。0。1", "127.0.0.1"],
    ["loc%61lhost%2e", "localhost"],
    ["[::FFFF:7F00:1]", "::ffff:7f00:1"],
    ["::1", "::1"],
    ["a@b", "a@b"],
    ["not a host", "not a host"],
  ])("%s", (written, plain) => {
    expect(canonicalHost(written)).toBe(plain);
    expect(canonicalHost(plain)).toBe(plain);
  });
});

test.each([
  ...["localhost", "foo.localhost", "printer", "a.localdomain", "mac.local", "x.home.arpa", "nas.home", "x.lan", "git.corp", "a.private"],
  ...[
    "host.docker.internal",
    "metadata.google.internal",
    "a.intranet",
    "a.intra",
    "api.default.svc",
    "kubernetes.default.svc.cluster.local",
  ],
])("%s is a private name", (name) => expect(isPrivateName(name)).toBe(true));

test.each(["example.org", "local.example.org", "notlocal.example", "home.example", "x.nothome"])("%s is none", (name) =>
  expect(isPrivateName(name)).toBe(false),
);
