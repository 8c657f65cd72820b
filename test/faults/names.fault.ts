import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nuthatch, tempFolder } from "../cli.ts";
import { generatedSite, type PageSpec, type RunningSite, serveSite } from "../site/index.ts";
import { query, reasonsFor } from "./ledger.ts";
import { type NameAnswer, startNameServer } from "./name-server.ts";

const HOSTS = 20;
const PAGES = 30;
const PER_SECOND = 5;
const addressOf = (number: number) => `127.0.38.${number}`;
const nameOf = (number: number) => `h${number}.test`;
const ill = nameOf(HOSTS);
const siteOf = (seed: number) => generatedSite({ pages: PAGES, links: 8, seed, words: 40 }).pages;

describe("names of one host of twenty that do not resolve", () => {
  const sites: RunningSite[] = [];
  let port = 0;
  let undisturbed = 0;
  beforeAll(async () => {
    for (let number = 1; number <= HOSTS; number++) {
      const site = await serveSite(siteOf(number), { address: addressOf(number), port, latency: 5 });
      port = Number(new URL(site.origin).port);
      sites.push(site);
    }
    const { rate, db } = await crawlAll(() => [addressOf(HOSTS)]);
    expect(db).toHaveLength(HOSTS * PAGES);
    undisturbed = rate;
  });
  afterAll(() => Promise.all(sites.map((site) => site.close())));

  /** Crawls all twenty; the rate is that of the nineteen others together, from the first request to the last. */
  async function crawlAll(answer: () => NameAnswer) {
    using folder = tempFolder();
    for (const site of sites) site.log.length = 0;
    const startedAt = performance.now();
    const names = await startNameServer("127.0.38.53", (name) => (name === ill ? answer() : [addressOf(Number(name.slice(1, -5)))]));
    const seeds = Array.from({ length: HOSTS }, (_, index) => `http://${nameOf(index + 1)}:${port}/`);
    const pace = ["--rate-limit", `${PER_SECOND}/s`, "--max-concurrent", "8", "--resolver", names.place];
    const db = folder.file("site.db");
    const ended = await nuthatch(["crawl", ...seeds, "--db", db, "-q", ...pace]);
    names.close();
    expect(ended.code, ended.stderr).toBe(0);
    const others = sites.slice(0, -1).flatMap(({ log }) => log);
    expect(others).toHaveLength((HOSTS - 1) * (PAGES + 1));
    const times = others.map(({ at }) => at);
    const rate = others.length / (Math.max(...times) - Math.min(...times));
    return { rate, db: query(db, "SELECT url FROM page"), failed: reasonsFor(db, "failed"), took: performance.now() - startedAt };
  }

  test.each([
    ["no such name (NXDOMAIN)", () => 3, "ENOTFOUND"],
    ["trouble (SERVFAIL)", () => 2, "ESERVFAIL"],
    ["silence", () => "silence", "ETIMEOUT"],
  ] as [string, () => NameAnswer, string][])("%s: named, and the others keep nine tenths of their rate", async (_, answer, code) => {
    const { rate, db, failed, took } = await crawlAll(answer);
    expect(rate).toBeGreaterThanOrEqual(0.9 * undisturbed);
    expect(db).toHaveLength((HOSTS - 1) * PAGES);
    expect(failed).toEqual([{ url: `http://${ill}:${port}/`, reason: "dns", rule: `${ill} does not resolve (${code})` }]);
    expect(took, "the run ends").toBeLessThan(60_000);
  });

  test("a name that comes and goes is crawled all the same", async () => {
    let first: number | undefined;
    const { rate, db } = await crawlAll(() => {
      first ??= performance.now();
      return (performance.now() - first) % 1200 < 600 ? 2 : [addressOf(HOSTS)];
    });
    expect(rate).toBeGreaterThanOrEqual(0.9 * undisturbed);
    expect(db).toHaveLength(HOSTS * PAGES);
  });
});

describe.concurrent("a name that turns to an address nobody opened", () => {
  const links = (...urls: string[]) => `<p>Links</p>${urls.map((url) => `<a href="${url}">${url}</a>`).join("")}`;
  const far: Record<string, PageSpec> = { "/": links(...Array.from({ length: 150 }, (_, page) => `/${page}`)) };
  // Each answer on a connection of its own, so that each needs the name.
  const once = (body: string) => ({ body, headers: { connection: "close" } });
  const pages = (path: string): PageSpec | undefined =>
    path === "/robots.txt" ? undefined : once(String(far[path] ?? `<p>Page ${path}</p>`));

  /** A seed on an open address that links to other names, and something on a closed one that counts who knocks. */
  async function web(base: number, answer: (name: string, time: number) => NameAnswer) {
    const open = await serveSite(({ path }) => pages(path), { address: `127.0.${base}.2` });
    const port = Number(new URL(open.origin).port);
    const others = ["shifty", "inner", "both", "late"].map((name) => `http://${name}.test:${port}/`);
    const seed = await serveSite({ "/": links(...others) }, { address: `127.0.${base}.1`, port });
    let knocks = 0;
    const canary = createServer((socket) => {
      knocks += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(port, `127.0.${base + 1}.1`, resolve));
    const names = await startNameServer(`127.0.${base}.53`, answer);
    const settings = ["--scope", "any", "--allow-private", `127.0.${base}.0/24`, "--resolver", names.place, "-q", "--max-wait", "1m"];
    const crawl = (db: string, ...more: string[]) => nuthatch(["crawl", `${seed.origin}/`, "--db", db, ...settings, ...more]);
    const close = async () => {
      names.close();
      await Promise.all([open.close(), seed.close(), new Promise((resolve) => canary.close(resolve))]);
    };
    return { crawl, names, open, close, knocks: () => knocks };
  }

  const refusals = (db: string, name: string) =>
    query(db, `SELECT url FROM decision WHERE reason = 'private-network' AND url LIKE 'http://${name}.test%'`);

  test("in mid-crawl, when its address is asked for again: never connected", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const { crawl, names, open, close, knocks } = await web(40, (name, time) => {
      if (name === "shifty.test") return [time === 1 ? "127.0.40.2" : "127.0.41.1"];
      if (name === "both.test") return ["127.0.41.1", "127.0.40.99"];
      if (name === "late.test") return time === 1 ? 2 : ["127.0.41.1"];
      return ["127.0.41.1"];
    });
    const ended = await crawl(db, "--rate-limit", "2/s");
    expect(ended.code, ended.stderr).toBe(0);
    expect(names.asked.filter((name) => name === "shifty.test").length, "the name was asked for again").toBeGreaterThan(1);
    const served = open.log.filter(({ host }) => host.startsWith("shifty.")).length;
    expect(served).toBeGreaterThan(50);
    expect(served).toBeLessThan(150);
    expect(refusals(db, "shifty").length).toBeGreaterThan(0);
    expect(refusals(db, "inner")).toHaveLength(1);
    expect(knocks()).toBe(0);
    await close();
  });

  test("between two starts: never connected", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    let isTurned = false;
    const { crawl, open, close, knocks } = await web(42, () => [isTurned ? "127.0.43.1" : "127.0.42.2"]);
    const first = await crawl(db, "--rate-limit", "50/s", "--max-pages", "20");
    expect(first.code, first.stderr).toBe(0);
    expect(open.log.length).toBeGreaterThan(10);
    const asked = open.log.length;
    isTurned = true;
    const second = await crawl(db, "--rate-limit", "50/s", "--full");
    expect(second.code, second.stderr).toBe(0);
    expect(open.log).toHaveLength(asked);
    expect(refusals(db, "shifty").length).toBeGreaterThan(0);
    expect(knocks()).toBe(0);
    await close();
  });
});
