/** Events in the one form that all clients get. */

import type { Page } from "../../../core/records.ts";
import type { CrawlEvent } from "../../../engine/crawl/index.ts";
import type { Run, SettledUrl } from "../../../store/index.ts";
import type { EngineEvent } from "../engine/engine.ts";
import { runJson } from "../json/run-json.ts";

const FINAL_TYPES: ReadonlySet<EngineEvent["type"]> = new Set(["crawl.finished", "crawl.failed", "crawl.cancelled"]);

export interface EventContext {
  readonly crawlId: number | null;
  readonly siteId: number | null;
  /** When it happened; default now. */
  readonly at?: number | undefined;
}

export function eventOf(type: EngineEvent["type"], { crawlId, siteId, at }: EventContext, data: object, seq?: number): EngineEvent {
  const document = { type, at: new Date(at ?? Date.now()).toISOString(), crawlId, siteId, data };
  return { runId: crawlId ?? 0, type, seq, isLast: FINAL_TYPES.has(type), data: JSON.stringify(document) };
}

const eventContext = (run: Run): EventContext => ({ crawlId: run.id, siteId: run.sites[0]?.id ?? null });

export const runEvent = (run: Run, type: EngineEvent["type"], data: object): EngineEvent => eventOf(type, eventContext(run), data);

/** One event per page visit, in the same form live and in a replay. */
const pageEvent = (page: Page, runId: number, at: number, seq: number): EngineEvent =>
  eventOf(page.change === "gone" ? "page.gone" : "page.fetched", { crawlId: runId, siteId: page.siteId, at }, page, seq);

/** Maps an event of a run to the event sent to clients; undefined if clients do not get it. */
export function engineEvent(run: Run, event: CrawlEvent): EngineEvent | undefined {
  switch (event.type) {
    case "page.fetched":
    case "page.gone":
      return pageEvent(event.page, run.id, Date.parse(event.page.fetchedAt), event.page.seq);
    case "url.settled": {
      const { type, seq, durationMs: _, status = null, ...data } = event;
      return eventOf(type, eventContext(run), { ...data, status }, seq);
    }
    case "crawl.started":
      return runEvent(run, event.type, { isResumed: event.isResumed, run: runJson(event.run) });
    case "crawl.finished":
      return runEvent(run, event.type, { run: runJson(event.run), result: event.result });
    case "link.heard":
      return undefined;
    default: {
      const { type, ...data } = event;
      return runEvent(run, type, data);
    }
  }
}

/** As `engineEvent`, for an outcome read from the data file. */
export function settledEvent(run: Run, { seq, at, page, url, depth, verdict, reason, rule, status }: SettledUrl): EngineEvent {
  if (page) return pageEvent(page, run.id, at, seq);
  return eventOf("url.settled", { ...eventContext(run), at }, { url, depth, verdict, reason, rule, status }, seq);
}
