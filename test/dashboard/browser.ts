/** The browser that is there: one that is named or installed, else one that comes as a package. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

export async function openBrowser(): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH ?? INSTALLED.find((path) => existsSync(path));
  if (found !== undefined) return chromium.launch({ executablePath: found, chromiumSandbox: process.getuid?.() !== 0 });
  const { default: packed } = await import("@sparticuz/chromium");
  return chromium.launch({ executablePath: await packed.executablePath(), args: packed.args, headless: true });
}
