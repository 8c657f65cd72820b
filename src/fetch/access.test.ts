import { createServer } from "node:https";
import { afterEach, describe, expect, test } from "vitest";
import { makeCertificates } from "../../test/certificates.ts";
import { tempFolder } from "../../test/cli.ts";
import { openFetch, serve } from "../../test/loopback.ts";
import { startProxy } from "../../test/proxy.ts";
import { type AccessOptions, accessTrace, openAccess } from "./access.ts";
import { CookieFile, cookiesFor } from "./cookie-file.ts";
import { trustAlso } from "./extra-ca.ts";
import { parseAuth, parseHeader } from "./given-header.ts";
import { Openings } from "./openings.ts";
import { openProxies, parseProxy } from "./proxy.ts";

const none: AccessOptions = { header: [], auth: [], cookies: undefined, proxy: undefined, ca: undefined };
const page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

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

describe("what is given goes to its origin", () => {
  const seeds = ["https://a.example.org/x", "http://b.example.org:8080/"];
  const namesFor = (options: Partial<AccessOptions>, origin: string) =>
    openAccess({ ...none, ...options }, seeds)?.credentialsFor(origin)?.headers;

  test.each([
    ["a seed's own", "https://a.example.org", ["X", "1"]],
    ["another seed's", "http://b.example.org:8080", ["X", "1"]],
    ["not another scheme", "http://a.example.org", undefined],
    ["not another port", "https://a.example.org:8443", undefined],
    ["not another host", "https://example.org", undefined],
    ["not a name with a dot at its end", "https://a.example.org.", undefined],
  ])("%s", (_, origin, expected) => expect(namesFor({ header: ["X: 1"] }, origin)).toEqual(expected));

  test("one that is named, and no seed", () => {
    const header = ["https://c.example.org X: 1"];
    expect(namesFor({ header }, "https://c.example.org")).toEqual(["X", "1"]);
    expect(namesFor({ header }, "https://a.example.org")).toBeUndefined();
  });

  test("what is for one origin beats what is for all, and the last of one name counts", () => {
    const header = ["https://a.example.org X: mine", "x: all", "Authorization: Bearer t"];
    expect(namesFor({ header, auth: ["u:p"] }, "https://a.example.org")).toEqual(["X", "mine", "Authorization", "Basic dTpw"]);
    expect(namesFor({ header }, "http://b.example.org:8080")).toEqual(["x", "all", "Authorization", "Bearer t"]);
  });

  test("nothing given is nothing to look up", () => expect(openAccess(none, seeds)).toBeUndefined());

  test("a run keeps names, and asks for what it did not keep", () => {
    const given = {
      ...none,
      header: ["https://c.test X-Key: s3cret", "Y: s3cret"],
      auth: ["s3cret:s3cret"],
      cookies: "s3cret",
      proxy: "s3cret:1",
    };
    const trace = accessTrace(given);
    expect(trace).toEqual({ header: ["https://c.test X-Key:", "Y:"], auth: [":"], cookies: "", proxy: "" });
    expect(accessTrace(none)).toEqual({});
    expect(() => openAccess({ ...none, header: ["Y:"] }, seeds)).toThrow("the value of the header Y is missing");
    expect(() => openAccess({ ...none, auth: [":"] }, seeds)).toThrow("user and password are missing");
    expect(() => openAccess({ ...none, cookies: "" }, seeds)).toThrow("the cookie file is missing");
    expect(() => openAccess({ ...none, proxy: "" }, seeds)).toThrow("the proxy is missing");
  });

  test("whoever sends secrets in the clear is told, except on this machine", () => {
    const noticesOf = (seed: string) => openAccess({ ...none, auth: ["u:p"] }, [seed])?.notices;
    expect(noticesOf("http://example.org/")).toEqual([expect.stringMatching(/^http:\/\/example.org is asked without encryption/)]);
    for (const seed of ["https://example.org/", "http://127.0.32.1/", "http://localhost:1/", "http://[::1]/"])
      expect(noticesOf(seed)).toEqual([]);
  });
});

describe("through a proxy", () => {
  const through = (proxy: string, opened: string[] = []) => ({
    access: openAccess({ ...none, proxy }, []),
    opened: new Openings(opened),
    timeout: 500,
    // No name is looked up but the proxy's own.
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

describe("extra authorities", () => {
  const certificate = () => {
    const folder = tempFolder();
    closers.push(() => folder[Symbol.dispose]());
    return makeCertificates(folder.path, ["IP:127.0.32.13"]);
  };
  test.each([
    ["empty", "", /holds no certificate/],
    ["a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", /holds no certificate/],
    ["broken", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", /certificate 1 of the CA file cannot be read/],
  ])("a file is refused: %s", (_, pem, message) => expect(() => trustAlso(pem)).toThrow(message));

  test("stand beside the usual ones, and only where they are given", async () => {
    const { ca, key, cert } = certificate();
    const server = createServer({ key, cert }, (_, response) => response.setHeader("content-type", "text/html").end("hi"));
    await new Promise<void>((ready) => server.listen(0, "127.0.32.13", ready));
    closers.push(() => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    });
    const url = `https://127.0.32.13:${(server.address() as { port: number }).port}/`;
    const opened = new Openings(["127.0.32.13"]);
    expect(await openFetch({ opened })(url)).toMatchObject({ kind: "failed", reason: "tls" });
    expect(await openFetch({ opened, access: openAccess({ ...none, ca }, []) })(url)).toMatchObject({ kind: "body" });
    const other = openAccess({ ...none, ca: certificate().ca }, []);
    expect(await openFetch({ opened, access: other })(url)).toMatchObject({ kind: "failed", reason: "tls" });
  });
});
