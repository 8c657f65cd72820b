import { setTimeout as sleep } from "node:timers/promises";
import type { RenderJob } from "./exit/render-job.ts";
import type { PageState } from "./inside/index.ts";
import type { Tab } from "./tab.ts";

/** Milliseconds without growth for a page to be at rest; less after scrolling, because the first wait has shown its spontaneous changes. */
const STABLE_MS = 500;
const STABLE_AFTER_SCROLL_MS = 250;
/** Milliseconds between two looks. */
const POLL_MS = 100;
/** This many consecutive looks must agree: if looks are slow, everything else is slow too. */
const MIN_STABLE_POLLS = 3;
/** Milliseconds from when the document is there. */
const MAX_WAIT_MS = 12_000;
/** Limits for pages that grow each time their end is reached. */
const MAX_SCROLL_ROUNDS = 12;
const MAX_NEW_ELEMENTS = 30_000;

/** The state of a page after waiting. */
export interface WaitResult {
  readonly isQuiet: boolean;
  readonly last: PageState;
}

/**
 * Waits until a page is at rest: no open request that it could be waiting for, and no growth for a moment. Only growth counts,
 * so that clocks, tickers and slide shows do not delay it. Then scrolls to the end for as long as that makes the page grow.
 */
export async function waitUntilStable(tab: Tab, job: RenderJob): Promise<WaitResult> {
  const deadline = Math.min(Date.now() + MAX_WAIT_MS, job.readDeadline);
  let result = await waitForStability(tab, job, STABLE_MS, deadline);
  if (hasNavigatedAway(job, result)) return result;
  job.wasStable = true;
  const limit = result.last.elements + MAX_NEW_ELEMENTS;
  for (let round = 0; result.isQuiet && round < MAX_SCROLL_ROUNDS && result.last.elements < limit; round += 1) {
    if ((await tab.run("scrollDown")) !== "true") return result;
    const before = result.last;
    result = await waitForStability(tab, job, STABLE_AFTER_SCROLL_MS, deadline);
    if (result.last.elements <= before.elements && result.last.links <= before.links) break;
  }
  await tab.run("toTop");
  return result;
}

/** Whether the page navigated away before it was first at rest. A meta refresh is left to the page reader. */
export const hasNavigatedAway = (job: RenderJob, { last }: WaitResult): boolean =>
  job.targets.size > 0 && !job.wasStable && !last.hasRefresh;

async function waitForStability(tab: Tab, job: RenderJob, stableMs: number, deadline: number): Promise<WaitResult> {
  let largest = { elements: 0, links: 0 };
  let stableSince = Date.now();
  let stablePolls = 0;
  for (;;) {
    const last = JSON.parse(await tab.run("look")) as PageState;
    const now = Date.now();
    const hasGrown = last.elements > largest.elements || last.links > largest.links;
    largest = { elements: Math.max(largest.elements, last.elements), links: Math.max(largest.links, last.links) };
    const isStable = !hasGrown && !job.isBusy && last.isLoaded && !last.isScrolling;
    stablePolls = isStable ? stablePolls + 1 : 0;
    if (!isStable) stableSince = now;
    if (now - stableSince >= stableMs && stablePolls >= MIN_STABLE_POLLS) return { isQuiet: true, last };
    if (now >= deadline || job.hasTooManyAttempts || job.hasTooManyBytes || hasNavigatedAway(job, { isQuiet: false, last }))
      return { isQuiet: false, last };
    const left = stableMs - (now - stableSince);
    await sleep(left > 10 && left < POLL_MS ? left : POLL_MS);
  }
}
