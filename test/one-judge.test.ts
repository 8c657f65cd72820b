/** What a run asks with shares one judge: a name that was met in public is closed for the fetcher and for browsers when it leads to a private address later. */
import { afterAll, expect, test } from "vitest";
import { seedsBy } from "../src/core/seed.ts";
import { Config } from "../src/engine/config/index.ts";
import { createConnector, DnsCache, openFetcher, openResolver } from "../src/engine/fetch/index.ts";
import { openNetworkAccess } from "../src/engine/network-access.ts";
import { openSqlite } from "../src/store/index.ts";
import { type NameServer, startNameServer } from "./faults/name-server.ts";
import { serve } from "./loopback.ts";

/** Public, and nobody here connects to it: nothing is sent within the time there is. */
const PUBLIC = "192.88.98.1";
const CANARY = "127.9.0.9";
let server: NameServer | undefined;
afterAll(() => server?.close());

test("a typed seed that was public first is closed to fetcher, browsers and the next process, whatever its name server says later", async () => {
  let address = PUBLIC;
  server = await startNameServer("127.0.0.1", () => [address]);
  const canary = await serve((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nsecret"), CANARY);
  const store = openSqlite(":memory:");
  const config = Config.parse({ resolver: server.place });
  let now = 0;
  const aProcess = () => {
    const names = new DnsCache(openResolver({ timeout: 400, servers: [server!.place] }), () => now);
    return openNetworkAccess(config, seedsBy("person", [`http://seed.test:${canary.port}/`]), {
      names,
      firstMet: store.firstResolvedAs,
      maySendCredentials: () => true,
    });
  };
  const doors = aProcess();
  expect(await doors.opened.filterReachable({ hostname: "seed.test", port: canary.port }, await doors.names.find("seed.test"))).toEqual([
    PUBLIC,
  ]);
  address = CANARY;
  now += 61_000;
  for (const again of [doors, aProcess()]) {
    const setup = { ...again, timeout: 2_000, access: undefined };
    const way = createConnector(setup);
    await expect(way({ hostname: "seed.test.", port: canary.port, isSecure: false })).rejects.toMatchObject({ reason: "private-network" });
    const fetcher = openFetcher({ ...config, ...again, product: "test" });
    const turn = { host: `seed.test:${canary.port}`, spent: false };
    const asked = await fetcher.fetch({ url: `http://seed.test:${canary.port}/`, turn, accept: "page" }, AbortSignal.timeout(5_000));
    expect(asked).toMatchObject({ kind: "refused", reason: "private-network" });
    await fetcher.close();
  }
  expect(canary.connections()).toBe(0);
  await store.close();
});

test("a typed seed that is private first stays open, whatever it is in between", async () => {
  const store = openSqlite(":memory:");
  const canary = await serve((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nhello"), CANARY);
  const names = new DnsCache(async () => [CANARY]);
  const seeds = seedsBy("person", [`http://intranet.test:${canary.port}/`]);
  const { opened } = openNetworkAccess(Config.parse({}), seeds, { names, firstMet: store.firstResolvedAs, maySendCredentials: () => true });
  const place = { hostname: "intranet.test", port: canary.port };
  for (const address of [CANARY, PUBLIC, CANARY]) expect(await opened.filterReachable(place, [address])).toEqual([address]);
  expect(await opened.filterReachable({ ...place, port: canary.port + 1 }, [CANARY])).toEqual([]);
  await store.close();
});

test.each(["list", "api", "library", "page", "unknown"] as const)("a seed named by %s opens nothing", async (namedBy) => {
  const store = openSqlite(":memory:");
  const names = new DnsCache(async () => [CANARY]);
  const seeds = seedsBy(namedBy, ["http://intranet.test/", `http://${CANARY}/`]);
  const { opened } = openNetworkAccess(Config.parse({}), seeds, { names, firstMet: store.firstResolvedAs, maySendCredentials: () => true });
  for (const hostname of ["intranet.test", CANARY]) expect(await opened.filterReachable({ hostname, port: 80 }, [CANARY])).toEqual([]);
  await store.close();
});
