/** What SECURITY.md promises is held by tests that are there. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(`${root}SECURITY.md`, "utf8");
const rows = text
  .slice(text.indexOf("## Promises"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| promise"))
  .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

const isTest = /^(src|test)\/[\w./-]+\.(test|speed|fault|render|wire|workers)\.ts$|\/contract\/[\w-]+\.ts$/;

test.each(rows)("%s", (_promise, how, held = "") => {
  const files = [...held.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
  expect(how).not.toBe("");
  expect(files).not.toEqual([]);
  for (const file of files) {
    expect(file).toMatch(isTest);
    expect(existsSync(`${root}${file}`), file).toBe(true);
  }
});

test("every promise is looked at", () => expect(rows.length).toBeGreaterThan(25));
