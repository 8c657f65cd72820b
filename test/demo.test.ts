import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { pathsOf } from "./faults/ledger.ts";

test.concurrent("the demo leaves a data file, says what changed, and what it suggests to try works", async () => {
  using folder = tempFolder();
  const { code, stdout, stderr } = await nuthatch(["demo", "--json"], { cwd: folder.path });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { schemaVersion: 1, run: 2, stopReason: "finished" }]);
  expect(existsSync(folder.file("nuthatch.db"))).toBe(true);
  expect(stderr.match(/^Finished: nothing left in scope/gm)).toHaveLength(2);
  expect(stderr).toMatch(/^ {2}gone +http.*\/news\/winter-skating {2}answered 404$/m);
  expect(stderr).toMatch(/^ {2}changed +http.*\/news\/water-level {2}\d+ words changed$/m);
  const pages = await nuthatch(["pages", "--limit", "1000", "--fields", "url"], { cwd: folder.path });
  expect(pages.stdout, "only the settings of the university's scripts lead there").toMatch(/\/study\/botany$/m);

  const suggested = stderr.slice(stderr.indexOf("Try next:")).match(/^ {2}nuthatch .*$/gm) ?? [];
  expect(suggested.length).toBeGreaterThan(3);
  const here = suggested.filter((line) => !line.includes("https://")); // the others need the web
  for (const line of here) {
    const tried = await nuthatch(line.trim().split(/\s+/).slice(1), { cwd: folder.path });
    expect([line, tried.code, tried.stderr]).toEqual([line, 0, expect.stringMatching(/^(only the first 50 .*\n)?$/)]);
    expect([line, tried.stdout]).toEqual([line, expect.stringMatching(/http/)]);
    expect([line, tried.stdout]).toEqual([line, expect.not.stringContaining("Never heard of")]);
  }
}, 120_000);

test.concurrent("Ctrl-C ends the demo at once", async () => {
  using folder = tempFolder();
  const running = start(["demo"], { cwd: folder.path });
  while (!hasPages(folder.file("nuthatch.db"))) await new Promise((resolve) => setTimeout(resolve, 50));
  running.kill("SIGINT");
  const { code, stdout, stderr } = await running.ended;
  expect([code, stdout]).toEqual([130, ""]);
  expect(stderr).not.toContain("A week passes");
});

function hasPages(db: string): boolean {
  try {
    return existsSync(db) && pathsOf(db).length > 0;
  } catch {
    return false; // the file is there before its tables
  }
}
