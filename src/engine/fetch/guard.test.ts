import { describe, expect, test } from "vitest";
import { PrivateHosts } from "./private-hosts.ts";
import { isGloballyRoutable } from "./routable.ts";

describe("an address is public or not", () => {
  test.each([
    ["a public address", "93.184.215.14", true],
    ["the last address before 10/8", "9.255.255.255", true],
    ["the first after 172.16/12", "172.32.0.0", true],
    ["a public IPv6 address", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", true],
    ["this network", "0.0.0.0", false],
    ["this network, any host", "0.1.2.3", false],
    ["private 10", "10.1.2.3", false],
    ["private 172", "172.31.255.255", false],
    ["private 192", "192.168.0.1", false],
    ["loopback", "127.0.0.1", false],
    ["loopback, other", "127.255.0.1", false],
    ["link-local, cloud metadata", "169.254.169.254", false],
    ["carrier-grade NAT", "100.64.0.1", false],
    ["benchmarking", "198.19.255.255", false],
    ["documentation", "203.0.113.7", false],
    ["protocol assignments, cloud metadata", "192.0.0.192", false],
    ["multicast", "224.0.0.1", false],
    ["reserved", "240.0.0.1", false],
    ["broadcast", "255.255.255.255", false],
    ["a cloud's inward address", "168.63.129.16", false],
    ["IPv6 unspecified", "::", false],
    ["IPv6 loopback", "::1", false],
    ["unique local", "fd00:ec2::254", false],
    ["IPv6 link-local", "fe80::1", false],
    ["IPv6 link-local with a zone", "fe80::1%eth0", false],
    ["site-local", "fec0::1", false],
    ["IPv6 multicast", "ff02::1", false],
    ["IPv6 documentation", "2001:db8::1", false],
    ["IPv6 documentation, the new prefix", "3fff::1", false],
    ["discard prefix", "100::1", false],
    ["unassigned space", "4000::1", false],
    ["mapped loopback", "::ffff:127.0.0.1", false],
    ["mapped loopback in hexadecimal", "::ffff:7f00:1", false],
    ["mapped public", "::ffff:8.8.8.8", true],
    ["compatible private", "::10.0.0.1", false],
    ["translated private", "::ffff:0:10.0.0.1", false],
    ["6to4 of a private address", "2002:0a00:0001::1", false],
    ["6to4 of a public address", "2002:0808:0808::1", true],
    ["NAT64 of the metadata address", "64:ff9b::169.254.169.254", false],
    ["NAT64 of a public address", "64:ff9b::8.8.8.8", true],
    ["local-use NAT64, whatever it carries", "64:ff9b:1::8.8.8.8", false],
    ["Teredo to a private client", "2001:0:0808:0808::f5ff:fffe", false],
    ["Teredo by a private relay", "2001:0:0a00:0001::f7f7:f7f7", false],
    ["ISATAP to a private address", "2600::5efe:192.168.0.1", false],
    ["ISATAP, universal bit set", "2600::200:5efe:192.168.0.1", false],
    ["ISATAP to a public address", "2600::5efe:8.8.8.8", true],
    ["a name", "example.com", false],
    ["an old spelling that no socket gets", "2130706433", false],
    ["nothing", "", false],
  ] as [string, string, boolean][])("%s", (_, address, expected) => {
    expect(isGloballyRoutable(address)).toBe(expected);
  });
});

describe("what the user opened", () => {
  const seed = "http://intra.test:8080/start";
  test.each([
    ["a seed opens its own name and port", [], seed, "intra.test", 8080, "10.0.0.1", true],
    ["whatever address it has today", [], seed, "intra.test", 8080, "127.0.0.1", true],
    ["not its other ports", [], seed, "intra.test", 80, "10.0.0.1", false],
    ["not another name at its address", [], seed, "evil.test", 8080, "10.0.0.1", false],
    ["a seed without a port opens its scheme's", [], "https://intra.test/", "intra.test", 443, "10.0.0.1", true],
    ["a seed with a literal address opens that", [], "http://[::1]:81/", "::1", 81, "::1", true],
    ["and no name that leads there", [], "http://127.0.0.1:81/", "evil.test", 81, "127.0.0.1", false],
    ["a network", ["10.0.0.0/8"], seed, "any.test", 1, "10.9.9.9", true],
    ["not beside it", ["10.0.0.0/8"], seed, "any.test", 1, "11.0.0.1", false],
    ["a network met through a mapped address", ["10.0.0.0/8"], seed, "any.test", 1, "::ffff:10.0.0.1", true],
    ["an IPv6 network", ["fd00::/8"], seed, "any.test", 1, "fd12::1", true],
    ["an address", ["127.0.0.1"], seed, "any.test", 9, "127.0.0.1", true],
    ["an IPv6 address", ["::1"], seed, "any.test", 9, "::1", true],
    ["an address with a port", ["127.0.0.1:80"], seed, "any.test", 80, "127.0.0.1", true],
    ["not its other port", ["127.0.0.1:80"], seed, "any.test", 81, "127.0.0.1", false],
    ["a name on every port", ["Wiki.Test"], seed, "wiki.test", 99, "10.0.0.1", true],
    ["a name with a port", ["wiki.test:80"], seed, "wiki.test", 80, "10.0.0.1", true],
    ["not the name's other port", ["wiki.test:80"], seed, "wiki.test", 81, "10.0.0.1", false],
  ] as [string, string[], string, string, number, string, boolean][])("%s", (_, entries, opened, hostname, port, address, expected) => {
    const openings = new PrivateHosts(entries);
    openings.allowUrl(opened);
    expect(openings.allows(hostname, port, address)).toBe(expected);
  });

  test.each(["", "10.0.0.0/99", "http://a.test/", "a b", "a.test/path", "user@a.test", "a.test:99999"])(
    "%j is refused at the door",
    (entry) => {
      expect(() => new PrivateHosts([entry])).toThrow(/is not an address/);
    },
  );
});

test("a seed that was met on the public web cannot lead to a private address later", async () => {
  const opened = new PrivateHosts(["intranet.test"]);
  opened.allowUrl("http://seed.test/");
  expect(opened.allows("seed.test", 80, "10.0.0.1")).toBe(true);
  const reach = (hostname: string, ...addresses: string[]) => opened.filterReachable({ hostname, port: 80 }, addresses);
  expect(await reach("seed.test", "10.0.0.1", "93.184.215.14")).toEqual(["93.184.215.14"]);
  expect(await reach("intranet.test", "93.184.215.14")).toEqual(["93.184.215.14"]);
  expect(await reach("seed.test", "10.0.0.1")).toEqual([]);
  expect(opened.allows("seed.test", 80, "10.0.0.1")).toBe(false);
  expect(await reach("intranet.test", "10.0.0.1"), "what --allow-private names stays open").toEqual(["10.0.0.1"]);
});
