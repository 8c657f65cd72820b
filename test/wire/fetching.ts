/** What the short and the long form of the suite share: servers of all schemes, and fetchers that trust them. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { trustExtraCa } from "../../src/engine/fetch/extra-ca.ts";
import { PrivateHosts } from "../../src/engine/fetch/index.ts";
import { type Certificates, makeCertificates } from "../certificates.ts";
import { tempFolder } from "../cli.ts";
import { openFetch } from "../loopback.ts";
import { type Case, MB, type Scheme, schemes } from "./cases.ts";
import { wrongBodies } from "./compare.ts";
import { serveWire, type WireServer } from "./server.ts";

/** Starts a server for each scheme before the tests of a file. */
export function wireServers(address: string) {
  const folder = tempFolder();
  const servers = new Map<Scheme, WireServer>();
  let certificates: Certificates;
  beforeAll(async () => {
    certificates = makeCertificates(folder.path, [`IP:${address}`]);
    for (const scheme of schemes) servers.set(scheme, await serveWire({ scheme, address, certificates }));
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.close();
    folder[Symbol.dispose]();
  });
  return {
    /** Names of combinations whose bodies are not as served. */
    wrong: (scheme: Scheme, connections: number, cases: readonly Case[]): Promise<string[]> => {
      const trust = trustExtraCa(readFileSync(certificates.ca, "utf8"));
      const access = { credentialsFor: () => undefined, proxyFor: () => undefined, trust, notices: [] };
      const setup = { timeout: 240_000, maxBody: 16 * MB, perHost: connections, opened: new PrivateHosts([address]) };
      const fetch = openFetch({ ...setup, access });
      return wrongBodies(fetch, { origin: servers.get(scheme)!.origin, cases, connections });
    },
  };
}
