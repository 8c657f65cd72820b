import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowsers } from "../../dist/src/engine/browser/index.js";
import { tempFolder } from "../cli.ts";
import { type RunningSite, serveSite } from "../site/index.ts";
import { descendants, stillThere } from "./processes.ts";

const holder = fileURLToPath(new URL("hold-browser.mjs", import.meta.url));
const engines = (
  await Promise.all((["chromium", "firefox", "webkit"] as const).map((one) => findBrowsers([one], []).catch(() => [])))
).flat();

let site: RunningSite;
beforeAll(async () => {
  site = await serveSite(
    { "/": "<p>words", "/busy": "<p>words<script>setTimeout(() => { for (;;); }, 3000)</script>" },
    { address: "127.0.66.41" },
  );
});
afterAll(() => site.close());

/** A Chromium that came with the packages is unpacked there once, for whoever comes next. */
const isUnpacked = (name: string) => /^(chromium|fonts|locales|lib\w+\.so(\.\d+)?|vk_swiftshader_icd\.json)$/.test(name);

const ended = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

describe.skipIf(!existsSync("/proc/self/environ")).each(engines.map(({ engine }) => engine))("no process of %s is left", (engine) => {
  test.each([
    ["when its crawler is killed", "waits", "SIGKILL"],
    ["when its crawler is killed while a page is busy", "waits busy", "SIGKILL"],
    ["when somebody presses Ctrl-C in a program that does not listen", "waits", "SIGINT"],
    ["when its crawler is asked to end", "waits", "SIGTERM"],
    ["when its crawler falls over an error", "throws", undefined],
    ["when its crawler ends without a word", "exits", undefined],
    ["when it is closed", "closes", undefined],
  ] as [string, string, NodeJS.Signals | undefined][])("%s", async (_, ending, signal) => {
    using folder = tempFolder();
    const url = `${site.origin}/${ending.endsWith("busy") ? "busy" : ""}`;
    const child = spawn(process.execPath, [holder, engine, url, ending], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, TMPDIR: folder.path },
    });
    const end = ended(child);
    const kind = await new Promise((resolve) => child.stdout.once("data", (text: Buffer) => resolve(String(text).trim())));
    expect(kind).toBe("body");
    const alive = descendants(child.pid!);
    expect(alive.length).toBeGreaterThan(ending === "closes" ? 0 : 3);
    if (signal) child.kill(signal);
    await end;
    await expect.poll(() => stillThere(alive), { timeout: 5_000 }).toEqual([]);
    await expect.poll(() => readdirSync(folder.path).filter((name) => !isUnpacked(name)), { timeout: 5_000 }).toEqual([]);
  });
});
