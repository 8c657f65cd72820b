import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const check = (folder: string) => spawnSync(process.execPath, [`${root}scripts/lock.mjs`, folder], { encoding: "utf8" });

type Entry = Record<string, unknown>;
interface Manifest {
  dependencies: Record<string, string>;
}

describe("what is installed with us", () => {
  test("comes from the registry with a hash and a licence that may be passed on, and runs no script that is not named", () => {
    expect(check(root)).toMatchObject({ status: 0, stdout: "lock: 0 problems\n" });
  });

  const undici = "node_modules/undici";
  test.each<[string, (packages: Record<string, Entry>, manifest: Manifest) => void, RegExp]>([
    ["a range", (_, { dependencies }) => (dependencies.undici = "^7.0.0"), /undici: \^7\.0\.0 is no exact version/],
    ["a repository", (_, { dependencies }) => (dependencies.undici = "git+https://a.test/undici.git"), /undici: git\+https/],
    ["an archive from elsewhere", (packages) => (packages[undici]!.resolved = "http://a.test/undici.tgz"), /undici: comes from http:/],
    ["a folder", (packages) => (packages[undici]!.link = true), /undici: comes from a folder/],
    ["no hash", (packages) => delete packages[undici]!.integrity, /undici: has no sha512/],
    ["a weak hash", (packages) => (packages[undici]!.integrity = "sha1-abc"), /undici: has no sha512/],
    ["another licence", (packages) => (packages[undici]!.license = "AGPL-3.0"), /undici: its licence is AGPL-3\.0/],
    ["no licence", (packages) => delete packages[undici]!.license, /undici: its licence is not known/],
    ["a script", (packages) => (packages[undici]!.hasInstallScript = true), /undici: runs a script/],
  ])("%s is found", (_, change, problem) => {
    using folder = tempFolder();
    const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as { packages: Record<string, Entry> };
    const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;
    change(lock.packages, manifest);
    writeFileSync(folder.file("package-lock.json"), JSON.stringify(lock));
    writeFileSync(folder.file("package.json"), JSON.stringify(manifest));
    expect(check(folder.path)).toMatchObject({ status: 1, stdout: expect.stringMatching(problem) });
  });
});
