import type { FetcherSetup } from "../fetch/index.ts";
import { openWay } from "../fetch/index.ts";
import type { Engine, EngineName, RenderAsk, Rendered } from "./engine.ts";
import { openExit } from "./exit.ts";
import { openChromium } from "./playwright-engine.ts";

export interface BrowsersSetup extends Pick<FetcherSetup, "resolve" | "timeout" | "opened" | "access" | "maxBody"> {
  readonly engines: readonly EngineName[];
  /** What is added to a browser's own user agent: `nuthatch/0.1.0 (+contact)`. */
  readonly product: string;
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
      chromium ??= openChromium({ ...setup, exit });
      return (await chromium).render(ask, signal);
    },
    async close() {
      await (await chromium)?.close();
      await exit.close();
    },
  };
}
