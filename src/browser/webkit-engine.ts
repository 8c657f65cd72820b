import { lookEvery } from "../clock.ts";
import { type Access, type Answer, readableTypes, type Way } from "../fetch/index.ts";
import type { Engine, RenderAsk, Rendered } from "./engine.ts";
import { openExit } from "./exit.ts";
import { within } from "./launch-browser.ts";
import { endGreedy } from "./memory.ts";
import { died } from "./page-document.ts";
import { show } from "./show.ts";
import type { WebkitDriver } from "./webkit-driver.ts";
import { WebkitRequests } from "./webkit-requests.ts";
import { WebkitTab } from "./webkit-tab.ts";

export interface WebkitSetup {
  /** Starts the driver; called again after a crash. */
  readonly start: (exitUrl: string) => Promise<WebkitDriver>;
  readonly way: Way;
  readonly access: Access | undefined;
  readonly maxBody: number;
  readonly types: readonly string[];
}

/** Pages shown before the browser is replaced. */
const PER_BROWSER = 50;
const TIDYING = 5_000;
const BETWEEN_LOOKS = 500;

/** WebKit shows one page at a time, and has an exit of its own that inspects its traffic. */
export async function openWebkit(setup: WebkitSetup): Promise<Engine> {
  const requests = new WebkitRequests({ maxBody: setup.maxBody, types: readableTypes(setup.types), access: setup.access });
  const exit = await openExit({ way: setup.way, access: setup.access, inspector: requests });
  let tab: WebkitTab | undefined;
  let shown = 0;
  let line: Promise<unknown> = Promise.resolve();

  const opened = async (): Promise<WebkitTab> => {
    tab ??= new WebkitTab(await setup.start(exit.url), requests);
    return tab;
  };
  const end = async (): Promise<void> => {
    const last = tab;
    tab = undefined;
    shown = 0;
    await last?.close();
  };
  const once = async (ask: RenderAsk, isLast: boolean, signal: AbortSignal): Promise<Rendered> => {
    signal.throwIfAborted();
    const current = await opened();
    let isWell = false;
    const stopLooking = lookEvery(BETWEEN_LOOKS, async () => endGreedy(await current.processes()));
    try {
      const dead = current.died.then((detail): Answer => died(detail, !isLast));
      const rendered = await show(current, ask, { exit, maxBody: setup.maxBody }, dead, signal);
      isWell = !(rendered.fetched.kind === "failed" && /^(render\.|timeout)/.test(rendered.fetched.reason));
      return rendered;
    } finally {
      stopLooking();
      shown += 1;
      let isTidy = false;
      if (isWell && shown < PER_BROWSER)
        await within(
          TIDYING,
          current.clear().then(() => {
            isTidy = true;
          }),
        );
      if (!isTidy) await end();
    }
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = line.then(work);
    line = mine.catch(() => undefined);
    return mine;
  };
  return {
    name: "webkit",
    async render(ask, signal) {
      const rendered = await inTurn(() => once(ask, false, signal));
      const hasDied = rendered.fetched.kind === "failed" && rendered.fetched.reason === "render.crash";
      return hasDied && ("kind" in ask.document || !ask.document.spent) ? inTurn(() => once(ask, true, signal)) : rendered;
    },
    async close() {
      await end();
      await exit.close();
    },
  };
}
