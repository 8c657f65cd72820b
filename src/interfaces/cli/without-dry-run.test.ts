import { expect, test } from "vitest";
import type { Shell } from "./shell.ts";
import { commandWithoutDryRun } from "./without-dry-run.ts";

const at = (place: Partial<Shell>) => ({ cwd: "/home/me/town", ...place }) as Shell;

test.each([
  ["all that was typed stays", ["http://a.test/", "--max-depth", "2", "--due"], "http://a.test/ --max-depth 2 --due"],
  ["but what made it a dry run", ["--dry-run", "http://a.test/"], "http://a.test/"],
  ["and where its answer went", ["http://a.test/", "-o", "look.txt", "--replace=look.txt"], "http://a.test/"],
  ["what a shell would read is quoted", ["http://a.test/?a=1&b", "--exclude=/it's/**"], "'http://a.test/?a=1&b' --exclude '/it'\\''s/**'"],
  [
    "secrets are gaps",
    ["--auth", "me:secret", "--header=X: secret", "--proxy", "http://me:secret@b.test"],
    "--auth … --header … --proxy …",
  ],
  [
    "also those in an address",
    ["http://me:secret@a.test/", "--db", "postgres://me:secret@b.test/db"],
    "http://a.test/ --db postgres://me@b.test/db",
  ],
])("%s", (_, args, expected) => {
  expect(commandWithoutDryRun(args, at({}))).toBe(`nuthatch crawl ${expected}`);
});

test("the folder it was to work in is named as it is called from here", () => {
  expect(commandWithoutDryRun(["http://a.test/"], at({ home: "/home/me" }))).toBe("nuthatch crawl --cwd town http://a.test/");
});
