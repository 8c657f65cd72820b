import { setTimeout as sleep } from "node:timers/promises";
import type { Errand } from "./errand.ts";
import type { Look } from "./inside/index.ts";
import type { Tab } from "./tab.ts";

/** Milliseconds without growth for a page to be at rest; less after scrolling, because the first wait has shown its spontaneous changes. */
const CALM = 500;
const CALM_AFTER_SCROLL = 250;
/** Milliseconds between two looks. */
const GLANCE = 100;
/** This many consecutive looks must agree: if looks are slow, everything else is slow too. */
const STEADY = 3;
/** Milliseconds from when the document is there. */
const LONGEST = 12_000;
/** Limits for pages that grow each time their end is reached. */
const MOST_ROUNDS = 12;
const MOST_ELEMENTS = 30_000;

/** The state of a page after waiting. */
export interface Rest {
  readonly isQuiet: boolean;
  readonly last: Look;
}

/**
 * Waits until a page is at rest: no open request that it could be waiting for, and no growth for a moment. Only growth counts,
 * so that clocks, tickers and slide shows do not delay it. Then scrolls to the end for as long as that makes the page grow.
 */
export async function comeToRest(tab: Tab, errand: Errand): Promise<Rest> {
  const until = Math.min(Date.now() + LONGEST, errand.restBy);
  let rest = await wait(tab, errand, CALM, until);
  if (hasLeft(errand, rest)) return rest;
  errand.isAtRest = true;
  const limit = rest.last.elements + MOST_ELEMENTS;
  for (let round = 0; rest.isQuiet && round < MOST_ROUNDS && rest.last.elements < limit; round += 1) {
    if ((await tab.run("scrollDown")) !== "true") return rest;
    const before = rest.last;
    rest = await wait(tab, errand, CALM_AFTER_SCROLL, until);
    if (rest.last.elements <= before.elements && rest.last.links <= before.links) break;
  }
  await tab.run("toTop");
  return rest;
}

/** Whether the page navigated away before it was first at rest. A meta refresh is left to the page reader. */
export const hasLeft = (errand: Errand, { last }: Rest): boolean => errand.targets.size > 0 && !errand.isAtRest && !last.hasRefresh;

async function wait(tab: Tab, errand: Errand, calm: number, until: number): Promise<Rest> {
  let most = { elements: 0, links: 0 };
  let since = Date.now();
  let steady = 0;
  for (;;) {
    const last = JSON.parse(await tab.run("look")) as Look;
    const now = Date.now();
    const hasGrown = last.elements > most.elements || last.links > most.links;
    most = { elements: Math.max(most.elements, last.elements), links: Math.max(most.links, last.links) };
    const isSteady = !hasGrown && !errand.isBusy && last.isLoaded && !last.isScrolling;
    steady = isSteady ? steady + 1 : 0;
    if (!isSteady) since = now;
    if (now - since >= calm && steady >= STEADY) return { isQuiet: true, last };
    if (now >= until || errand.isStorming || errand.hasEnough || hasLeft(errand, { isQuiet: false, last })) return { isQuiet: false, last };
    const left = calm - (now - since);
    await sleep(left > 10 && left < GLANCE ? left : GLANCE);
  }
}
