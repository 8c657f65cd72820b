import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, abortCallbacksOf } from "../fetch/index.ts";
import type { Picture, Rendered, RenderRequest } from "./engine.ts";
import type { ExitProxy } from "./exit/exit-proxy.ts";
import { RenderJob } from "./exit/render-job.ts";
import type { SerialiseSetup } from "./inside/index.ts";
import { isRenderable, notOpenedAnswer, timeoutAnswer, tooLargeAnswer } from "./page-document.ts";
import { hasNavigatedAway, waitUntilStable } from "./page-stability.ts";
import { HungError, type Tab } from "./tab.ts";

const EVENT_DELAY_MS = 1_000;
const isClosed = (error: Error) => /closed|crash/i.test(error.message);

export interface RenderPageSetup {
  readonly exitProxy: ExitProxy;
  readonly maxBody: number;
}

/** The result of showing a page. */
interface PageResult {
  readonly answer: Answer;
  readonly picture?: Picture | undefined;
  readonly isQuiet: boolean;
}

/**
 * Renders one page, from its document to its state at rest. Anything the page does results in an answer; rejects only
 * with the signal's reason.
 */
export async function renderPage(
  tab: Tab,
  request: RenderRequest,
  setup: RenderPageSetup,
  crashed: Promise<Answer>,
  signal: AbortSignal,
): Promise<Rendered> {
  signal.throwIfAborted();
  const job = new RenderJob(request, setup.exitProxy);
  const end = new AbortController();
  try {
    const rendering =
      request.document && "kind" in request.document && !isRenderable(request.document.contentType)
        ? unrendered(request)
        : renderInTab(tab, job, setup);
    const { answer, isQuiet, picture } = await Promise.race([
      rendering,
      job.finalAnswer.then(notQuiet),
      crashed.then(notQuiet),
      answerAtDeadline(job, end.signal),
      rejectOnAbort(signal, end.signal),
    ]);
    const { startedAt, requests, refused } = job;
    const fetched = { ...answer, timing: { startedAt, duration: Date.now() - startedAt } };
    return { fetched, picture, isQuiet, requests, refused };
  } finally {
    end.abort();
    job.close();
  }
}

const notQuiet = (answer: Answer): PageResult => ({ answer, isQuiet: false });

async function unrendered({ document }: RenderRequest): Promise<PageResult> {
  if (!("kind" in document)) throw new Error("no document was given");
  const { timing: _, ...answer } = document;
  return { answer, isQuiet: true };
}

async function renderInTab(tab: Tab, job: RenderJob, { exitProxy, maxBody }: RenderPageSetup): Promise<PageResult> {
  try {
    await tab.navigate(job);
  } catch (error) {
    // If another party ended it, its reason has been given or is about to come.
    await Promise.race([job.finalAnswer, sleep(isClosed(error as Error) ? EVENT_DELAY_MS : 0)]);
    return notQuiet(notOpenedAnswer(job, exitProxy, error as Error));
  }
  try {
    return await readPage(tab, job, maxBody);
  } catch (error) {
    // The tab did not respond. If it crashed, that is reported by its own event a moment later.
    if (!(error instanceof HungError)) await sleep(EVENT_DELAY_MS);
    return notQuiet(timeoutAnswer(job, (error as Error).message.split("\n", 1)[0]!));
  }
}

async function readPage(tab: Tab, job: RenderJob, maxBody: number): Promise<PageResult> {
  const result = await waitUntilStable(tab, job);
  const { renderRequest: request, status = 200, robotsTags, wireBytes } = job;
  const [target] = job.targets;
  if (target !== undefined && hasNavigatedAway(job, result)) return notQuiet({ kind: "moved", status, location: target });
  job.recordNavigation(result.last.url, "GET");
  const targets = result.last.hasRefresh ? [] : [...job.targets];
  const html = await tab.run("serialise", { cap: maxBody, url: request.url, targets } satisfies SerialiseSetup);
  const bytes = new TextEncoder().encode(html);
  if (html === "" || bytes.length > maxBody) return notQuiet(tooLargeAnswer(status));
  const picture = request.wantsPicture ? await tab.takePicture(result.last.height) : undefined;
  const answer: Answer = {
    ...{ kind: "body", status, contentType: "text/html; charset=utf-8", bytes, etag: undefined, lastModified: undefined },
    ...{ robotsTags, wireBytes },
  };
  return { answer, picture, isQuiet: result.isQuiet };
}

function answerAtDeadline(job: RenderJob, end: AbortSignal): Promise<PageResult> {
  return new Promise((resolve) => {
    const onDeadline = () => {
      const [target] = job.targets;
      if (target !== undefined && !job.wasStable) resolve(notQuiet({ kind: "moved", status: job.status ?? 200, location: target }));
      else resolve(notQuiet(timeoutAnswer(job, "it could not be read in time")));
    };
    const timer = setTimeout(onDeadline, job.endDeadline - Date.now());
    end.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function rejectOnAbort(signal: AbortSignal, end: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    abortCallbacksOf(signal).add(onAbort);
    end.addEventListener("abort", () => abortCallbacksOf(signal).delete(onAbort), { once: true });
  });
}
