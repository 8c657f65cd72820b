import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { placePostgres } from "./postgres-programs.ts";

test.skipIf(process.getuid?.() !== 0)("a clone that only root may enter runs PostgreSQL as another user", async () => {
  using folder = tempFolder();
  const { postgres, folder: first } = await placePostgres();
  const home = folder.file("home");
  mkdirSync(home);
  cpSync(dirname(dirname(realpathSync(postgres))), join(home, "native"), { recursive: true, verbatimSymlinks: true });
  chmodSync(home, 0o700);
  const place = await placePostgres(join(home, "native/bin"));
  try {
    expect(spawnSync(join(home, "native/bin/postgres"), ["--version"], place.how).status).not.toBe(0);
    expect(execFileSync(place.postgres, ["--version"], place.how).toString()).toMatch(/^postgres \(PostgreSQL\)/);
    execFileSync(place.initdb, ["-D", place.data, "-U", "postgres", "-A", "trust", "--no-sync"], { ...place.how, stdio: "ignore" });
    // Whoever runs it can remove what it was given.
    execFileSync("rm", ["-rf", place.folder], { ...place.how, cwd: "/" });
  } finally {
    for (const path of [first, place.folder]) rmSync(path, { recursive: true, force: true });
  }
});
