import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const script = `${root}scripts/lock.mjs`;

type Entry = Record<string, unknown>;
interface Manifest {
  dependencies: Record<string, string>;
}
interface Lock {
  packages: Record<string, Entry>;
}
const { lockProblems } = (await import(script)) as { lockProblems(lock: Lock, manifest: Manifest): string[] };

describe("what is installed with us", () => {
  test("comes from the registry with a hash and a licence that may be passed on, and runs no script that is not named", () => {
    expect(spawnSync(process.execPath, [script, root], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "lock: 0 problems\n" });
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
    const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as Lock;
    const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;
    change(lock.packages, manifest);
    expect(lockProblems(lock, manifest)).toEqual([expect.stringMatching(problem)]);
  });
});
