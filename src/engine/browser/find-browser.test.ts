import { execFile } from "node:child_process";
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../test/cli.ts";
import { findBrowser, findBrowsers } from "./find-browser.ts";
import { parseProgram } from "./parse-program.ts";

describe("a program that was named", () => {
  test.each([
    ["with its engine", "firefox=/opt/x/browser", { engine: "firefox", path: "/opt/x/browser" }],
    ["by a path that tells it", "/opt/google/chrome/google-chrome", { engine: "chromium", path: "/opt/google/chrome/google-chrome" }],
    ["and another", "/usr/bin/firefox-esr", { engine: "firefox", path: "/usr/bin/firefox-esr" }],
    ["WebKit by its driver", "/usr/bin/WebKitWebDriver", { engine: "webkit", path: "/usr/bin/WebKitWebDriver" }],
    ["the folder tells nothing", "/opt/firefox/run", undefined],
    ["an engine that nobody knows", "lynx=/usr/bin/lynx", undefined],
    ["nothing", "", undefined],
  ] as const)("%s", (_, text, expected) => {
    expect(parseProgram(text)).toEqual(expected);
  });

  test("goes before everything else, and the last of two counts", async () => {
    const given = ["webkit=/bin/false", `webkit=${process.execPath}`];
    expect(await findBrowser("webkit", given)).toEqual({ engine: "webkit", path: process.execPath, from: "given" });
  });

  test("that is not there is a mistake, with the way out", async () => {
    await expect(findBrowser("firefox", ["firefox=/no/such/firefox"])).rejects.toMatchObject({
      message: "there is no program /no/such/firefox",
      hint: expect.stringContaining("--browser firefox=<path>"),
    });
  });
});

test("of several engines those that are here are found, in the order given; one that was named and is not there is told, though others are", async () => {
  const given = [`webkit=${process.execPath}`, `chromium=${process.execPath}`];
  const found = await findBrowsers(["webkit", "chromium"], given);
  expect(found.map(({ engine }) => engine)).toEqual(["webkit", "chromium"]);
  const refused = findBrowsers(["webkit", "firefox", "chromium"], [...given, "firefox=/no/such/firefox"]);
  await expect(refused).rejects.toMatchObject({ name: "BrowserError", message: "there is no program /no/such/firefox" });
});

test("one that was named goes before Playwright's own, that before the system's; where there is none, the one command that brings it is named", async () => {
  using folder = tempFolder();
  // In a separate process, because Playwright reads the folder of its browsers only once, when it is loaded.
  const program = `import { findBrowser } from "./dist/src/engine/browser/find-browser.js";
    import { firefox } from "playwright-core";
    const found = await findBrowser("firefox", process.argv.slice(1)).catch(({ message, hint }) => ({ message, hint }));
    console.log(JSON.stringify({ found, own: firefox.executablePath() }));`;
  const env = { PATH: folder.file("bin"), HOME: folder.path, PLAYWRIGHT_BROWSERS_PATH: folder.file("playwright") };
  const look = async (...given: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, ...given], { env });
    return JSON.parse(stdout) as { found: unknown; own: string };
  };
  const put = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    return path;
  };
  const { found: none, own } = await look();
  expect(none).toEqual({
    message: "no Firefox was found on this machine",
    hint: expect.stringMatching(/^npx playwright-core@\S+ install --with-deps firefox$/),
  });
  const system = put(folder.file("bin/firefox"));
  expect((await look()).found).toEqual({ engine: "firefox", path: system, from: "system" });
  expect(own).toContain(folder.path);
  put(own);
  expect((await look()).found).toEqual({ engine: "firefox", path: own, from: "playwright" });
  expect((await look(`firefox=${process.execPath}`)).found).toMatchObject({ path: process.execPath, from: "given" });
});

test.skipIf(process.getuid?.() !== 0 || process.arch !== "x64")(
  "the packaged Chromium is not started where somebody else has laid it (only root can try)",
  async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("chromium"), "#!/bin/sh\n", { mode: 0o755 });
    chownSync(folder.file("chromium"), 65_534, 65_534);
    const program = `import { findBrowser } from "./dist/src/engine/browser/find-browser.js";
    console.log(await findBrowser("chromium", []).then(({ path }) => path, ({ message }) => message));`;
    const env = { PATH: "", HOME: folder.path, PLAYWRIGHT_BROWSERS_PATH: folder.path, TMPDIR: folder.path };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
    expect(stdout).toContain(`${folder.file("chromium")} is not started: it belongs to another user`);
  },
);
