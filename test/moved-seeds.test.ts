import { crawl } from "nuthatch";
import { type FakePage, fakeSite } from "nuthatch/testing";
import { expect, test } from "vitest";
import { openApp } from "../dist/src/engine/app.js";
import { explain } from "../dist/src/features/explain/explain.js";
import { nuthatch, tempFolder } from "./cli.ts";
import { serveSite } from "./site/index.ts";

const towns = ["elm", "oak", "ash"].map((name) => `${name}-town.org`);

/** Each seed says where it lives; only there are pages. */
function moved(): Record<string, FakePage> {
  const page = (name: string) => [name, `<title>${name}</title><p>${name}</p>`] as const;
  return Object.fromEntries(
    towns.flatMap((town): (readonly [string, FakePage])[] => [
      [`https://${town}/`, { status: 301, headers: { location: `https://www.${town}/` } }],
      [`https://www.${town}/`, `<a href="/a">a</a> <a href="https://shop.${town}/">shop</a>`],
      [`https://www.${town}/a`, `<a href="/b">b</a>`],
      page(`https://www.${town}/b`),
      page(`https://shop.${town}/`),
    ]),
  );
}

test("a seed that moved within its domain takes its scope with it, also when the crawl is taken up again", async () => {
  using folder = tempFolder();
  const db = folder.file("towns.db");
  const site = fakeSite(moved(), `https://${towns[0]}/`);
  const seeds = towns.map((town) => `https://${town}/`);
  const options = { ...site.options, db, rateLimit: "none" } as const;
  const asked = () => site.requests.map(({ url }) => url).filter((url) => !url.endsWith("robots.txt"));

  const first = crawl(seeds, { ...options, perHost: 1, maxConcurrent: 1 });
  for await (const { url } of first) if (url.endsWith("/a")) first.stop();
  expect(await first.result).toMatchObject({ stopReason: "stopped" });
  expect(asked()).not.toContain(`https://www.${towns[2]}/b`);

  const { stopReason } = await crawl(seeds, options).result;
  expect(stopReason).toBe("finished");
  const at = (path: string) => towns.map((town) => `https://www.${town}${path}`);
  expect(asked().sort()).toEqual([...seeds, ...at("/"), ...at("/a"), ...at("/b")].sort());

  const app = await openApp({ db });
  expect(await explain(app, { url: `https://www.${towns[1]}/never` })).toMatchObject({
    sentence: expect.stringContaining("would be in scope"),
  });
  expect(await explain(app, { url: `https://shop.${towns[1]}/never` })).toMatchObject({
    sentence: expect.stringContaining("would be skipped"),
  });
  await app.close();
});

test.each([
  ["at once", 0, "full"],
  ["after its new home's sitemap was read", 3000, "full"],
  ["after that, and nobody writes down what is skipped", 3000, "off"],
] as const)("a seed that moves %s brings in all that its sitemap names", async (_, delay, decisions) => {
  const page = (name: string) => `<title>${name}</title><p>${name}</p>`;
  const home = "https://www.elm-town.org";
  const urls = ["/", "/a", "/b"].map((path) => `<url><loc>${home}${path}</loc></url>`).join("");
  const sitemap = { headers: { "content-type": "application/xml" }, body: `<urlset>${urls}</urlset>` };
  const pages: Record<string, FakePage> = {
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: `Sitemap: ${home}/sitemap.xml` },
    "/": { status: 301, headers: { location: `${home}/` }, delay },
    [`${home}/sitemap.xml`]: sitemap,
    [`${home}/`]: `<title>home</title><a href="/a">a</a>`,
    [`${home}/a`]: page("a"),
    [`${home}/b`]: page("b"),
  };
  const site = fakeSite(pages, "https://elm-town.org/");
  const { stats } = await crawl(site.url, { ...site.options, decisions }).result;
  expect([stats.pages, stats.skipped["scope.host"] ?? 0]).toEqual([3, 0]);
});

test("a seed that moves within its host is at home there, whatever the host is called", async () => {
  const pages = {
    "/docs/": { status: 302, headers: { location: "/en/docs/" } },
    "/en/docs/": '<a href="a">a</a>',
    "/en/docs/a": "<p>a</p>",
  };
  const site = fakeSite(pages, "http://localhost/docs/");
  expect((await crawl(site.url, { ...site.options, scope: "prefix" }).result).stats.pages).toBe(2);
});

test("a seed that moves to another port of its host is followed; a private one must be opened, and the error names it", async () => {
  using folder = tempFolder();
  const address = "127.0.41.1";
  const secure = await serveSite({ "/": '<a href="/a">a</a>', "/a": "<p>a</p>" }, { address });
  const plain = await serveSite({ "/": { status: 301, headers: { Location: `${secure.origin}/` } } }, { address });
  const crawlWith = (...flags: string[]) =>
    nuthatch(["crawl", plain.origin, "--new", "--db", folder.file("site.db"), "--rate-limit", "none", "--json", ...flags]);
  const closed = await crawlWith();
  expect(closed.code).toBe(3);
  expect(closed.stderr).toContain(`no page could be fetched from ${plain.origin}/, which redirects to ${secure.origin}/: `);
  expect(closed.stderr).toContain(`--allow-private ${secure.host}`);
  const open = await crawlWith("--allow-private", secure.host);
  expect(open.code, open.stderr).toBe(0);
  expect(JSON.parse(open.stdout)).toMatchObject({
    stats: { pages: 2 },
    seeds: [{ url: `${plain.origin}/`, finalUrl: `${secure.origin}/` }],
  });
  await plain.close();
  await secure.close();
});
