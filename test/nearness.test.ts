import { crawl } from "nuthatch";
import { fakeSite } from "nuthatch/testing";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "./postgres.ts";

const server = await startPostgres();
afterAll(() => server.stop());

const links = (...paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");

test("what a worker found out, and did not live to say, is said by whoever ends the run", async () => {
  const db = server.database();
  const site = fakeSite({
    "/": links("/a", "/x", "/y"),
    "/a": links("/b"),
    "/b": links("/c"),
    "/c": links("/d"),
    "/d": "<p>as deep as it goes</p>",
    "/x": "<p>x</p>",
    "/y": links("/z"),
    "/z": "<p>z</p>",
  });
  const options = { ...site.options, db, rateLimit: "none", order: "depth", maxDepth: 2, maxConcurrent: 1 } as const;
  const first = crawl(site.url, options);
  for await (const { url } of first) if (url.endsWith("/b")) first.stop();
  expect(await first.result).toMatchObject({ stopReason: "stopped" });
  const { runId } = await first.result;
  const depths = () =>
    Object.fromEntries(
      server
        .ask(
          `SELECT replace(d.url, 'https://site.test', '') AS path, d.depth, p.depth AS page FROM decision d LEFT JOIN page p ON p.id = d.page_id WHERE d.run_id = ${runId}`,
          db,
        )
        .map(({ path, depth, page }) => [path, [depth, page]]),
    );
  expect(depths()).toMatchObject({ "/b": [2, 2], "/c": [3, null] });

  // Somebody met a link to it on the first page.
  server.ask(`INSERT INTO nearness SELECT run_id, id, 1 FROM decision WHERE run_id = ${runId} AND url LIKE '%/b'`, db);
  expect(await crawl(site.url, options).result).toMatchObject({ runId, stopReason: "finished" });
  expect(depths()).toMatchObject({ "/b": [1, 1], "/c": [2, 2], "/d": [3, null], "/z": [2, 2] });
  expect(server.ask("SELECT * FROM nearness", db)).toEqual([]);
});
