import { createServer } from "node:https";
import { afterEach, describe, expect, test } from "vitest";
import { makeCertificates } from "../../../test/certificates.ts";
import { tempFolder } from "../../../test/cli.ts";
import { openFetch, serve } from "../../../test/loopback.ts";
import { startProxy } from "../../../test/proxy.ts";
import { type AccessOptions, openAccess } from "./access.ts";
import { PrivateHosts } from "./private-hosts.ts";
import { openProxies, parseProxy } from "./proxy.ts";

const none: AccessOptions = { header: [], auth: [], cookies: undefined, proxy: undefined, ca: undefined };
const page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe("which proxy", () => {
  const proxies = openProxies({
    http: "http://h:1",
    https: "s:2",
    except: [".inside.org", "example.net", "*.star.org", "10.0.0.0/8", "192.0.2.7", "port.org:8443", "::1"],
  });
  test.each([
    ["http", "http://example.org/", "h:1"],
    ["https", "https://example.org/", "s:2"],
    ["a name under an exception", "https://a.inside.org/", undefined],
    ["the exception's own name", "https://inside.org/", undefined],
    ["a name without a dot before it holds for those under it too", "https://www.example.net/", undefined],
    ["a name that only ends alike", "https://myexample.net/", "s:2"],
    ["a star", "http://a.star.org/", undefined],
    ["a network", "http://10.2.3.4/", undefined],
    ["an address", "http://192.0.2.7/", undefined],
    ["another address", "http://192.0.2.70/", "h:1"],
    ["an exception for a port", "https://port.org:8443/", undefined],
    ["another port", "https://port.org/", "s:2"],
    ["IPv6", "http://[::1]/", undefined],
  ])("%s", (_, url, expected) => {
    const { hostname, port, protocol } = new URL(url);
    const isSecure = protocol === "https:";
    const place = { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || (isSecure ? 443 : 80), isSecure };
    expect(proxies(place)?.name).toBe(expected);
  });

  test.each([
    ["socks", "socks5://s3cret:1080", /SOCKS/],
    ["https", "https://s3cret:1080", /only http/],
    ["a path", "http://s3cret:1/x", /without a path/],
    ["nonsense", "http://", /is written/],
    ["a broken escape", "http://u:%s3cret@h:1", /no escape/],
  ])("refused: %s", (_, text, message) => {
    expect(() => parseProxy(text)).toThrow(message);
    expect(() => parseProxy(text)).toThrow(/^(?!.*s3cret)/s);
  });

  test("user and password are decoded, and not in its name", () => {
    expect(parseProxy("http://me%40work:p%3Aw@Office.test:3128/")).toEqual({
      hostname: "office.test",
      port: 3128,
      name: "office.test:3128",
      authorization: `Basic ${Buffer.from("me@work:p:w").toString("base64")}`,
    });
  });
});

describe("through a proxy", () => {
  const through = (proxy: string, opened: string[] = []) => ({
    access: openAccess({ ...none, proxy }, []),
    opened: new PrivateHosts(opened),
    timeout: 500,
    // Only the proxy's own name may be resolved.
    resolve: async (name: string) => (name === "office.test" ? ["127.0.32.200"] : Promise.reject(new Error(`${name} was looked up`))),
  });
  const proxyWith = async (setup: Parameters<typeof startProxy>[0] = {}) => {
    const proxy = await startProxy(setup);
    closers.push(proxy.close);
    return proxy;
  };

  test("http is asked for with its whole URL, and user and password stay with the proxy", async () => {
    const server = await serve((socket) => socket.write(page), "127.0.32.10");
    const proxy = await proxyWith({ user: "me:s3cret", names: { "city.test": "127.0.32.10" } });
    const fetch = openFetch(through(`http://me:s3cret@office.test:${proxy.port}`));
    expect(await fetch(`http://city.test:${server.port}/a?b`)).toMatchObject({ kind: "body", status: 200 });
    expect(proxy.asked.map(({ line }) => line)).toEqual([`GET http://city.test:${server.port}/a?b`]);
    expect(server.seen[0]).toMatch(/^GET \/a\?b HTTP/);
    expect(server.seen.join()).not.toMatch(/proxy-auth/i);
  });

  test("https goes through a tunnel, and the site must show its own certificate", async () => {
    const folder = tempFolder();
    closers.push(() => folder[Symbol.dispose]());
    const { ca, key, cert } = makeCertificates(folder.path, ["DNS:city.test", "IP:127.0.32.11"]);
    const seen: string[] = [];
    const server = createServer({ key, cert }, (request, response) => {
      seen.push(JSON.stringify(request.headers));
      response.setHeader("content-type", "text/html").end("hi");
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.32.11", ready));
    closers.push(() => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    });
    const { port } = server.address() as { port: number };
    const proxy = await proxyWith({ user: "me:s3cret", names: { "city.test": "127.0.32.11", "other.test": "127.0.32.11" } });
    const url = `http://me:s3cret@office.test:${proxy.port}`;
    const trusting = openFetch({ ...through(url, ["127.0.32.11"]), access: openAccess({ ...none, proxy: url, ca }, []) });
    expect(await trusting(`https://city.test:${port}/`)).toMatchObject({ kind: "body" });
    expect(await trusting(`https://127.0.32.11:${port}/`)).toMatchObject({ kind: "body" });
    expect(await trusting(`https://other.test:${port}/`)).toMatchObject({ kind: "failed", reason: "tls", mayHeal: false });
    expect(await openFetch(through(url))(`https://city.test:${port}/`)).toMatchObject({ kind: "failed", reason: "tls" });
    expect(proxy.asked[0]).toMatchObject({ line: `CONNECT city.test:${port}`, headers: { host: `city.test:${port}` } });
    expect(seen.length).toBe(2);
    expect(seen.join()).not.toMatch(/proxy/i);
  });

  test.each([
    ["an address of this machine", "http://127.0.32.12/"],
    ["another spelling of one", "http://2130714636/"],
    ["cloud metadata", "http://169.254.169.254/"],
    ["IPv6 loopback", "https://[::1]/"],
    ["a private network", "https://10.0.0.1/"],
    ["localhost", "http://localhost/"],
    ["a name under localhost", "http://a.localhost/"],
    ["a name without a dot", "http://intranet/"],
    ["a name of the cloud's inside", "http://metadata.google.internal/"],
    ["a dot at the end, in a tunnel", "https://localhost./"],
    ["two of them", "https://foo.localhost../"],
    ["a dot after an address", "https://127.0.0.1./"],
    ["a machine around a container", "https://host.docker.internal./"],
    ["a cluster", "https://kubernetes.default.svc.cluster.local./"],
    ["a service of one", "https://api.default.svc/"],
    ["a home", "http://x.home.arpa./"],
    ["an office", "https://git.corp/"],
  ])("what is private as it is written stays closed: %s", async (_, url) => {
    const proxy = await proxyWith();
    expect(await openFetch(through(proxy.url))(url)).toMatchObject({ kind: "refused", by: "guard", reason: "private-network" });
    expect(proxy.asked).toEqual([]);
  });

  test("a private address that was opened by name is asked for through it", async () => {
    const server = await serve((socket) => socket.write(page), "127.0.32.12");
    const proxy = await proxyWith();
    expect(await openFetch(through(proxy.url, ["127.0.32.12"]))(server.url)).toMatchObject({ kind: "body" });
    expect(proxy.asked.length).toBe(1);
  });

  const trouble = { kind: "failed", reason: "proxy", status: undefined, hostFault: true };
  test.each([
    [
      "it wants a user",
      "HTTP/1.1 407 Who\r\n\r\n",
      { ...trouble, mayHeal: false, detail: expect.stringMatching(/wants a user and password \(407\)$/) },
    ],
    [
      "it refuses",
      "HTTP/1.1 403 No\r\n\r\n",
      { ...trouble, mayHeal: false, detail: expect.stringMatching(/refuses city.test:443 \(403\)$/) },
    ],
    [
      "it cannot get there",
      "HTTP/1.1 502 Bad\r\n\r\n",
      { ...trouble, mayHeal: true, detail: expect.stringMatching(/could not reach city.test:443 \(502\)$/) },
    ],
    [
      "it is no proxy",
      "SSH-2.0-OpenSSH\r\n\r\n",
      { ...trouble, mayHeal: false, detail: expect.stringMatching(/does not answer as a proxy does$/) },
    ],
    ["it talks without end", "x".repeat(20_000), { ...trouble, mayHeal: false }],
    ["it redirects", "HTTP/1.1 302 Go\r\nlocation: http://evil.test/\r\n\r\n", { ...trouble, mayHeal: false }],
    [
      "it says nothing",
      "",
      { ...trouble, mayHeal: true, detail: expect.stringMatching(/^no way through the proxy office.test:\d+ in time$/) },
    ],
    [
      "its control characters are not repeated",
      "HTTP/1.1 403 \u001b[31m\r\n\r\n",
      { ...trouble, detail: expect.stringMatching(/^[\x20-\x7e]+$/) },
    ],
  ])("its trouble has a name: %s", async (_, reply, expected) => {
    const proxy = await proxyWith({ reply });
    expect(await openFetch(through(`http://office.test:${proxy.port}`))("https://city.test/")).toMatchObject(expected);
    expect(proxy.asked.length).toBe(1);
  });

  test("its trouble has a name: 407 to a plain request", async () => {
    const proxy = await proxyWith({ user: "me:other" });
    const fetched = await openFetch(through(`http://me:s3cret@office.test:${proxy.port}`))("http://city.test/", { accept: "robots" });
    expect(fetched).toMatchObject({
      ...trouble,
      mayHeal: false,
      detail: expect.stringMatching(/wants another user and password \(407\)$/),
    });
    expect(JSON.stringify(fetched)).not.toMatch(/s3cret/);
  });

  test("its trouble has a name: nobody is there, or nobody knows it", async () => {
    const proxy = await startProxy();
    await proxy.close();
    expect(await openFetch(through(`http://office.test:${proxy.port}`))("http://city.test/")).toMatchObject({ ...trouble, mayHeal: true });
    expect(await openFetch(through("http://nowhere.test:1"))("http://city.test/")).toMatchObject({ ...trouble, mayHeal: true });
  });

  test("a site that answers 407 itself, within the tunnel or without a proxy, is not the proxy", async () => {
    const server = await serve((socket) => socket.write("HTTP/1.1 407 Odd\r\ncontent-length: 0\r\n\r\n"));
    expect(await openFetch()(server.url)).toMatchObject({ kind: "refused", reason: "http.4xx" });
  });
});
