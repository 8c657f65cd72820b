import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("names and comments use the words of the glossary", () => {
  const { stderr, status } = spawnSync(process.execPath, ["scripts/check-words.mjs"], { cwd: root, encoding: "utf8" });
  expect([stderr, status]).toEqual(["", 0]);
});
