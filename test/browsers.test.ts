import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { findBrowsers } from "../dist/src/engine/browser/index.js";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { openMine } from "./render/canary-mine.ts";
import { descendants, stillThere } from "./render/processes.ts";
import { serveSite } from "./site/index.ts";

const [chromium] = await findBrowsers(["chromium"], []).catch(() => []);
const isLinux = process.platform === "linux";
const why = chromium === undefined ? " (skipped: there is no Chromium here)" : "";

test.skipIf(!chromium || !isLinux)(`after SIGKILL of the crawler no browser process lives for five seconds${why}`, async () => {
  using folder = tempFolder();
  const pages = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`/${n || ""}`, `<p>Page ${n} <a href="/${n + 1}">next</a>`]));
  const site = await serveSite(pages, { address: "127.0.66.31" });
  const flags = ["--render", "always", "--engines", "chromium", "--rate-limit", "5/s", "-q"];
  const run = start(["crawl", `${site.origin}/`, ...flags], { cwd: folder.path });
  await expect.poll(() => site.log.length, { timeout: 40_000 }).toBeGreaterThan(3);
  const alive = descendants(run.pid);
  expect(alive.length).toBeGreaterThan(4);
  run.kill("SIGKILL");
  await run.ended;
  await expect.poll(() => stillThere(alive), { timeout: 5_000 }).toEqual([]);
  await site.close();
});

test.skipIf(!chromium)(`a page that tries private addresses by nine ways at once reaches nobody${why}`, async () => {
  const mine = await openMine("chromium");
  const { requests } = await mine.show("all");
  await mine.close();
  // Not for want of trying.
  expect(requests).toBeGreaterThan(50);
  expect(mine.songs).toEqual([]);
});

test("a browser that is not there is said before anything is asked or written", async () => {
  using folder = tempFolder();
  const site = await serveSite({ "/": "<p>x" }, { address: "127.0.66.32" });
  const { code, stderr } = await nuthatch(
    ["crawl", `${site.origin}/`, "--render", "always", "--engines", "firefox", "--browser", "firefox=/no/such/firefox"],
    { cwd: folder.path },
  );
  await site.close();
  expect([code, site.log, readdirSync(folder.path)]).toEqual([2, [], []]);
  expect(stderr).toContain("there is no program /no/such/firefox");
});
