import { describe, expect, test } from "vitest";
import { nuthatch, tempFolder } from "./cli.ts";
import { type PageSpec, serveSite } from "./site/index.ts";

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
  const ended = await crawl("--json", "--max-wait", maxWait);
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
    expect(hint).toMatch(/from \d\d:\d\d on, nuthatch resume 2 .*carries on; to ask at once, nuthatch hosts free 127\.0\.95\.1:\d+/);
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

  test("goes on from where it was if that fails too", async () => {
    using outage = await anOutage("127.0.95.4", "4s");
    const { stdout } = await outage.crawl("--json", "--max-wait", "4s");
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "deferred", paused: [{ cause: "backoff", failures: 4 }] });
  });
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
    expect(again.stderr).toContain("the host asked for this pause itself");
    expect(again.stderr).not.toMatch(/It was visited|answered 503/);
    expect(site.log).toHaveLength(asked);
    await site.close();
  });
});
