import { BrowserError } from "./browser-error.ts";

/** Pinned: later versions do not drive the regular Firefox any more. */
export const PLAYWRIGHT = "playwright-core@1.64.1";

/** WebKit alone works without Playwright. */
export async function loadPlaywright(): Promise<typeof import("playwright-core")> {
  try {
    return await import("playwright-core");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new BrowserError("browsers are driven by Playwright, which is not installed", `npm install ${PLAYWRIGHT}`, { cause });
  }
}
