import { pollEvery } from "../../../core/clock.ts";
import { type Access, type Answer, type Connector, readableTypes } from "../../fetch/index.ts";
import type { Engine, Rendered, RenderRequest } from "../engine.ts";
import { openExitProxy } from "../exit/exit-proxy.ts";
import { waitAtMost } from "../launch-browser.ts";
import { killTooLarge } from "../memory.ts";
import { crashAnswer } from "../page-document.ts";
import { renderPage } from "../render-page.ts";
import type { WebkitDriver } from "./webkit-driver.ts";
import { WebkitRequests } from "./webkit-requests.ts";
import { WebkitTab } from "./webkit-tab.ts";

export interface WebkitSetup {
  /** Starts the driver; called again after a crash. */
  readonly start: (exitUrl: string) => Promise<WebkitDriver>;
  readonly connector: Connector;
  readonly access: Access | undefined;
  readonly maxBody: number;
  readonly types: readonly string[];
}

/** Pages shown before the browser is replaced. */
const MAX_PAGES_PER_BROWSER = 50;
const CLEAR_TIMEOUT_MS = 5_000;
const CHECK_INTERVAL_MS = 500;

/** WebKit shows one page at a time, and has an exit of its own that inspects its traffic. */
export async function openWebkit(setup: WebkitSetup): Promise<Engine> {
  const requests = new WebkitRequests({ maxBody: setup.maxBody, types: readableTypes(setup.types), access: setup.access });
  const exitProxy = await openExitProxy({ connector: setup.connector, access: setup.access, inspector: requests });
  let tab: WebkitTab | undefined;
  let pagesShown = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const openTab = async (): Promise<WebkitTab> => {
    tab ??= new WebkitTab(await setup.start(exitProxy.url), requests);
    return tab;
  };
  const closeTab = async (): Promise<void> => {
    const last = tab;
    tab = undefined;
    pagesShown = 0;
    await last?.close();
  };
  const renderOnce = async (request: RenderRequest, isLast: boolean, signal: AbortSignal): Promise<Rendered> => {
    signal.throwIfAborted();
    const currentTab = await openTab();
    let isReusable = false;
    const stopChecking = pollEvery(CHECK_INTERVAL_MS, async () => killTooLarge(await currentTab.processes()));
    try {
      const crash = currentTab.crashed.then((detail): Answer => crashAnswer(detail, !isLast));
      const rendered = await renderPage(currentTab, request, { exitProxy, maxBody: setup.maxBody }, crash, signal);
      isReusable = !(rendered.fetched.kind === "failed" && /^(render\.|timeout)/.test(rendered.fetched.reason));
      return rendered;
    } finally {
      stopChecking();
      pagesShown += 1;
      let isCleared = false;
      if (isReusable && pagesShown < MAX_PAGES_PER_BROWSER)
        await waitAtMost(
          CLEAR_TIMEOUT_MS,
          currentTab.clear().then(() => {
            isCleared = true;
          }),
        );
      if (!isCleared) await closeTab();
    }
  };
  const runInOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
  return {
    name: "webkit",
    async render(request, signal) {
      const rendered = await runInOrder(() => renderOnce(request, false, signal));
      const hasDied = rendered.fetched.kind === "failed" && rendered.fetched.reason === "render.crash";
      return hasDied && ("kind" in request.document || !request.document.spent)
        ? runInOrder(() => renderOnce(request, true, signal))
        : rendered;
    },
    async close() {
      await closeTab();
      await exitProxy.close();
    },
  };
}
