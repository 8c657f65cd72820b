/** A machine that lets us open few files: that is told as ours, and nothing of it is held against a host. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { nuthatchBin, tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

async function crawlWith(files: number, urls: readonly string[], db: string) {
  const args = ["crawl", ...urls, "--db", db, "-q", "--rate-limit", "20/s", "--max-concurrent", "60"];
  const child = spawn("sh", ["-c", `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, nuthatchBin, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr, code] = await Promise.all([text(child.stderr), new Promise((resolve) => child.once("exit", resolve))]);
  return { stderr, code };
}

test.skipIf(process.platform === "win32")("few files end a run with a name and what to do, and no host is blamed", async () => {
  using folder = tempFolder();
  const sites: RunningSite[] = [];
  for (let at = 1; at <= 40; at++)
    sites.push(await serveSite({ "/": { body: "<title>x</title>", delay: 500 } }, { address: `127.0.87.${at}` }));
  const urls = sites.map(({ origin }) => origin);
  const db = folder.file("few.db");
  const few = await crawlWith(64, urls, db);
  expect(few.code).toBe(1);
  expect(few.stderr).toMatch(
    /may open no more files and connections: .*EMFILE.*\n.*ulimit -n 4096.*\n(?:.*\n)*.*carry on: nuthatch resume 1/,
  );
  const stored = new DatabaseSync(db, { readOnly: true });
  expect(stored.prepare("SELECT url, reason FROM decision WHERE verdict IN ('failed', 'deferred')").all()).toEqual([]);
  expect(stored.prepare("SELECT count(*) AS count FROM host WHERE failures > 0").get()).toEqual({ count: 0 });
  stored.close();
  const fewer = await crawlWith(30, urls, folder.file("fewer.db"));
  expect(fewer.code).not.toBe(0);
  expect(fewer.stderr).toMatch(/^nuthatch: .*\n(?:.*\n)*.*ulimit -n 4096/);
  expect(fewer.stderr).not.toMatch(/^ {4}at /m);
  for (const site of sites) await site.close();
});
