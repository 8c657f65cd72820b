import { describe, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { gaps, generatedSite, mostAtOnce, type PageSpec, serveSite } from "./site/index.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const ring = (count: number): Record<string, PageSpec> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/${index || ""}`,
      `<title>${index}</title><p>Page number ${index}.</p><a href="/${(index + 1) % count || ""}">next</a>`,
    ]),
  );

/** Everything here is read off the server's own log. */
describe.concurrent("politeness, as the server sees it", () => {
  test("one request a second by default, one at a time, robots.txt first", async () => {
    using folder = tempFolder();
    const site = await serveSite(ring(4), { address: "127.0.4.1" });
    expect((await nuthatch(["crawl", `${site.origin}/`, "-q", "--db", folder.file("a.db")])).code).toBe(0);
    expect(site.log.map(({ path }) => path)).toEqual(["/robots.txt", "/", "/1", "/2", "/3"]);
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(1000);
    expect(mostAtOnce(site.log)).toBe(1);
    await site.close();
  });

  test("the pace holds over restarts, whatever moment the crawler is killed at", async () => {
    using folder = tempFolder();
    const site = await serveSite(generatedSite({ pages: 40, links: 4, seed: 2 }).pages, { address: "127.0.4.2" });
    const args = ["crawl", `${site.origin}/`, "-q", "--db", folder.file("a.db"), "--rate-limit", "2/s"];
    for (let restart = 0; restart < 4; restart++) {
      const run = start(args);
      const before = site.log.length;
      while (site.log.length < before + 2) await sleep(5);
      run.kill("SIGKILL");
      await run.ended;
    }
    expect(site.log.length).toBeGreaterThanOrEqual(8);
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(500);
    await site.close();
  });

  test("two processes on one database share a host's pace", async () => {
    using folder = tempFolder();
    const pages = { ...ring(6), "/x": '<a href="/y">y</a>', "/y": '<a href="/z">z</a>', "/z": "<p>the end of the alphabet</p>" };
    const site = await serveSite(pages, { address: "127.0.4.3", latency: 30 });
    const crawl = (path: string) => nuthatch(["crawl", site.origin + path, "-q", "--db", folder.file("a.db"), "--rate-limit", "4/s"]);
    const ends = await Promise.all([crawl("/"), crawl("/x")]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const asked = site.log.map(({ path }) => path).filter((path) => path !== "/robots.txt");
    expect(new Set(asked)).toEqual(new Set(Object.keys(pages)));
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(250);
    expect(mostAtOnce(site.log)).toBe(1);
    const letters = asked.indexOf("/z");
    expect(letters, "the second is not starved by the first").toBeLessThan(asked.length - 1 || 0);
    await site.close();
  });

  test("a Crawl-delay beyond --max-crawl-delay is refused at once, not waited out", async () => {
    using folder = tempFolder();
    const pages = { ...ring(3), "/robots.txt": { body: "User-agent: *\nCrawl-delay: 600", headers: { "Content-Type": "text/plain" } } };
    const site = await serveSite(pages, { address: "127.0.67.3" });
    const { stdout } = await nuthatch(["crawl", `${site.origin}/`, "--json", "--db", folder.file("a.db"), "--max-crawl-delay", "60s"]);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "deferred", stats: { pages: 0 } });
    expect(site.log.map(({ path }) => path)).toEqual(["/robots.txt"]);
    await site.close();
  });

  test("Crawl-delay 3 is obeyed", async () => {
    using folder = tempFolder();
    const site = await serveSite(
      { ...ring(3), "/robots.txt": { body: "User-agent: *\nCrawl-delay: 3\n", headers: { "content-type": "text/plain" } } },
      { address: "127.0.4.4" },
    );
    expect((await nuthatch(["crawl", `${site.origin}/`, "-q", "--db", folder.file("a.db")])).code).toBe(0);
    expect(site.log).toHaveLength(4);
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(3000);
    await site.close();
  });

  test.each([
    ["seconds", () => "2"],
    ["a date", () => new Date(Date.now() + 3000).toUTCString()],
  ])("Retry-After as %s closes the whole host for that long, and the page is not lost", async (_, retryAfter) => {
    using folder = tempFolder();
    const pages: Record<string, PageSpec> = {
      ...ring(4),
      "/1": (hit) => (hit === 1 ? { status: 429, headers: { "retry-after": retryAfter() } } : '<p>here at last</p><a href="/2">2</a>'),
    };
    const site = await serveSite(pages, { address: "127.0.4.5" });
    expect((await nuthatch(["crawl", `${site.origin}/`, "-q", "--db", folder.file("a.db"), "--rate-limit", "20/s"])).code).toBe(0);
    const at = site.log.findIndex(({ status }) => status === 429);
    expect(site.log[at + 1]!.at - site.log[at]!.at).toBeGreaterThanOrEqual(1900);
    expect(site.log.map(({ path }) => path)).toEqual(["/robots.txt", "/", "/1", "/1", "/2", "/3"]);
    await site.close();
  });

  test("a host that fails is left alone for longer each time, and others go on meanwhile", async () => {
    using folder = tempFolder();
    let isDown = false;
    const ill = await serveSite((request) => (isDown ? { status: 500 } : ring(30)[request.path]), { address: "127.0.4.6" });
    const well = await serveSite(ring(60), { address: "127.0.4.7" });
    const run = start([
      "crawl",
      `${ill.origin}/`,
      `${well.origin}/`,
      "--max-depth",
      "none",
      "-q",
      "--db",
      folder.file("a.db"),
      "--rate-limit",
      "20/s",
    ]);
    while (ill.log.length < 5) await sleep(5);
    isDown = true;
    await sleep(5000);
    isDown = false;
    expect((await run.ended).code).toBe(0);
    const failed = ill.log.filter(({ status }) => status === 500);
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.length).toBeLessThan(6);
    expect(new Set(ill.log.filter(({ status }) => status === 200).map(({ path }) => path)).size).toBe(30);
    expect(well.log.filter(({ path }) => path !== "/robots.txt")).toHaveLength(60);
    await Promise.all([ill.close(), well.close()]);
  });

  test("a few URLs that always fail cost seconds, not minutes, and the others go on at their pace", async () => {
    using folder = tempFolder();
    const names = Array.from({ length: 120 }, (_, index) => `/${index}`);
    const isBad = (path: string) => Number(path.slice(1)) >= 114;
    const site = await serveSite(
      ({ path }) => {
        if (path === "/") return names.map((name) => `<a href="${name}">${name}</a>`).join(" ");
        if (path === "/robots.txt") return undefined;
        return isBad(path) ? { status: 500 } : `<title>${path}</title><p>The page that is called ${path}.</p>`;
      },
      { address: "127.0.4.9" },
    );
    const args = ["crawl", `${site.origin}/`, "--json", "--db", folder.file("a.db"), "--rate-limit", "50/s"];
    const { stdout } = await nuthatch(args);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "finished", stats: { pages: 115 } });
    expect(site.log.filter(({ status }) => status === 500)).toHaveLength(18);
    const asked = site.log.filter(({ status }) => status === 200);
    expect(site.log.at(-1)!.at - asked.at(-1)!.at).toBeLessThan(30_000);
    await site.close();
  });

  test("--max-wait is the most that is waited in a row while nothing answers", async () => {
    using folder = tempFolder();
    const site = await serveSite(() => ({ status: 500 }), { address: "127.0.4.10" });
    const args = [
      "crawl",
      `${site.origin}/`,
      "--json",
      "--db",
      folder.file("a.db"),
      "--no-robots",
      "--i-own-this-site",
      "--max-wait",
      "8s",
    ];
    const { stdout } = await nuthatch(args);
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "deferred" });
    expect(site.log.at(-1)!.at - site.log[0]!.at).toBeLessThan(9000);
    await site.close();
  });

  test("what robots.txt closes is never asked for, also through redirects and sitemaps", async () => {
    using folder = tempFolder();
    const robots = "User-agent: *\nDisallow: /closed\nAllow: /closed/open\nSitemap: /map.xml\n";
    const map = (origin: string) =>
      `<urlset><url><loc>${origin}/closed/by-sitemap</loc></url><url><loc>${origin}/listed</loc></url></urlset>`;
    const site = await serveSite(
      (request) =>
        ({
          "/robots.txt": { body: robots, headers: { "content-type": "text/plain" } },
          "/": '<a href="/closed/1">1</a><a href="/closed/open">2</a><a href="/hop">3</a><a href="/%63losed/2">4</a>',
          "/hop": { status: 302, headers: { location: "/closed/by-redirect" } },
          "/closed/open": "<p>open after all</p>",
          "/listed": "<p>only in the sitemap</p>",
          "/map.xml": { body: map(`http://${request.host}`), headers: { "content-type": "application/xml" } },
        })[request.path],
      { address: "127.0.4.8" },
    );
    expect((await nuthatch(["crawl", `${site.origin}/`, "-q", "--db", folder.file("a.db"), "--rate-limit", "none"])).code).toBe(0);
    expect(site.log[0]!.path).toBe("/robots.txt");
    expect(site.log.map(({ path }) => path).sort()).toEqual(["/", "/closed/open", "/hop", "/listed", "/map.xml", "/robots.txt"]);
    await site.close();
  });
});
