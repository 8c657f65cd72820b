import type { Page } from "playwright-core";
import type { Picture } from "./engine.ts";
import { VIEWPORT } from "./tab.ts";

/** Height limit in pixels; the rest of the page is cut off. */
const MAX_HEIGHT = 4_000;

export async function takeScreenshot(page: Page, height: number): Promise<Picture> {
  const clip = { x: 0, y: 0, width: VIEWPORT.width, height: Math.min(Math.max(height, VIEWPORT.height), MAX_HEIGHT) };
  const bytes = await page.screenshot({ type: "jpeg", quality: 70, fullPage: true, clip, animations: "disabled", timeout: 10_000 });
  return { bytes: Uint8Array.from(bytes), type: "image/jpeg", width: clip.width, height: clip.height };
}
