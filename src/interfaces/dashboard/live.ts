/** One event stream for the whole dashboard. It reports its state and reconnects automatically. */
import { useEffect, useState } from "preact/hooks";
import { api, BASE } from "./api.ts";

export interface LiveEvent {
  readonly type: string;
  readonly at: string;
  readonly crawlId: number | null;
  readonly siteId: number | null;
  readonly data: unknown;
}

export type LiveState = "live" | "reconnecting" | "paused";

/** Page events are left out: a fast run has more than anyone can read, and the lists show the pages. */
const TYPES = [
  "crawl.started",
  "crawl.progress",
  "crawl.phase",
  "crawl.paused",
  "crawl.resumed",
  "crawl.finished",
  "crawl.failed",
  "crawl.cancelled",
  "job.progress",
  "job.finished",
];

/** True for events other than progress: a run started, ended or was changed. */
export const isStateChange = ({ type }: Pick<LiveEvent, "type">): boolean => type.startsWith("crawl.") && type !== "crawl.progress";

const listeners = new Set<(event: LiveEvent) => void>();
const stateListeners = new Set<(state: LiveState) => void>();
const reconnectListeners = new Set<() => void>();
let source: EventSource | undefined;
let state: LiveState = "reconnecting";
/** True if events may have been missed since the stream was last open. */
let mayHaveMissed = false;
const RETRY_MS = 2000;

const setLiveState = (next: LiveState) => {
  state = next;
  for (const watch of stateListeners) watch(next);
};

function open(): void {
  source = new EventSource(`${BASE}/events?types=${TYPES.join()}`);
  source.onopen = () => {
    setLiveState("live");
    if (!mayHaveMissed) return;
    mayHaveMissed = false;
    for (const back of reconnectListeners) back();
  };
  source.onerror = () => {
    mayHaveMissed = true;
    setLiveState("reconnecting");
    // A browser retries only connection failures; an HTTP error response ends the stream.
    if (source?.readyState === EventSource.CLOSED) retry(source);
  };
  for (const type of TYPES)
    source.addEventListener(type, ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as LiveEvent;
      for (const listen of listeners) listen(event);
    });
}

/** Calls a route that needs a key first: if a key is required by now, that leads to the login page. */
function retry(ended: EventSource): void {
  setTimeout(() => {
    if (source !== ended) return;
    api("/version").then(open, () => retry(ended));
  }, RETRY_MS);
}

/** Calls `listen` when the stream is open again after events may have been missed. */
export function onReconnect(listen: () => void): () => void {
  reconnectListeners.add(listen);
  return () => void reconnectListeners.delete(listen);
}

/** A hidden page closes the stream. */
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    source = undefined;
    mayHaveMissed = true;
    setLiveState("paused");
  } else if (listeners.size > 0 && !source) open();
});

export function useLive(listen: (event: LiveEvent) => void): void {
  useEffect(() => {
    listeners.add(listen);
    if (!source && !document.hidden) open();
    return () => void listeners.delete(listen);
  }, [listen]);
}

export function useLiveState(): LiveState {
  const [now, setNow] = useState(state);
  useEffect(() => {
    stateListeners.add(setNow);
    if (!source && !document.hidden) open();
    return () => void stateListeners.delete(setNow);
  }, []);
  return now;
}
