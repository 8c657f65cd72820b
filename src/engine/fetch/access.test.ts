import { createServer } from "node:https";
import { afterEach, describe, expect, test } from "vitest";
import { makeCertificates } from "../../../test/certificates.ts";
import { tempFolder } from "../../../test/cli.ts";
import { openFetch, serve } from "../../../test/loopback.ts";
import { type AccessOptions, openAccess, storedAccessOptions } from "./access.ts";
import { trustExtraCa } from "./extra-ca.ts";
import { PrivateHosts } from "./private-hosts.ts";

const none: AccessOptions = { header: [], auth: [], cookies: undefined, proxy: undefined, ca: undefined };

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
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

  test("what is for one origin beats what is for all, and a login beats a header", () => {
    const header = ["https://a.example.org X: mine", "x: all", "Authorization: Bearer t"];
    expect(namesFor({ header, auth: ["u:p"] }, "https://a.example.org")).toEqual(["X", "mine", "Authorization", "Basic dTpw"]);
    expect(namesFor({ header }, "http://b.example.org:8080")).toEqual(["x", "all", "Authorization", "Bearer t"]);
  });

  test("what its origin is given beats what a single request brings, and no name is sent twice", async () => {
    const server = await serve((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    const access = openAccess({ ...none, header: ["X: origin", "Y: origin", "Cookie: origin"] }, [server.url]);
    await openFetch({ access })(server.url, { headers: { x: "request", cookie: "request", z: "request" } });
    const lines = server.seen[0]!.split("\r\n").filter((line) => /^(x|y|z|cookie):/i.test(line));
    expect(lines).toEqual(["X: origin", "Y: origin", "Cookie: origin", "z: request"]);
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
    const trace = storedAccessOptions(given);
    expect(trace).toEqual({ header: ["https://c.test X-Key:", "Y:"], auth: [":"], cookies: "", proxy: "" });
    expect(storedAccessOptions(none)).toEqual({});
    expect(() => openAccess({ ...none, header: ["Y:"] }, seeds)).toThrow("the value of the header Y is missing");
    expect(() => openAccess({ ...none, auth: [":"] }, seeds)).toThrow("user and password are missing");
    expect(() => openAccess({ ...none, cookies: "" }, seeds)).toThrow("the cookie file is missing");
    expect(() => openAccess({ ...none, proxy: "" }, seeds)).toThrow("the proxy is missing");
  });

  test.each([
    ["one for all", "http://me:s3cret@office.test:1", "office.test:1"],
    ["the same for both", { http: "http://o:1", https: "http://o:1" }, "o:1"],
    ["one for https", { https: "http://o:1", except: ["localhost"] }, "o:1 for https"],
    ["two", { https: "http://o:1", http: "http://p:2" }, "o:1 for https and p:2 for http"],
  ])("what a proxy hides is told: %s", (_, proxy, name) => {
    const [notice] = openAccess({ ...none, proxy }, seeds)!.notices;
    expect(notice).toMatch(new RegExp(`^Asking through the proxy ${name}: it looks names up`));
  });

  test("whoever sends secrets in the clear is told, except on this machine", () => {
    const noticesOf = (seed: string) => openAccess({ ...none, auth: ["u:p"] }, [seed])?.notices;
    expect(noticesOf("http://example.org/")).toEqual([expect.stringMatching(/^http:\/\/example.org is asked without encryption/)]);
    for (const seed of ["https://example.org/", "http://127.0.32.1/", "http://localhost:1/", "http://[::1]/"])
      expect(noticesOf(seed)).toEqual([]);
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
  ])("a file is refused: %s", (_, pem, message) => expect(() => trustExtraCa(pem)).toThrow(message));

  test("stand beside the usual ones, and only where they are given", async () => {
    const { ca, key, cert } = certificate();
    const server = createServer({ key, cert }, (_, response) => response.setHeader("content-type", "text/html").end("hi"));
    await new Promise<void>((ready) => server.listen(0, "127.0.32.13", ready));
    closers.push(() => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    });
    const url = `https://127.0.32.13:${(server.address() as { port: number }).port}/`;
    const opened = new PrivateHosts(["127.0.32.13"]);
    expect(await openFetch({ opened })(url)).toMatchObject({ kind: "failed", reason: "tls" });
    expect(await openFetch({ opened, access: openAccess({ ...none, ca }, []) })(url)).toMatchObject({ kind: "body" });
    const other = openAccess({ ...none, ca: certificate().ca }, []);
    expect(await openFetch({ opened, access: other })(url)).toMatchObject({ kind: "failed", reason: "tls" });
  });
});
