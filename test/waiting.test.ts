import { describe, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { type PageSpec, serveSite } from "./site/index.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const pages: Record<string, PageSpec> = { "/": '<title>home</title><a href="/1">one</a>', "/1": "<p>The first page.</p>" };
const fast = ["--rate-limit", "none", "-q"];

/** A host with two pages that was crawled once, and then was away for a run that waited so long. */
async function anOutage(address: string, maxWait: string) {
  const folder = tempFolder();
  const db = ["--db", folder.file("a.db")];
  let site = await serveSite(pages, { address });
  const { origin } = site;
  const port = Number(new URL(origin).port);
  const crawl = (...args: string[]) => nuthatch(["crawl", `${origin}/`, ...fast, ...db, ...args]);
  expect((await crawl()).code).toBe(0);
  await site.close();
  const ended = await crawl("--json", "--max-wait", maxWait, "--retries", "10");
  return {
    origin,
    host: new URL(origin).host,
    db,
    crawl,
    result: JSON.parse(ended.stdout),
    ended,
    comeBack: async (spec = pages) => {
      site = await serveSite(spec, { address, port });
      return site;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe.concurrent("a host in back-off", () => {
  test("is waited for no longer than --max-wait in all; then the run says for whom, why, until when, and what can be done", async () => {
    using outage = await anOutage("127.0.95.1", "4s");
    const { result, ended, host } = outage;
    expect([ended.code, result.stopReason]).toEqual([3, "deferred"]);
    expect(result.durationMs).toBeLessThan(5000);
    expect(result.paused).toMatchObject([{ host, cause: "backoff", failures: 3 }]);
    const [message, , hint] = ended.stderr.trim().split("\n");
    expect(message).toMatch(/no connection to 127\.0\.95\.1 \(ECONNREFUSED\)$/);
    expect(hint).toMatch(/try: nuthatch resume 2 .* asks once more, at once, .*; nuthatch hosts free 127\.0\.95\.1:\d+ --db .* forgets/);
  });

  test.each([
    ["the same command", "127.0.95.2", []],
    ["a new run", "127.0.95.3", ["--new"]],
  ])("is asked once, at once, when somebody looks anew, and all is well if it answers: %s", async (_, address, args) => {
    using outage = await anOutage(address, "8s");
    const site = await outage.comeBack();
    const { code, stdout } = await outage.crawl(...args, "--json", "--max-wait", "3s");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "finished", stats: { pages: 2 } });
    expect(site.log.map(({ path }) => path)).toEqual(["/", "/1"]);
    await site.close();
  });

  test("is listed with the reason, since when and until when, explained, and free when somebody says so", async () => {
    using outage = await anOutage("127.0.95.7", "16s");
    const { host, db, origin } = outage;
    const site = await outage.comeBack();
    const list = async (...args: string[]) => JSON.parse((await nuthatch(["hosts", ...args, ...db, "--json"])).stdout).hosts;
    const [waits] = await list();
    expect(waits).toMatchObject({ host, pausedUntil: null, rate: null, cause: "backoff", failures: 5 });
    expect(Date.parse(waits.waitsUntil) - Date.parse(waits.waitsSince)).toBe(16_000);
    expect((await nuthatch(["hosts", ...db])).stdout).toMatch(/127\.0\.95\.7:\d+ .*back-off after 5 failures/);
    const told = (await nuthatch(["explain", `${origin}/`, ...db])).stdout;
    expect(told).toMatch(/127\.0\.95\.7:\d+ must wait until \d\d:\d\d \(back-off after 5 failures\)/);
    expect(await list("free", host)).toEqual([]);
    expect((await outage.crawl("--max-wait", "3s")).code).toBe(0);
    await site.close();
  });

  test("is free at once for a run under way, too", async () => {
    using outage = await anOutage("127.0.95.8", "1s");
    const { host, db, origin } = outage;
    const run = start(["crawl", `${origin}/`, ...fast, ...db, "--json", "--retries", "10"]);
    const isWaiting = async () => {
      const { hosts } = JSON.parse((await nuthatch(["hosts", ...db, "--json"])).stdout);
      return hosts[0]?.failures >= 5;
    };
    while (!(await isWaiting())) await sleep(100);
    const site = await outage.comeBack();
    const freedAt = performance.now();
    await nuthatch(["hosts", "free", host, ...db]);
    expect(JSON.parse((await run.ended).stdout)).toMatchObject({ stopReason: "finished", stats: { pages: 2 } });
    expect(performance.now() - freedAt).toBeLessThan(8000);
    await site.close();
  });

  test("of which nothing comes back is asked as often as one that nobody knows, and the run ends with what helps", async () => {
    using folder = tempFolder();
    const site = await serveSite(pages, { address: "127.0.95.10" });
    const crawl = (...args: string[]) => nuthatch(["crawl", `${site.origin}/`, ...fast, "--db", folder.file("a.db"), ...args]);
    expect((await crawl()).code).toBe(0);
    await site.close();
    const failures = async (...args: string[]) => {
      const { code, stdout, stderr } = await crawl("--json", ...args);
      const { stopReason, paused } = JSON.parse(stdout);
      expect([code, stopReason, stderr]).toEqual([3, "deferred", expect.stringMatching(/no connection to .*\n.*\n.*try: nuthatch resume/)]);
      return paused[0].failures;
    };
    expect([await failures(), await failures(), await failures("--new")]).toEqual([3, 4, 5]);
  });

  test("goes on from where it was if that fails too", async () => {
    using outage = await anOutage("127.0.95.4", "4s");
    const { stdout } = await outage.crawl("--json", "--max-wait", "4s");
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "deferred", paused: [{ cause: "backoff", failures: 4 }] });
  });
});

test("a slow rate of an earlier run is ours to clear", async () => {
  using folder = tempFolder();
  const site = await serveSite(pages, { address: "127.0.95.9" });
  const db = ["--db", folder.file("a.db")];
  const crawl = (...args: string[]) => nuthatch(["crawl", `${site.origin}/`, "-q", ...db, ...args]);
  await crawl("--rate-limit", "1/h", "--max-wait", "2h", "--max-time", "2s");
  const asked = site.log.length;
  const again = await crawl("--rate-limit", "none", "--new", "--max-wait", "5s");
  expect([again.code, again.stderr]).toEqual([3, expect.stringMatching(/not asked: .* must wait until .* \(your rate\)\n/)]);
  expect(site.log).toHaveLength(asked);
  await nuthatch(["hosts", "free", new URL(site.origin).host, ...db]);
  expect((await crawl("--rate-limit", "none", "--new")).code).toBe(0);
  await site.close();
});

describe.concurrent("a host that asked for a pause itself", () => {
  test.each([
    ["the same command", "127.0.95.5", []],
    ["a new run", "127.0.95.6", ["--new"]],
  ])("is not asked, and no old answer is told as if it had just come: %s", async (_, address, args) => {
    using folder = tempFolder();
    const site = await serveSite({ ...pages, "/": { status: 503, headers: { "retry-after": "3600" } } }, { address });
    const crawl = (...more: string[]) => nuthatch(["crawl", `${site.origin}/`, ...fast, "--db", folder.file("a.db"), ...more]);
    const first = await crawl();
    expect([first.code, first.stderr]).toEqual([3, expect.stringContaining("answered 503")]);
    const asked = site.log.length;
    const again = await crawl(...args);
    expect(again.code).toBe(3);
    expect(again.stderr).toMatch(/: not asked: 127\.0\.95\.\d:\d+ must wait until (\S+ )?\d\d:\d\d \(Retry-After\)\n/);
    expect(again.stderr).toMatch(/try: from .* on, nuthatch resume \d .* carries on; the host asked for this pause itself\n/);
    expect(again.stderr).not.toMatch(/It was visited|answered 503/);
    expect(site.log).toHaveLength(asked);
    const freed = await nuthatch(["hosts", "free", new URL(site.origin).host, "--db", folder.file("a.db")]);
    expect(freed.stderr).toMatch(/must wait until .* \(Retry-After\): the host asked for that itself, so it stands\n/);
    expect((await crawl(...args)).stderr).toContain("not asked");
    expect(site.log).toHaveLength(asked);
    await site.close();
  });
});

test.each<[string, string, PageSpec | undefined, RegExp]>([
  ["nobody listens", "127.0.95.11", undefined, /no connection to 127\.0\.95\.11 \(ECONNREFUSED\)/],
  ["robots.txt fails", "127.0.95.12", { status: 500, body: "no" }, /robots\.txt answered 500/],
])("a host that was never met says what failed, also after its wait: %s", async (_, address, robots, why) => {
  using folder = tempFolder();
  const db = ["--db", folder.file("a.db")];
  const site = await serveSite(({ path }) => (path === "/robots.txt" ? robots : pages[path]), { address });
  const url = `${site.origin}/`;
  if (!robots) await site.close();
  const { code, stderr } = await nuthatch(["crawl", url, ...fast, ...db, "--max-wait", "1s"]);
  expect([code, stderr]).toEqual([3, expect.stringMatching(why)]);
  if (robots) await site.close();
  const [, sentence] = (await nuthatch(["explain", url, ...db])).stdout.split("\n");
  expect(sentence).toMatch(/^ {2}Not visited in run 1\. The run ended because its host has to wait: /);
  expect(sentence).toMatch(why);
  expect(sentence).toContain("nuthatch resume 1 asks for it");
});
