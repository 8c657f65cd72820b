import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlOf, lackOf, nameOf, type Shower, showPages } from "./show-pages.ts";

/** Descendants of ours whose command line fits. */
function processes(fits: RegExp, pid = process.pid): number[] {
  let threads: string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended
  }
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
  );
  const own = pid !== process.pid && fits.test(readFileSync(`/proc/${pid}/cmdline`, "latin1")) ? [pid] : [];
  return [...own, ...children.flatMap((child) => processes(fits, child))];
}
const renderers = () => processes(/--type=renderer/);
const browsers = () => processes(/^(?!.*--type=).*chrom.*--remote-debugging/s);

const lack = process.platform === "linux" ? await lackOf("chromium") : " (skipped: processes are found as on Linux)";

describe.skipIf(lack !== "")(`what dies is replaced${lack}`, () => {
  let shower: Shower;
  let asked = 0;
  let onSlow: () => void = () => undefined;
  beforeAll(async () => {
    shower = await showPages("chromium", "127.0.67.6", ({ url }, answer) => {
      answer.setHeader("content-type", "text/html");
      if (url === "/page") return void answer.end(`<p>page<script src="/slow.js"></script>`);
      asked += 1;
      // The first one is never answered: it is then that something dies.
      if (asked === 1) return onSlow();
      answer.setHeader("content-type", "text/javascript").end("document.body.insertAdjacentHTML('beforeend', '<a href=/added>added</a>')");
    });
  });
  afterAll(() => shower.close());

  const body = {
    kind: "body" as const,
    ...{ status: 200, contentType: "text/html", etag: undefined, lastModified: undefined, robotsTags: [], wireBytes: 0 },
    ...{ bytes: new TextEncoder().encode(`<p>page<script src="/slow.js"></script>`), timing: { startedAt: 0, duration: 0 } },
  };
  const killing = (find: () => number[], signal: NodeJS.Signals) => {
    asked = 0;
    onSlow = () => find().forEach((pid) => void process.kill(pid, signal));
  };

  test("a page whose tab dies is shown again, if its document is at hand", async () => {
    killing(renderers, "SIGKILL");
    const rendered = await shower.show("/page", { document: body });
    expect([nameOf(rendered), htmlOf(rendered).includes("/added"), asked]).toEqual(["body", true, 2]);
  });

  test("and so is one whose browser dies", async () => {
    killing(browsers, "SIGKILL");
    const rendered = await shower.show("/page", { document: body });
    expect([nameOf(rendered), htmlOf(rendered).includes("/added"), asked]).toEqual(["body", true, 2]);
  });

  test("one that was asked for in its turn is not asked for again, but may be later", async () => {
    killing(renderers, "SIGKILL");
    const { fetched } = await shower.show("/page");
    expect(fetched).toMatchObject({ kind: "failed", reason: "render.crash", mayHeal: true });
  });

  test("a browser that does not answer any more is given up", async () => {
    killing(browsers, "SIGSTOP");
    const hung = await shower.show("/page", { document: body });
    expect(nameOf(hung)).toMatch(/^failed render\./);
    const rendered = await shower.show("/page", { document: body });
    expect([nameOf(rendered), htmlOf(rendered).includes("/added")]).toEqual(["body", true]);
  });
});
