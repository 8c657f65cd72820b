/** Whole sites in real browsers: what is found, how often a browser is asked, and by which engine. */
import { describe, expect, test } from "vitest";
import { findBrowsers } from "../../dist/src/engine/browser/index.js";
import { tempFolder } from "../cli.ts";
import { serveSite } from "../site/index.ts";
import { look } from "./look.ts";
import { mixedSite } from "./mixed-site.ts";
import { agents, type PickyEngine, pickyPaths, pickySite } from "./picky-site.ts";
import { scriptedSite } from "./scripted-site.ts";

const every = ["chromium", "firefox", "webkit"] as const;
const here = (await findBrowsers(every, []).catch(() => [])).map(({ engine }) => engine);
const saidOf = (engine: PickyEngine) => (here.includes(engine) ? "" : ` (skipped: there is no ${engine} here)`);

describe("a script-rendered site", () => {
  const { pages, all, plain } = scriptedSite();
  test.each([
    ["never", [...plain].sort()],
    ["auto", all],
    ["always", all],
  ] as const)("%s", async (render, expected) => {
    const site = await serveSite(pages, { address: "127.0.68.11" });
    const { paths } = await look(`${site.origin}/`, { render });
    await site.close();
    expect(paths).toEqual(expected);
  });
});

test("a mixed site of 500, a tenth in three templates that need scripts: auto finds all and shows a browser no more than a fifth", async () => {
  using folder = tempFolder();
  const { pages, all, scripted } = mixedSite(500);
  const site = await serveSite(pages, { address: "127.0.68.12" });
  const shown: number[] = [];
  for (const run of [1, 2]) {
    const { paths, rendered, stats } = await look(`${site.origin}/`, { render: "auto", db: folder.file("mixed.db") });
    expect([run, paths, rendered.sort()]).toEqual([run, all, [...scripted].sort()]);
    if (run === 2) expect(stats.changes).toMatchObject({ same: 500, changed: 0, unknown: 0 });
    shown.push(stats.rendering!.shown);
  }
  await site.close();
  console.log(`of 500 pages ${shown.join(" and ")} were shown to a browser`);
  expect(Math.max(...shown)).toBeLessThanOrEqual(100);
});

describe("an engine-picky site", () => {
  for (const engine of every) {
    test.skipIf(!here.includes(engine)).each(["name", "feature"] as const)(
      `finds ${engine} by its %s, and keeps it${saidOf(engine)}`,
      async (by) => {
        using folder = tempFolder();
        const site = await serveSite(pickySite(engine, by), { address: "127.0.68.13" });
        const others = here.filter((other) => other !== engine);
        const options = { render: "always" as const, engines: [...others, engine], db: folder.file("picky.db"), perHost: 1 };
        const first = await look(`${site.origin}/`, options);
        const before = site.log.length;
        const second = await look(`${site.origin}/`, options);
        await site.close();
        expect([first.paths, second.paths]).toEqual([[...pickyPaths].sort(), [...pickyPaths].sort()]);
        expect([first.stats.rendering!.pages, second.stats.rendering!.pages]).toEqual([{ [engine]: 4 }, { [engine]: 4 }]);
        const isBy = (one: PickyEngine) => site.log.slice(before).some(({ headers }) => agents[one].test(headers["user-agent"] ?? ""));
        expect(first.stats.rendering!.shown, "each of the others was tried").toBeGreaterThanOrEqual(here.length + 3);
        expect(others.filter(isBy), "and none of them in the second run").toEqual([]);
      },
    );
  }

  test.skipIf(here.length < 2)("one that stops working is left for another", async () => {
    using folder = tempFolder();
    const [first, second] = here as [PickyEngine, PickyEngine];
    let wanted = first;
    const site = await serveSite((request) => pickySite(wanted, "name")(request), { address: "127.0.68.14" });
    const options = { render: "always" as const, engines: [first, second], db: folder.file("picky.db"), perHost: 1 };
    await look(`${site.origin}/`, options);
    wanted = second;
    const later = await look(`${site.origin}/`, options);
    await site.close();
    expect(later.stats.rendering!.pages[second]).toBeGreaterThanOrEqual(2);
  });
});
