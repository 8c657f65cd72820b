import { BrowserError } from "./browser-error.ts";

/** Later ones have moved on from Firefox as it is shipped. */
export const PLAYWRIGHT = "playwright-core@1.64.1";

/** Without Playwright only WebKit can be driven. */
export async function loadPlaywright(): Promise<typeof import("playwright-core")> {
  try {
    return await import("playwright-core");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new BrowserError("browsers are driven by Playwright, which is not installed", `npm install ${PLAYWRIGHT}`, { cause });
  }
}
