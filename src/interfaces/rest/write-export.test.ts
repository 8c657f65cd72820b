import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/cli.ts";
import type { App } from "../../engine/app.ts";
import { StorageError } from "../../store/index.ts";
import { writeExport } from "./write-export.ts";

test("an export that fails says why, but not where, and leaves nothing behind", async () => {
  using folder = tempFolder();
  const db = folder.file("a.db");
  mkdirSync(`${db}.exports`);
  const backup = async (path: string) => {
    writeFileSync(path, "half");
    throw new StorageError(`${path} is no copy of ${db}`, `look at ${db}`);
  };
  const app = { store: { path: db, maintenance: { backup } } } as unknown as App;
  const failed = writeExport(app, { format: "sqlite", what: "pages", path: `${db}.exports/b.sqlite` });
  await expect(failed).rejects.toMatchObject({
    message: `export.sqlite.${process.pid}.part is no copy of the data file`,
    hint: "look at the data file",
  });
  expect(readdirSync(`${db}.exports`)).toEqual([]);
});
