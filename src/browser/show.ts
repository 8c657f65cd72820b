import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, stopsOf } from "../fetch/index.ts";
import type { Picture, RenderAsk, Rendered } from "./engine.ts";
import { Errand } from "./errand.ts";
import type { Exit } from "./exit.ts";
import type { SerialiseSetup } from "./inside/index.ts";
import { isShown, neverEnds, tooLarge, unopened } from "./page-document.ts";
import { comeToRest, hasLeft } from "./rest.ts";
import { Hung, type Tab } from "./tab.ts";

const A_MOMENT = 1_000;
const isClosed = (error: Error) => /closed|crash/i.test(error.message);

export interface ShowSetup {
  readonly exit: Exit;
  readonly maxBody: number;
}

/** The result of showing a page. */
interface Shown {
  readonly answer: Answer;
  readonly picture?: Picture | undefined;
  readonly isQuiet: boolean;
}

/**
 * Renders one page, from its document to its state at rest. Anything the page does results in an answer; rejects only
 * with the signal's reason.
 */
export async function show(tab: Tab, ask: RenderAsk, setup: ShowSetup, died: Promise<Answer>, signal: AbortSignal): Promise<Rendered> {
  signal.throwIfAborted();
  const errand = new Errand(ask, setup.exit);
  const end = new AbortController();
  try {
    const story = ask.document && "kind" in ask.document && !isShown(ask.document.contentType) ? asItCame(ask) : tell(tab, errand, setup);
    const { answer, isQuiet, picture } = await Promise.race([
      story,
      errand.over.then(unquiet),
      died.then(unquiet),
      late(errand, end.signal),
      aborted(signal, end.signal),
    ]);
    const { startedAt, requests, refused } = errand;
    const fetched = { ...answer, timing: { startedAt, duration: Date.now() - startedAt } };
    return { fetched, picture, isQuiet, requests, refused };
  } finally {
    end.abort();
    errand.close();
  }
}

const unquiet = (answer: Answer): Shown => ({ answer, isQuiet: false });

async function asItCame({ document }: RenderAsk): Promise<Shown> {
  if (!("kind" in document)) throw new Error("no document was given");
  const { timing: _, ...answer } = document;
  return { answer, isQuiet: true };
}

async function tell(tab: Tab, errand: Errand, { exit, maxBody }: ShowSetup): Promise<Shown> {
  try {
    await tab.go(errand);
  } catch (error) {
    // If another party ended it, its reason has been given or is about to come.
    await Promise.race([errand.over, sleep(isClosed(error as Error) ? A_MOMENT : 0)]);
    return unquiet(unopened(errand, exit, error as Error));
  }
  try {
    return await read(tab, errand, maxBody);
  } catch (error) {
    // The tab did not respond. If it crashed, that is reported by its own event a moment later.
    if (!(error instanceof Hung)) await sleep(A_MOMENT);
    return unquiet(neverEnds(errand, (error as Error).message.split("\n", 1)[0]!));
  }
}

async function read(tab: Tab, errand: Errand, maxBody: number): Promise<Shown> {
  const rest = await comeToRest(tab, errand);
  const { ask, status = 200, robotsTags, wireBytes } = errand;
  const [target] = errand.targets;
  if (target !== undefined && hasLeft(errand, rest)) return unquiet({ kind: "moved", status, location: target });
  errand.left(rest.last.url, "GET");
  const targets = rest.last.hasRefresh ? [] : [...errand.targets];
  const html = await tab.run("serialise", { cap: maxBody, url: ask.url, targets } satisfies SerialiseSetup);
  const bytes = new TextEncoder().encode(html);
  if (html === "" || bytes.length > maxBody) return unquiet(tooLarge(status));
  const picture = ask.wantsPicture ? await tab.takePicture(rest.last.height) : undefined;
  const answer: Answer = {
    ...{ kind: "body", status, contentType: "text/html; charset=utf-8", bytes, etag: undefined, lastModified: undefined },
    ...{ robotsTags, wireBytes },
  };
  return { answer, picture, isQuiet: rest.isQuiet };
}

function late(errand: Errand, end: AbortSignal): Promise<Shown> {
  return new Promise((resolve) => {
    const say = () => {
      const [target] = errand.targets;
      if (target !== undefined && !errand.isAtRest) resolve(unquiet({ kind: "moved", status: errand.status ?? 200, location: target }));
      else resolve(unquiet(neverEnds(errand, "it could not be read in time")));
    };
    const timer = setTimeout(say, errand.endBy - Date.now());
    end.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function aborted(signal: AbortSignal, end: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    stopsOf(signal).add(stop);
    end.addEventListener("abort", () => stopsOf(signal).delete(stop), { once: true });
  });
}
