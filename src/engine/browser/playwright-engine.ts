import type { Browser, BrowserContext } from "playwright-core";
import { hostOf } from "../../analysis/url/index.ts";
import { type Access, type Answer, readableTypes } from "../fetch/index.ts";
import { openChromiumTab } from "./chromium/chromium-tab.ts";
import type { Engine, Rendered, RenderRequest } from "./engine.ts";
import type { ExitProxy } from "./exit/exit-proxy.ts";
import { openFirefoxTab } from "./firefox/firefox-tab.ts";
import { disableSockets, openShadowRoots } from "./inside/index.ts";
import type { Launched } from "./launch-browser.ts";
import { crashAnswer } from "./page-document.ts";
import { renderPage } from "./render-page.ts";
import { VIEWPORT } from "./tab.ts";
import { maxTabs, TabPool } from "./tab-pool.ts";

export interface EngineSetup {
  readonly name: "chromium" | "firefox";
  /** Starts a browser; called again after a crash. */
  readonly launch: () => Promise<Launched>;
  readonly exitProxy: ExitProxy;
  /** Appended to the browser's own user agent. */
  readonly product: string;
  /** Replaces both. */
  readonly userAgent?: string | undefined;
  readonly maxBody: number;
  readonly types: readonly string[];
  readonly access?: Access | undefined;
}

export async function openPlaywrightEngine(setup: EngineSetup): Promise<Engine> {
  const { name, launch } = setup;
  const tabSetup = { maxBody: setup.maxBody, types: readableTypes(setup.types), access: setup.access };
  let userAgent: string | undefined;
  const openContext = async (browser: Browser): Promise<BrowserContext> => {
    userAgent ??= setup.userAgent ?? `${await userAgentOf(browser)} ${setup.product}`;
    const context = await browser.newContext({ userAgent, viewport: VIEWPORT, serviceWorkers: "block", acceptDownloads: false });
    await context.addInitScript(openShadowRoots);
    if (name === "chromium") return context;
    await context.addInitScript(disableSockets);
    // For windows other than our tabs; Chromium blocks those by other means.
    await context.route("**/*", (route) => route.abort());
    return context;
  };
  const openTab = (context: BrowserContext) => (name === "chromium" ? openChromiumTab : openFirefoxTab)(context, tabSetup);
  const pool = new TabPool({ size: maxTabs(), launch, openContext, openTab });
  const renderOnce = async (request: RenderRequest, isLast: boolean, signal: AbortSignal): Promise<Rendered> => {
    const startedAt = Date.now();
    const lease = await pool.leaseTab(hostOf(request.url), signal);
    if (lease === undefined) return notRendered(crashAnswer("its browser did not open a tab", !isLast), startedAt);
    let isReusable = false;
    try {
      const crash = lease.crashed.then((detail): Answer => crashAnswer(detail, !isLast));
      const rendered = await renderPage(lease.tab, request, setup, crash, signal);
      isReusable = rendered.fetched.kind !== "failed";
      return rendered;
    } finally {
      void lease.release(isReusable);
    }
  };
  return {
    name,
    async render(request, signal) {
      const rendered = await renderOnce(request, false, signal);
      const hasDied = rendered.fetched.kind === "failed" && rendered.fetched.reason === "render.crash";
      return hasDied && ("kind" in request.document || !request.document.spent) ? renderOnce(request, true, signal) : rendered;
    },
    close: () => pool.close(),
  };
}

const notRendered = (answer: Answer, startedAt: number): Rendered => ({
  fetched: { ...answer, timing: { startedAt, duration: Date.now() - startedAt } },
  ...{ isQuiet: false, requests: 0, refused: 0 },
});

/** The browser's default user agent. */
async function userAgentOf(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  try {
    return await page.evaluate("navigator.userAgent");
  } finally {
    await page.close();
  }
}
