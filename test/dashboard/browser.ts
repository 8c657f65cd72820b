/** The browser that is there: one that is named or installed, else, or if none is named (CHROMIUM_PATH=), one that comes as a package. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

const DRAWING = /^--(use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|font-render-hinting)/;

export async function openBrowser(): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH ?? INSTALLED.find((path) => existsSync(path)) ?? "";
  const sandbox = { chromiumSandbox: process.getuid?.() !== 0 };
  if (found !== "") return chromium.launch({ executablePath: found, ...sandbox });
  const { default: packed } = await import("@sparticuz/chromium");
  // Of its own flags only those for drawing: the others switch off what we want to see hold, such as who may read from where.
  const args = packed.args.filter((flag) => DRAWING.test(flag));
  // Where no language is set, it names one that JavaScript does not know.
  const env = { ...process.env, LC_ALL: "en_US.UTF-8" } as Record<string, string>;
  return chromium.launch({ executablePath: await packed.executablePath(), args, env, ...sandbox });
}
