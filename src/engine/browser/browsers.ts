import type { FetcherSetup } from "../fetch/index.ts";
import { createConnector } from "../fetch/index.ts";
import type { Engine, EngineName, Rendered, RenderRequest } from "./engine.ts";
import { openExitProxy } from "./exit/exit-proxy.ts";
import { type BrowserProgram, findBrowsers } from "./find-browser.ts";
import { launchBrowser } from "./launch-browser.ts";
import type { BrowserOptions } from "./options.ts";
import { openPlaywrightEngine } from "./playwright-engine.ts";
import { startWebkit } from "./webkit/webkit-driver.ts";
import { openWebkit } from "./webkit/webkit-engine.ts";

export interface BrowsersSetup
  extends Pick<FetcherSetup, "names" | "timeout" | "opened" | "access" | "maxBody" | "types">,
    Pick<BrowserOptions, "engines" | "browser"> {
  /** Appended to the browser's own user agent: `nuthatch/0.1.0 (+contact)`. */
  readonly product: string;
  /** Replaces the whole user agent, if set. */
  readonly userAgent?: string | undefined;
}

export interface Browsers {
  /** The installed engines, in order of preference. */
  readonly engines: readonly EngineName[];
  render(engine: EngineName, request: RenderRequest, signal: AbortSignal): Promise<Rendered>;
  /** All browsers have exited when this resolves. */
  close(): Promise<void>;
}

/** Engines are started on first use. Throws a BrowserError if none is installed. */
export async function openBrowsers(setup: BrowsersSetup): Promise<Browsers> {
  const programs = await findBrowsers(setup.engines, setup.browser);
  const connector = createConnector(setup);
  const exitProxy = await openExitProxy({ connector, access: setup.access });
  const running = new Map<EngineName, Promise<Engine>>();
  const open = (program: BrowserProgram): Promise<Engine> => {
    if (program.engine !== "webkit")
      return openPlaywrightEngine({ ...setup, exitProxy, name: program.engine, launch: () => launchBrowser(program, exitProxy.url) });
    const start = (exitUrl: string) => startWebkit({ ...setup, program, exitUrl });
    return openWebkit({ ...setup, access: setup.access, connector, start });
  };
  const engineFor = (name: EngineName): Promise<Engine> => {
    const program = programs.find(({ engine }) => engine === name);
    if (program === undefined) throw new Error(`there is no ${name} here`);
    const engine = running.get(name) ?? open(program);
    running.set(name, engine);
    // After a failed start, the next request tries again.
    engine.catch(() => running.delete(name));
    return engine;
  };
  return {
    engines: programs.map(({ engine }) => engine),
    render: async (name, request, signal) => (await engineFor(name)).render(request, signal),
    async close() {
      const engines = await Promise.allSettled(running.values());
      await Promise.allSettled(engines.map((result) => (result.status === "fulfilled" ? result.value.close() : undefined)));
      await exitProxy.close();
    },
  };
}
