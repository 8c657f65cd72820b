/** Crawls of nginx and Apache: what is kept is byte for byte what they served, also when the crawl is killed on the way. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificates } from "../certificates.ts";
import { crawlerBin, nuthatch, type Started, start, tempFolder } from "../cli.ts";
import { query } from "../faults/ledger.ts";
import { hasOpenssl } from "./authority.ts";
import { faultsIn, linkedPages, writePages } from "./linked-pages.ts";
import { isInstalled, kinds, type RealServer, type Served, startReal } from "./real-servers.ts";

const KILLS = 5;
const all = [
  ["nginx", "127.0.34.4"],
  ["apache", "127.0.34.5"],
] as const;

describe.each(all)("%s", (name, address) => {
  const kind = kinds[name];
  const isReady = hasOpenssl && isInstalled(kind);
  if (!isReady) console.log(`The crawls of ${name} are skipped: ${hasOpenssl ? kind.command : "openssl"} is not installed.`);
  const folder = tempFolder();
  const pages = linkedPages(21);
  const many = linkedPages(63, "/many");
  const few = linkedPages(15, "/few");
  let ca: string;
  let server: RealServer;
  beforeAll(async () => {
    if (!isReady) return;
    chmodSync(folder.path, 0o755);
    const certificates = makeCertificates(folder.path, [`IP:${address}`]);
    ca = certificates.ca;
    const [key, cert] = [folder.file("key.pem"), folder.file("cert.pem")];
    writeFileSync(key, certificates.key);
    writeFileSync(cert, certificates.cert);
    writePages(folder.file("pages"), pages);
    for (const each of [many, few]) writePages(folder.file("pages"), each);
    server = await startReal(kind, { folder: folder.file("server"), address, pages: folder.file("pages"), key, cert });
  });
  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  const crawlOf = ({ origin }: Served, db: string, connections: number, { path = "/index.html", rate = "none" } = {}) => [
    ...["crawl", origin + path, "--db", db, "--ca", ca, "-q", "--json", "--rate-limit", rate],
    ...["--per-host", String(connections), "--max-concurrent", String(connections)],
  ];
  const newFolder = (label: string) => {
    const path = folder.file(label);
    mkdirSync(path);
    return path;
  };
  /** Of a data file. */
  const faultsOf = async (db: string, label: string, expected: ReadonlyMap<string, Buffer>) => {
    const directory = newFolder(label);
    const exported = await nuthatch(["export", "pagedir", "--db", db, "-o", directory]);
    expect(exported.code, exported.stderr).toBe(0);
    return faultsIn(directory, expected);
  };

  test.skipIf(!isReady).each([16, 64])("every TLS version, coding and keep-alive over %d connections", async (connections) => {
    for (const [index, served] of server.served.entries()) {
      const label = `${connections}-${index}`;
      const db = folder.file(`${label}.db`);
      const before = server.asked().length;
      const ended = await nuthatch(crawlOf(served, db, connections));
      const manner = `${served.version} ${served.coding} ${served.keepsAlive ? "keep-alive" : "close"}`;
      expect(ended.code, `${manner}: ${ended.stderr}`).toBe(0);
      expect([manner, ...(await faultsOf(db, label, pages))]).toEqual([manner]);
      const asked = server
        .asked()
        .slice(before)
        .filter((path) => path.endsWith(".html"));
      expect(asked.toSorted(), manner).toEqual([...pages.keys()].toSorted());
    }
  });

  const tseOf = (directory: string) => {
    const { origin } = server.served.find(({ coding }) => coding === "gzip")!;
    return start([`${origin}/few/index.html`, directory, "10"], { bin: crawlerBin, env: { NODE_EXTRA_CA_CERTS: ca } });
  };

  test.skipIf(!isReady)("the three arguments of the Tiny Search Engine", async () => {
    const directory = newFolder("tse");
    const ended = await tseOf(directory).ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(faultsIn(directory, few)).toEqual([]);
  });

  /** Ends it without warning once it has made a few requests, at a moment that nobody chose. */
  const killAtWork = async (run: Started, requests: number) => {
    const enough = server.asked().length + 1 + Math.floor(Math.random() * requests);
    let hasEnded = false;
    void run.ended.then(() => {
      hasEnded = true;
    });
    while (server.asked().length < enough && !hasEnded) await sleep(5);
    await sleep(Math.random() * 100);
    run.kill("SIGKILL");
    const { signal, stderr } = await run.ended;
    expect(signal, `every kill hits a crawl at work: ${stderr}`).toBe("SIGKILL");
  };

  test.skipIf(!isReady)("a data file whose crawl is killed five times and carried on with resume", async () => {
    const db = folder.file("killed.db");
    const served = server.served.find(({ coding, version }) => coding === "gzip" && version === "TLSv1.3")!;
    const first = crawlOf(served, db, 16, { path: "/many/index.html", rate: "20/s" });
    const resume = ["resume", "--db", db, "--ca", ca, "-q", "--json"];
    for (let kill = 0; kill < KILLS; kill++) await killAtWork(start(kill === 0 ? first : resume), 8);
    const ended = await nuthatch(resume);
    expect(ended.code, ended.stderr).toBe(0);
    const fates = query(db, "SELECT verdict, reason, count(*) AS pages FROM decision WHERE kind = 'page' GROUP BY 1, 2");
    expect(fates).toEqual([{ verdict: "fetched", reason: "ok", pages: many.size }]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ stopReason: "finished", stats: { pages: many.size, failed: 0 } });
    expect(await faultsOf(db, "killed", many)).toEqual([]);
  });

  test.skipIf(!isReady)("page directories whose crawls are killed hold whole pages, and are refused afterwards", async () => {
    const isWrong = (fault: string) => !fault.endsWith(": missing");
    for (let kill = 0; kill < KILLS; kill++) {
      const directory = newFolder(`tse-killed-${kill}`);
      await killAtWork(tseOf(directory), 4);
      expect(faultsIn(directory, few).filter(isWrong)).toEqual([]);
      const again = await tseOf(directory).ended;
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("is in use")]);
    }
  });
});
