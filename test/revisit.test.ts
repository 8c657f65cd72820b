import { expect, test } from "vitest";
import { crawl } from "../src/index.ts";
import { type FakePage, fakeSite } from "../src/testing/index.ts";
import { tempFolder } from "./cli.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A town's site: news change about daily, minutes once a week, the archive never; its sitemap says that everything changed just now. */
function town() {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  const pages: Record<string, FakePage> = {};
  const site = fakeSite(pages);
  const days = () => site.clock.now() / DAY;
  const edition = (every: number, shift: number) => Math.floor(days() / every + shift / 8);
  const link = (path: string) => `<a href="${path}">${path.slice(1)}</a>`;
  const paths = ["news", "minutes", "archive"].flatMap((folder) => numbers.map((number) => `/${folder}/item-${number}`));
  pages["/"] = `<title>Town</title>${paths.map(link).join(" ")}`;
  for (const number of numbers) {
    pages[`/news/item-${number}`] = () => `<title>News ${number}</title><p>Edition ${edition(1, number)} of the paper, as printed.</p>`;
    pages[`/minutes/item-${number}`] = () => `<title>Minutes ${number}</title><p>Meeting ${edition(7, number)} of the board.</p>`;
    pages[`/archive/item-${number}`] = `<title>Archive ${number}</title><p>What was written in year ${1800 + number}.</p>`;
  }
  pages["/robots.txt"] = "User-agent: *\nAllow: /\nSitemap: https://site.test/sitemap.xml\n";
  pages["/sitemap.xml"] = () => {
    const now = new Date(site.clock.wall()).toISOString();
    return `<urlset>${paths.map((path) => `<url><loc>https://site.test${path}</loc><lastmod>${now}</lastmod></url>`).join("")}</urlset>`;
  };
  return { site, pages, paths };
}

test("over weeks, what changes often is visited often, nothing starves, and a lying sitemap is not believed", async () => {
  using folder = tempFolder();
  const { site } = town();
  const options = { ...site.options, db: folder.file("town.db"), rateLimit: "none", readers: 1 } as const;
  await crawl(site.url, options).result;
  const first = site.requests.length;
  let hinted = 0;
  for (let run = 0; run < 60; run++) {
    site.clock.pass(12 * HOUR);
    const { due, stats, isComplete } = await crawl(site.url, { ...options, due: true, new: true }).result;
    console.log(run, JSON.stringify(due), stats.pages, JSON.stringify(stats.changes));
    hinted += due!.hinted;
    expect(isComplete).toBe(false);
    expect(stats.changes).toMatchObject({ gone: 0, unlinked: 0, unknown: 0 });
  }
  const visits = (folderName: string) => site.requests.slice(first).filter(({ path }) => path.startsWith(`/${folderName}/`)).length;
  console.log(visits("news"), visits("minutes"), visits("archive"), hinted);
});
