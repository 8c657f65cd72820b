import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostilePages } from "./hostile-pages.ts";
import { lackOf, nameOf, type Shower, showPages } from "./show-pages.ts";

/** No page takes longer: its lifetime, twice where its tab died, and the start of a browser. */
const LIMIT = 75_000;

const lack = await lackOf("chromium");
describe.skipIf(lack !== "")(`pages that mean no good${lack}`, () => {
  let shower: Shower;
  beforeAll(async () => {
    shower = await showPages("chromium", "127.0.67.3", (asked, answer) => {
      if (asked.url === "/stream") {
        const more = () => {
          while (!answer.destroyed && answer.write("x".repeat(100_000)));
        };
        answer.on("drain", more);
        return more();
      }
      const page = hostilePages[Number(/^\/page(\d+)/.exec(asked.url ?? "")?.[1] ?? -1)];
      if (page?.serve) return page.serve(asked, answer);
      answer.writeHead(page ? 200 : 404, { "content-type": "text/html" }).end(page?.html ?? "nothing");
    });
  });
  afterAll(() => shower.close());

  test.each(hostilePages.map((page, at) => [page.name, page.becomes, at] as const))("%s", { timeout: LIMIT }, async (_, becomes, at) => {
    const began = Date.now();
    const rendered = await shower.show(`/page${at}`);
    expect(becomes).toContain(nameOf(rendered));
    expect(rendered.requests).toBeLessThanOrEqual(200);
    expect(Date.now() - began).toBeLessThan(LIMIT);
  });

  test("and after all of them a page is shown as ever", async () => {
    const at = hostilePages.findIndex(({ name }) => name === "a service worker");
    expect(nameOf(await shower.show(`/page${at}`))).toBe("body");
    expect(shower.log.filter((line) => line.startsWith("POST") || /window|worker/.test(line))).toEqual([]);
  });
});
