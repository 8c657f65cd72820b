/** The same with a real Chromium, in short: the long forms, and the other engines, are in `npm run test:render`. */
import { expect, test } from "vitest";
import { findBrowsers } from "../dist/src/engine/browser/index.js";
import { nuthatch } from "./cli.ts";
import { look } from "./render/look.ts";
import { mixedSite } from "./render/mixed-site.ts";
import { scriptedSite } from "./render/scripted-site.ts";
import { serveSite } from "./site/index.ts";

const [chromium] = await findBrowsers(["chromium"], []).catch(() => []);
const real = test.skipIf(chromium === undefined);

real(
  `a script-rendered site: never finds a known few pages, auto all of them${chromium ? "" : " (skipped: there is no Chromium here)"}`,
  async () => {
    const { pages, all, plain } = scriptedSite({ scrolled: 10 });
    const site = await serveSite(pages, { address: "127.0.68.1" });
    expect((await look(`${site.origin}/`, { render: "never" })).paths).toEqual([...plain].sort());
    const { paths, rendered } = await look(`${site.origin}/`, { render: "auto", engines: ["chromium"] });
    await site.close();
    expect(paths).toEqual(all);
    expect(rendered).not.toContain("/leaf/shadow");
  },
);

real("a mixed site: of ninety pages no more than a fifth are shown to a browser, and none is missed", async () => {
  const { pages, all, scripted } = mixedSite(90);
  const site = await serveSite(pages, { address: "127.0.68.2" });
  const { paths, rendered, stats } = await look(`${site.origin}/`, { render: "auto", engines: ["chromium"] });
  expect(paths).toEqual(all);
  expect(rendered.sort()).toEqual([...scripted].sort());
  expect(stats.rendering!.shown).toBeLessThanOrEqual(18);
  const { code, stdout } = await nuthatch(["fetch", `${site.origin}/shop/0`, "--render", "auto", "-f", "links"], {});
  await site.close();
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${site.origin}/leaf/0`)]);
});
