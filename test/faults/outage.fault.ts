import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { start, tempFolder } from "../cli.ts";
import { generatedSite, type PageHandler, serveSite } from "../site/index.ts";
import { atWork } from "./at-work.ts";
import { isSound, query, recount } from "./ledger.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const OUTAGE = 30_000;
const siteOf = (seed: number) => generatedSite({ pages: 150, links: 8, seed, words: 40 }).pages;

describe.concurrent("a host that is down for half a minute", () => {
  test.each([
    ["refuses connections, then answers 500", "127.0.36.1", "refused"],
    ["answers 500", "127.0.36.2", "500"],
    ["answers 503 with Retry-After: 15", "127.0.36.3", "503"],
    ["takes connections and drops them", "127.0.36.4", "dropped"],
  ] as const)("%s: it recovers fully, and the others do not notice", async (_, address, kind) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const pages = siteOf(61);
    let trouble: "refused" | "500" | "503" | "dropped" | undefined;
    const answer: PageHandler = (request) => {
      if (trouble === "503") return { status: 503, headers: { "retry-after": "15" } };
      if (trouble === "500") return { status: 500 };
      return pages(request);
    };
    let ill = await serveSite(answer, { address });
    const port = Number(new URL(ill.origin).port);
    const logs = [ill.log];
    const others = await Promise.all(
      [1, 2, 3].map((number) => serveSite(siteOf(number), { address: `127.0.37.${10 * Number(address.at(-1)) + number}` })),
    );
    const seeds = [ill, ...others].map(({ origin }) => `${origin}/`);
    const pace = ["--rate-limit", "10/s", "--max-concurrent", "8"];
    const run = start(["crawl", ...seeds, "--db", db, "-q", "--events", ...pace]);
    const startedAt = performance.now();
    await atWork(run, ill, 30);

    trouble = kind;
    if (kind === "refused") {
      await ill.close();
      await sleep(OUTAGE / 2);
      trouble = "500";
      ill = await serveSite(answer, { address, port });
      logs.push(ill.log);
      await sleep(OUTAGE / 2);
    } else if (kind === "dropped") {
      await ill.close();
      const rude = await serveNothing(address, port);
      await sleep(OUTAGE);
      await rude.close();
      ill = await serveSite(answer, { address, port });
      logs.push(ill.log);
    } else await sleep(OUTAGE);
    trouble = undefined;

    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(0);
    isSound(db);
    const host = new URL(ill.origin).host;
    const unhappy = query(db, `SELECT url, verdict, reason, rule FROM decision WHERE verdict NOT IN ('fetched', 'not-modified')`);
    expect(unhappy).toEqual([]);
    const stored = query(db, "SELECT url FROM page").map(({ url }) => new URL(String(url)));
    expect(stored.filter((url) => url.host === host).length).toBe(150);
    expect(stored).toHaveLength(600);

    const events = ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; host?: string; result?: { stats: object } });
    const slowed = events.filter(({ type }) => type === "host.slowed");
    expect(slowed.filter((event) => event.host !== host)).toEqual([]);
    expect(slowed.length, "failing requests").toBeLessThanOrEqual(120);
    expect(slowed.length).toBeGreaterThan(0);
    expect(events.at(-1)?.result?.stats).toMatchObject({ ...recount(db), bytes: expect.any(Number) });
    for (const other of others) {
      expect(other.log).toHaveLength(151);
      // At 10/s each of them has its 151 answers in some 16 seconds, whatever becomes of the fourth.
      expect(other.log.at(-1)!.at - startedAt).toBeLessThan(25_000);
    }
    await Promise.all([ill, ...others].map((site) => site.close()));
  });
});

/** Takes connections and ends them without a word. */
async function serveNothing(address: string, port: number): Promise<{ close(): Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return { close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
