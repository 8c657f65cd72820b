import { type Change, changeFeed } from "nuthatch";
import { type FakePage, fakeSite } from "nuthatch/testing";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { crawl } from "./near-library.ts";
import { noisySite } from "./noisy-site.ts";
import { serveSite } from "./site/index.ts";

const fast = { rateLimit: "none", perHost: 8, maxConcurrent: 8 } as const;

async function look(seed: string, db: string, options = {}) {
  const changes = new Map<string, Change>();
  await using run = crawl(seed, { ...fast, db, ...options });
  for await (const { url, change } of run) changes.set(new URL(url).pathname, change);
  const result = await run.result;
  const those = (status: Change) => [...changes].flatMap(([path, change]) => (change === status ? [path] : [])).sort();
  return { result, those };
}

describe("runs over a site with noise on every page", () => {
  test.each([1, 2])("six of them: nothing but what was edited is called changed, and all of it (dice %i)", async (seed) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const noisy = noisySite({ seed, isPerRun: false });
    const site = await serveSite(noisy.pages, { address: `127.0.65.${seed}` });
    await look(`${site.origin}/`, db);
    for (let run = 2; run <= 6; run += 1) {
      const edited = noisy.edit(run);
      const { result, those } = await look(`${site.origin}/`, db);
      expect({ run, changed: those("changed"), added: those("new") }).toEqual({ run, changed: edited.changed, added: edited.added });
      expect(result.stats.changes.gone).toBe(edited.removed.length);
      const feed = await changeFeed(db);
      expect(feed.counts).toMatchObject({ changed: edited.changed.length, new: edited.added.length, gone: edited.removed.length });
      expect(result.stats.looksAgain, "second looks are few, and none where all is known").toBeLessThan(run === 2 ? 60 : 25);
    }
    const cut = await look(`${site.origin}/`, db, { maxPages: 10 });
    expect(cut.result.stats.changes).toMatchObject({ changed: 0, gone: 0, unknown: 79 });
    await site.close();
  });
});

test("pages of a kind that each say something new every day, or ask another price, have changed every day", async () => {
  using folder = tempFolder();
  const words = "council budget bridge school river market library water winter summer garden road mill harvest stone".split(" ");
  const names = ["item-1", "item-2", "item-3", "item-4"];
  const pages: Record<string, FakePage> = {
    "/": names.map((name) => `<a href="/news/${name}">${name}</a> <a href="/shop/${name}">${name}</a>`).join(" "),
  };
  const site = fakeSite(pages);
  const drawn = (number: number) => [0, 1, 2, 3].map((place) => words[Math.floor(number / words.length ** place) % words.length]).join(" ");
  const frame = (text: string) => `<h1>Sedge town</h1><p>What is new here</p>${text}<h2>Contact</h2><p>Open from nine to five.</p>`;
  for (let day = 1; day <= 5; day += 1) {
    for (const [place, name] of names.entries()) {
      pages[`/news/${name}`] = frame(`<p>The ${drawn(7919 * day + 104_729 * place)} was opened by the mayor.</p>`);
      pages[`/shop/${name}`] = frame(`<table><tr><th>Price</th><td>${10 + 7 * day + 31 * place} EUR</td></tr></table>`);
    }
    const run = crawl(site.url, { ...site.options, rateLimit: "none", db: folder.file("town.db") });
    expect([day, (await run.result).stats.changes]).toMatchObject([day, day === 1 ? { new: 9 } : { changed: 8, same: 1 }]);
    site.clock.pass(86_400_000);
  }
});

test("pages of a folder with short names learn from each other; an edit among them is told", async () => {
  using folder = tempFolder();
  const names = ["anna", "boris", "clara", "dora", "emil", "fritz"];
  const pages: Record<string, FakePage> = { "/": names.map((name) => `<a href="/staff/${name}">${name}</a>`).join(" ") };
  const site = fakeSite(pages);
  for (let week = 1; week <= 4; week += 1) {
    for (const [at, name] of names.entries()) {
      const room = week === 4 && name === "dora" ? 12 : 7;
      pages[`/staff/${name}`] =
        `<h1>${name}</h1><p>The desk of ${name}</p><dl><dt>Room</dt><dd>${room}</dd><dt>Credits</dt><dd>${100 * at + 17 * week}</dd></dl>`;
    }
    const run = crawl(site.url, { ...site.options, rateLimit: "none", db: folder.file("staff.db") });
    const expected = [{ new: 7 }, { changed: 6, same: 1 }, { changed: 6, same: 1 }, { changed: 1, same: 6 }][week - 1];
    expect([week, (await run.result).stats.changes]).toMatchObject([week, expected]);
    site.clock.pass(7 * 86_400_000);
  }
});
