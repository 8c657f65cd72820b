/** A data file that is copied while a server works with it: the copy is a file like any other, and nothing of the original is done a second time. */
import { copyFileSync, existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "./api-server.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { type HeldSite, holdSite } from "./held-site.ts";

const folder = tempFolder();
const [original, copy] = [folder.file("original.db"), folder.file("copy.db")];
const servers: RunningServer[] = [];
let site: HeldSite;

const serve = async (db: string): Promise<RunningServer> => {
  const server = await startServer(["--port", "0", "--db", db, "--allow-private", "127.0.0.0/8"]);
  servers.push(server);
  return server;
};

beforeAll(async () => {
  site = await holdSite({ "/": '<a href="/next">next</a>', "/next": "<p>the next</p>" });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill("SIGKILL")));
  site.close();
  folder[Symbol.dispose]();
});

test("the copy of a live file can be served and crawled into, and the run at work in the original is left to it", async () => {
  const first = await serve(original);
  const started = await first.ask("POST", "/crawls", { url: site.home });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const runId = Number(started.body.id);
  await site.untilAsked(1);
  for (const end of ["", "-wal"]) if (existsSync(original + end)) copyFileSync(original + end, copy + end);

  // The original is still one server's, and its run is still at work.
  const again = await nuthatch(["serve", "--port", "0", "--db", original]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("a server works with") });
  expect((await nuthatch(["runs", "--db", original, "--json"])).stdout).toContain('"running"');

  const second = await serve(copy);
  await expect.poll(second.said, { timeout: 10_000 }).toContain(`run ${runId} is not taken up`);
  const statusAt = async (server: RunningServer) => (await server.ask("GET", `/crawls/${runId}`)).body.status;
  expect(await statusAt(second)).toBe("died");
  expect(await statusAt(first)).toBe("running");
  await second.kill("SIGTERM");
  servers.pop();

  site.answer();
  await expect.poll(() => statusAt(first), { timeout: 20_000 }).toBe("finished");
  const resumed = nuthatch(["resume", String(runId), "--db", copy, "--json", "-q"]);
  await site.untilAsked(1);
  site.answer();
  expect(JSON.parse((await resumed).stdout)).toMatchObject({ stopReason: "finished", stats: { pages: 2 } });
});
