import { describe, expect, test } from "vitest";
import { start, tempFolder } from "../cli.ts";
import { type PageSpec, serveSite } from "../site/index.ts";
import { isSound, pathsOf, reasonsFor, recount } from "./ledger.ts";

const env = { NODE_OPTIONS: `--max-old-space-size=256 --import=${new URL("./break-reader.mjs", import.meta.url).href}` };

/** Pages that break their reader, among others that do not. */
function siteWith(...broken: readonly string[]): { pages: Record<string, PageSpec>; good: string[] } {
  const good = Array.from({ length: 40 }, (_, index) => `/good/${index}`);
  const all = good.flatMap((path, index) => [path, ...broken.slice(index, index + 1)]);
  const page = (name: string) => `<title>${name}</title><p>This is ${name} and no other page.</p>`;
  const pages = Object.fromEntries(all.map((path) => [path, page(path)]));
  return { pages: { "/": page("/") + all.map((path) => `<a href="${path}">${path}</a>`).join(""), ...pages }, good: ["/", ...good] };
}

describe.concurrent("a thread that fails while it reads a page is replaced, the page is named, the crawl goes on", () => {
  test.each([
    ["it exits", "127.0.35.1", 1, ["/exits/1", "/exits/2", "/exits/3"], /^the reader stopped$/],
    ["it throws where nobody catches", "127.0.35.2", 2, ["/throws/1", "/throws/2"], /^the reader crashed: .*nothing/],
    ["it runs out of memory", "127.0.35.3", 1, ["/swells"], /^reading took more memory/],
    ["it hangs", "127.0.35.4", 1, ["/hangs"], /^reading took longer than 30 s$/],
    ["one hangs, the other reads on", "127.0.35.5", 2, ["/hangs", "/exits"], /longer than|stopped/],
  ] as const)("%s", async (_, address, readers, broken, why) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const { pages, good } = siteWith(...broken);
    const site = await serveSite(pages, { address });
    const pace = ["--rate-limit", "none", "--per-host", "4", "--max-concurrent", "4", "--readers", String(readers)];
    const run = start(["crawl", `${site.origin}/`, "--db", db, "-q", "--json", ...pace], { env });
    // Thirty seconds with the others it was given together with, and thirty alone.
    const startedAt = performance.now();
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(100_000);
    isSound(db);
    expect(pathsOf(db)).toEqual(good.toSorted());
    const failed = reasonsFor(db, "failed");
    expect(failed.map(({ url }) => new URL(String(url)).pathname)).toEqual([...broken].sort());
    for (const { reason, rule } of failed) {
      expect(reason).toBe("parse");
      expect(rule).toMatch(why);
    }
    expect(JSON.parse(ended.stdout).stats).toMatchObject({ ...recount(db), failed: broken.length, bytes: expect.any(Number) });
    expect(
      site.log.map(({ path }) => path),
      "no page is asked for twice",
    ).toHaveLength(good.length + broken.length + 1);
    await site.close();
  });

  test("a thread that dies when nobody waits for it costs nothing", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const { pages } = siteWith("/faints/1", "/faints/2", "/faints/3");
    const site = await serveSite(pages, { address: "127.0.35.6" });
    const args = ["crawl", `${site.origin}/`, "--db", db, "-q", "--rate-limit", "20/s", "--readers", "1"];
    const ended = await start(args, { env }).ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(pathsOf(db)).toEqual(Object.keys(pages).sort());
    await site.close();
  });
});
