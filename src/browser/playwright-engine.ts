import type { Browser, BrowserContext } from "playwright-core";
import { type Access, type Answer, readableTypes } from "../fetch/index.ts";
import { hostOf } from "../url/index.ts";
import { openChromiumTab } from "./chromium-tab.ts";
import type { Engine, RenderAsk, Rendered } from "./engine.ts";
import type { Exit } from "./exit.ts";
import { openFirefoxTab } from "./firefox-tab.ts";
import { closeSockets, openShadows } from "./inside/index.ts";
import type { Launched } from "./launch-browser.ts";
import { died } from "./page-document.ts";
import { Pool, tabsAtOnce } from "./pool.ts";
import { show } from "./show.ts";
import { VIEWPORT } from "./tab.ts";

export interface EngineSetup {
  readonly name: "chromium" | "firefox";
  /** Starts a browser; called again after a crash. */
  readonly launch: () => Promise<Launched>;
  readonly exit: Exit;
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
  let agent: string | undefined;
  const openContext = async (browser: Browser): Promise<BrowserContext> => {
    agent ??= setup.userAgent ?? `${await agentOf(browser)} ${setup.product}`;
    const context = await browser.newContext({ userAgent: agent, viewport: VIEWPORT, serviceWorkers: "block", acceptDownloads: false });
    await context.addInitScript(openShadows);
    if (name === "chromium") return context;
    await context.addInitScript(closeSockets);
    // For windows other than our tabs; Chromium blocks those by other means.
    await context.route("**/*", (route) => route.abort());
    return context;
  };
  const openTab = (context: BrowserContext) => (name === "chromium" ? openChromiumTab : openFirefoxTab)(context, tabSetup);
  const pool = new Pool({ size: tabsAtOnce(), launch, openContext, openTab });
  const once = async (ask: RenderAsk, isLast: boolean, signal: AbortSignal): Promise<Rendered> => {
    const startedAt = Date.now();
    const seat = await pool.take(hostOf(ask.url), signal);
    if (seat === undefined) return unshown(died("its browser did not open a tab", !isLast), startedAt);
    let isWell = false;
    try {
      const dead = seat.died.then((detail): Answer => died(detail, !isLast));
      const rendered = await show(seat.tab, ask, setup, dead, signal);
      isWell = rendered.fetched.kind !== "failed";
      return rendered;
    } finally {
      void seat.giveBack(isWell);
    }
  };
  return {
    name,
    async render(ask, signal) {
      const rendered = await once(ask, false, signal);
      const hasDied = rendered.fetched.kind === "failed" && rendered.fetched.reason === "render.crash";
      return hasDied && ("kind" in ask.document || !ask.document.spent) ? once(ask, true, signal) : rendered;
    },
    close: () => pool.close(),
  };
}

const unshown = (answer: Answer, startedAt: number): Rendered => ({
  fetched: { ...answer, timing: { startedAt, duration: Date.now() - startedAt } },
  ...{ isQuiet: false, requests: 0, refused: 0 },
});

/** The browser's default user agent. */
async function agentOf(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  try {
    return await page.evaluate("navigator.userAgent");
  } finally {
    await page.close();
  }
}
