import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardScript, startProcessGuard } from "./process-guard.ts";

const hasShell = existsSync("/bin/sh");
/** True for zombies too: the parent may not have reaped the process yet. */
const gone = (pid: number) => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() === "" || stdout.startsWith("Z");
};

test.skipIf(!hasShell)("what bears the mark ends with its group when the leash is pulled, and its folder goes; others stay", async () => {
  process.env.NUTHATCH_TEST_SECRET = "canary";
  const leash = startProcessGuard();
  delete process.env.NUTHATCH_TEST_SECRET;
  expect(JSON.stringify(leash.env)).not.toContain("canary");
  writeFileSync(join(leash.folder, "left-behind"), "x");
  // The child has another environment, so it ends only because it belongs to the process group.
  const script = "env -i sleep 60 & echo $!; exec sleep 60";
  const marked = spawn("/bin/sh", ["-c", script, `--${leash.mark}`], {
    detached: true,
    env: leash.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const child = await new Promise<number>((resolve) => marked.stdout.once("data", (text: Buffer) => resolve(Number(text))));
  const other = spawn("sleep", ["60"], { detached: true });
  const ended = new Promise((resolve) => marked.once("exit", (_, signal) => resolve(signal)));
  await leash.killAll();
  expect([await ended, gone(child), gone(other.pid!), existsSync(leash.folder)]).toEqual(["SIGKILL", true, false, false]);
  other.kill();
});

test.skipIf(!hasShell)("where environments cannot be read, the mark on the command line tells", async () => {
  const mark = "nuthatch-by-command-line";
  const marked = spawn("/bin/sh", ["-c", "sleep 60; :", `--${mark}`], { detached: true });
  const ended = new Promise((resolve) => marked.once("exit", (_, signal) => resolve(signal)));
  const shell = spawn("/bin/sh", ["-c", guardScript(false)], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  shell.stdin.end(`${mark}\n/nowhere\n`);
  expect(await ended).toBe("SIGKILL");
});
