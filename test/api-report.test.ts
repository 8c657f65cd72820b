import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "./cli.ts";

const script = fileURLToPath(new URL("../scripts/api-report.mjs", import.meta.url));

const report = (...args: string[]) =>
  new Promise<{ failed: boolean; stderr: string }>((resolve) =>
    execFile(process.execPath, [script, ...args], (error, _, stderr) => resolve({ failed: error !== null, stderr })),
  );

test("docs/reference/api.md says what the package exports today, and no public type holds an any", async () => {
  expect(await report("--check")).toEqual({ failed: false, stderr: "" });
});

test.each<[string, Record<string, string>, string]>([
  ["exported", { "a.d.ts": "export declare const loose: any;" }, "loose (a.d.ts) holds an any"],
  [
    "named by what is exported",
    {
      "a.d.ts": 'import type { B } from "./b.ts";\nexport interface A {\n    b: B;\n}',
      "b.d.ts": "export interface B {\n    list: any[];\n}",
    },
    "B (b.d.ts) holds an any",
  ],
  [
    "two doors away",
    {
      "a.d.ts": 'export * from "./b.ts";',
      "b.d.ts": 'export { c } from "./c.ts";',
      "c.d.ts": "/** Any. */\nexport declare function c(x: any): void;",
    },
    "c (c.d.ts) holds an any",
  ],
])("an any is found: %s", async (_, files, problem) => {
  using folder = tempFolder();
  writeFileSync(folder.file("package.json"), JSON.stringify({ name: "x", exports: { ".": { types: "./a.d.ts", default: "./a.js" } } }));
  for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), `${text}\n`);
  mkdirSync(folder.file("docs"));
  expect((await report(folder.path)).failed).toBe(false);
  const { failed, stderr } = await report("--check", folder.path);
  expect({ failed, stderr }).toEqual({ failed: true, stderr: `${problem}\n` });
});

test("a page that is out of date is told, and an any in words is none", async () => {
  using folder = tempFolder();
  writeFileSync(folder.file("package.json"), JSON.stringify({ name: "x", exports: { ".": { types: "./a.d.ts", default: "./a.js" } } }));
  writeFileSync(folder.file("a.d.ts"), '/** any */\nexport type Scope = "any" | "host";\nexport interface Kinds {\n    any: "any";\n}\n');
  await report(folder.path);
  expect((await report("--check", folder.path)).failed).toBe(false);
  writeFileSync(folder.file("a.d.ts"), "export type Scope = string;\n");
  expect(await report("--check", folder.path)).toEqual({
    failed: true,
    stderr: "docs/reference/api.md is out of date: npm run docs\n",
  });
});
