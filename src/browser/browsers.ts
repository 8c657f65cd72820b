import { randomBytes } from "node:crypto";
import type { FetcherSetup } from "../fetch/index.ts";
import { openWay } from "../fetch/index.ts";
import type { Engine, EngineName, RenderAsk, Rendered } from "./engine.ts";
import { openExit } from "./exit.ts";
import type { Launched } from "./household.ts";
import { openPlaywrightEngine } from "./playwright-engine.ts";

export interface BrowsersSetup extends Pick<FetcherSetup, "resolve" | "timeout" | "opened" | "access" | "maxBody" | "types"> {
  readonly engines: readonly EngineName[];
  /** What is added to a browser's own user agent: `nuthatch/0.1.0 (+contact)`. */
  readonly product: string;
  /** What is said instead of all that, if somebody wants it so. */
  readonly userAgent?: string | undefined;
}

export interface Browsers {
  /** Those that can run here, in the order they are to be tried. */
  readonly engines: readonly EngineName[];
  render(engine: EngineName, ask: RenderAsk, signal: AbortSignal): Promise<Rendered>;
  /** Nothing is left running after it. */
  close(): Promise<void>;
}

/** An engine is started when it is first needed. */
export async function openBrowsers(setup: BrowsersSetup): Promise<Browsers> {
  const exit = await openExit(openWay(setup));
  let chromium: Promise<Engine> | undefined;
  return {
    engines: setup.engines.filter((name) => name === "chromium"),
    async render(_, ask, signal) {
      chromium ??= openPlaywrightEngine({ ...setup, exit, name: "chromium", launch: () => launchChromium(exit.url) });
      return (await chromium).render(ask, signal);
    },
    async close() {
      await (await chromium)?.close();
      await exit.close();
    },
  };
}

async function launchChromium(server: string): Promise<Launched> {
  const { chromium } = await import("playwright-core");
  const mark = `nuthatch-${randomBytes(12).toString("hex")}`;
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    chromiumSandbox: false,
    proxy: { server },
    env: { ...process.env, NUTHATCH_BROWSER: mark } as Record<string, string>,
    ignoreDefaultArgs: ["--disable-popup-blocking", "--disable-ipc-flooding-protection"],
    args: [
      "--disable-quic",
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--proxy-bypass-list=<-loopback>",
      "--js-flags=--max-old-space-size=512",
      `--disable-features=${disabled.join(",")}`,
    ],
  });
  return { browser, mark, close: () => browser.close() };
}

/** Sandboxed frames of their own process would be out of sight. The rest is what Playwright says, whose list this one replaces. */
const disabled = [
  "IsolateSandboxedIframes",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "GlobalMediaControls",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "BlockOriginHeaderModificationOnRedirect",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "Translate",
  "AutoDeElevate",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
];
