/** A secure connection that cannot be had is a failure with a name, and its message says what is wrong and what to do. */
import { writeFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trustExtraCa } from "../../src/engine/fetch/extra-ca.ts";
import { PrivateHosts } from "../../src/engine/fetch/index.ts";
import { nuthatch, tempFolder } from "../cli.ts";
import { openFetch, serve } from "../loopback.ts";
import { type Authority, hasOpenssl, openOffice } from "./authority.ts";

if (!hasOpenssl) console.log("The tests of certificates are skipped: there is no openssl command to make them with.");

const ADDRESS = "127.0.34.3";
const names = ["DNS:city.test", `IP:${ADDRESS}`];
const publicAuthority = ["authorityInfoAccess=caIssuers;URI:http://ca.test/middle.cer"];

describe.skipIf(!hasOpenssl)("certificates", () => {
  const folder = tempFolder();
  const closers: (() => void)[] = [];
  let office: ReturnType<typeof openOffice>;
  let root: Authority;
  let middle: Authority;
  beforeAll(() => {
    office = openOffice(folder.path);
    root = office.authority("Root Office");
    middle = root.below("Middle Office");
  });
  afterAll(() => {
    for (const close of closers) close();
    folder[Symbol.dispose]();
  });

  async function https(options: TlsOptions): Promise<number> {
    const server = createHttps(options, (_, response) => response.setHeader("content-type", "text/html").end("<p>secure</p>"));
    await new Promise<void>((ready) => server.listen(0, ADDRESS, ready));
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  }

  /** What comes of asking city.test on this port, when this authority is trusted. */
  const ask = (port: number, trusted?: string) => {
    const trust = trusted === undefined ? undefined : trustExtraCa(trusted);
    const access = { credentialsFor: () => undefined, proxyFor: () => undefined, trust, notices: [] };
    const fetch = openFetch({ access, opened: new PrivateHosts([ADDRESS]), resolve: async () => [ADDRESS] });
    return fetch(`https://city.test:${port}/`);
  };
  const withChain = (...certificates: { cert: string }[]) => certificates.map(({ cert }) => cert).join("");

  test.each([
    ["its authority is trusted", () => root.issue("site", { names }), () => root.cert],
    [
      "the chain is complete",
      () => {
        const leaf = middle.issue("site", { names });
        return { ...leaf, cert: withChain(leaf, middle) };
      },
      () => root.cert,
    ],
    ["the missing link was given with --ca", () => middle.issue("site", { names }), () => withChain(root, middle)],
  ] as [string, () => TlsOptions, () => string][])("the page is fetched when %s", async (_, served, trusted) => {
    expect(await ask(await https(served()), trusted())).toMatchObject({ kind: "body", status: 200 });
  });

  const oneYear = { from: -400, until: -35 };
  test.each([
    ["expired", () => root.issue("site", { names, ...oneYear }), [/city\.test expired on \d{4}-\d\d-\d\d;/, /owner has to renew/]],
    [
      "not valid yet",
      () => root.issue("site", { names, from: 35, until: 400 }),
      [/city\.test is not valid before \d{4}-\d\d-\d\d;/, /check the clock of this computer/],
    ],
    [
      "for another name",
      () => root.issue("site", { names: ["DNS:town.test", "DNS:*.town.test"] }),
      [/does not match its name: it is for town\.test, \*\.town\.test;/, /check the name, else its owner/],
    ],
    ["without any name", () => root.issue("site", {}), [/does not match its name;/, /check the name, else its owner/]],
    ["self-signed", () => office.selfSigned("site", { names }), [/is self-signed;/, /pass --ca FILE/]],
    [
      "of an expired intermediate",
      () => {
        const old = root.below("Old Office", oneYear);
        const leaf = old.issue("site", { names });
        return { ...leaf, cert: withChain(leaf, old) };
      },
      [/a certificate that vouches for the one of city\.test has expired;/, /owner has to renew the chain/],
    ],
    [
      "of a public authority whose intermediate is not sent",
      () => middle.issue("site", { names, extensions: publicAuthority }),
      [/city\.test does not send the intermediate certificate \("Middle Office"\)/, /its owner has to add it, else .* --ca FILE/],
    ],
    [
      "alone, from somebody unknown",
      () => office.authority("Firm Office").issue("site", { names }),
      [/"Firm Office"\), which is not trusted here and not sent along/, /authority of a company.* --ca FILE/, /intermediate.* owner/],
    ],
    [
      "of an unknown authority, which is sent along",
      () => {
        const unknown = office.authority("Firm Office");
        const leaf = unknown.issue("site", { names });
        return { ...leaf, cert: withChain(leaf, unknown) };
      },
      [/from an authority that is not trusted here \("Firm Office"\)/, /pass --ca FILE/],
    ],
    [
      "of an unknown authority, with an intermediate",
      () => {
        const between = office.authority("Firm Office").below("Branch Office");
        const leaf = between.issue("site", { names });
        return { ...leaf, cert: withChain(leaf, between) };
      },
      [/from an authority that is not trusted here/, /pass --ca FILE/],
    ],
    [
      "behind TLS 1.0",
      () => ({ ...root.issue("site", { names }), minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }),
      [/offers only TLS versions older than 1\.2/, /owner has to enable TLS 1\.2 or 1\.3/],
    ],
    [
      "behind TLS 1.1",
      () => ({ ...root.issue("site", { names }), minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }),
      [/offers only TLS versions older than 1\.2/, /owner has to enable TLS 1\.2 or 1\.3/],
    ],
    [
      "behind ciphers that are not safe",
      () => ({ ...root.issue("site", { names }), maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0" }),
      [/offers no TLS parameters that are safe enough/, /owner has to update/],
    ],
  ] as [string, () => TlsOptions, RegExp[]][])("one that is %s", async (_, served, message) => {
    const fetched = await ask(await https(served()), root.cert);
    expect(fetched).toMatchObject({ kind: "failed", reason: "tls", mayHeal: false, hostFault: true });
    for (const part of message) expect(fetched.kind === "failed" && fetched.detail).toMatch(part);
  });

  test("a server that asks for a client certificate", async () => {
    const port = await https({
      ...root.issue("site", { names }),
      ca: root.cert,
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion: "TLSv1.2",
    });
    expect(await ask(port, root.cert)).toMatchObject({ kind: "failed", reason: "tls", detail: expect.stringContaining("city.test") });
  });

  test.each(["fetch", "crawl"])("nuthatch %s says it on the terminal", async (command) => {
    const port = await https(root.issue("site", { names, ...oneYear }));
    const ca = folder.file("root.pem");
    writeFileSync(ca, root.cert);
    const options = ["--ca", ca, "--rate-limit", "none", "--retries", "0"];
    const ended = await nuthatch([command, `https://${ADDRESS}:${port}/`, ...options], { cwd: folder.path });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/the certificate of 127\.0\.34\.3 expired on \d{4}-\d\d-\d\d; its owner has to renew it/);
    expect(ended.stderr).toMatch(/try: do what the message says/);
  });
});

describe("a port without TLS", () => {
  const tls = { kind: "failed", reason: "tls", mayHeal: false, detail: expect.stringMatching(/does not speak TLS.*try http:\/\//) };

  test("that has a web server", async () => {
    const server = createHttp((_, response) => response.end("plain"));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    expect(await openFetch()(`https://127.0.0.1:${port}/`)).toMatchObject(tls);
    server.close();
    server.closeAllConnections();
  });

  test.each([
    ["that greets", "SSH-2.0-OpenSSH_9.2\r\n", tls],
    ["that answers with bytes of its own", "\0\0\0\0\0\0\0\0", tls],
    ["that hangs up", undefined, { kind: "failed", reason: "connection", mayHeal: true, detail: expect.stringContaining("127.0.0.1") }],
  ])("%s", async (_, greeting, expected) => {
    const server = await serve(
      () => {},
      "127.0.0.1",
      0,
      (socket) => void (greeting === undefined ? socket.end() : socket.write(greeting)),
    );
    expect(await openFetch()(`https://127.0.0.1:${server.port}/`)).toMatchObject(expected);
  });
});
