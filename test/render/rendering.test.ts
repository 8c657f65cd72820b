import { describe, expect, test } from "vitest";
import { tempFolder } from "../cli.ts";
import { serveSite } from "../site/index.ts";
import { look } from "./look.ts";
import { mixedSite } from "./mixed-site.ts";
import { pickyPaths, pickySite } from "./picky-site.ts";
import { scriptedSite } from "./scripted-site.ts";

describe("try", () => {
  test.each(["never", "auto", "always"] as const)("a script-rendered site, %s", async (render) => {
    const { pages, all, plain } = scriptedSite();
    const site = await serveSite(pages, { address: "127.0.68.1" });
    const t = Date.now();
    const { paths, rendered, stats, stopReason } = await look(`${site.origin}/`, { render });
    console.log(
      render,
      Date.now() - t,
      paths.length,
      "missing",
      all.filter((p) => !paths.includes(p)).join(" "),
      "rendered",
      rendered.length,
      rendered.join(" "),
      JSON.stringify(stats),
      stopReason,
      site.log.length,
    );
    await site.close();
  });
  test.each([60, 500])(
    "mixed of %i",
    async (size) => {
      const { pages, all, scripted } = mixedSite(size);
      const site = await serveSite(pages, { address: "127.0.68.2" });
      using folder = tempFolder();
      for (const run of [1, 2]) {
        const t = Date.now();
        const { paths, rendered, stats, stopReason } = await look(`${site.origin}/`, { render: "auto", db: folder.file("mixed.db") });
        console.log(
          run,
          size,
          Date.now() - t,
          paths.length,
          "missing",
          all.filter((p) => !paths.includes(p)).join(" "),
          "rendered",
          rendered.length,
          "of",
          scripted.length,
          rendered.filter((p) => !scripted.includes(p)).join(" "),
          JSON.stringify(stats),
          stopReason,
          site.log.length,
        );
      }
      await site.close();
    },
    300_000,
  );
  test.each([
    ["chromium", "name"],
    ["firefox", "name"],
    ["chromium", "feature"],
    ["firefox", "feature"],
  ] as const)("picky %s by %s", async (engine, by) => {
    const site = await serveSite(pickySite(engine, by), { address: "127.0.68.3" });
    using folder = tempFolder();
    for (const run of [1, 2]) {
      const t = Date.now();
      const before = site.log.length;
      const { paths, rendered, stats, stopReason } = await look(`${site.origin}/`, { render: "always", db: folder.file("picky.db") });
      console.log(
        run,
        engine,
        by,
        Date.now() - t,
        paths.join(" "),
        rendered.join(" "),
        JSON.stringify(stats),
        stopReason,
        site.log
          .slice(before)
          .map((l) => `${l.path} ${l.headers["user-agent"]?.slice(-30)}`)
          .join(" | "),
      );
    }
    await site.close();
  });
});
