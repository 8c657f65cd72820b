/** One stream of events for the whole dashboard, shared by whoever listens; it says whether it is live, and takes itself up where it ended. */
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

/** Single pages are left out: of a fast run there are more than anybody can see, and the lists have them. */
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

/** More than another step of what is going on: something began, ended or was changed. */
export const isNews = ({ type }: Pick<LiveEvent, "type">): boolean => type.startsWith("crawl.") && type !== "crawl.progress";

const listeners = new Set<(event: LiveEvent) => void>();
const watchers = new Set<(state: LiveState) => void>();
const returns = new Set<() => void>();
let source: EventSource | undefined;
let state: LiveState = "reconnecting";
/** Whether events may have been missed since the stream was last open. */
let isBehind = false;
const RETRY = 2000;

const told = (next: LiveState) => {
  state = next;
  for (const watch of watchers) watch(next);
};

function open(): void {
  source = new EventSource(`${BASE}/events?types=${TYPES.join()}`);
  source.onopen = () => {
    told("live");
    if (!isBehind) return;
    isBehind = false;
    for (const back of returns) back();
  };
  source.onerror = () => {
    isBehind = true;
    told("reconnecting");
    // A browser tries again by itself only while the connection fails; an answer that is an error ends the stream.
    if (source?.readyState === EventSource.CLOSED) retry(source);
  };
  for (const type of TYPES)
    source.addEventListener(type, ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as LiveEvent;
      for (const listen of listeners) listen(event);
    });
}

/** Asks first for what needs a key: where one is wanted by now, that leads to the login. */
function retry(ended: EventSource): void {
  setTimeout(() => {
    if (source !== ended) return;
    api("/version").then(open, () => retry(ended));
  }, RETRY);
}

/** Called when the stream is open again after events may have been missed. */
export function onReturn(listen: () => void): () => void {
  returns.add(listen);
  return () => void returns.delete(listen);
}

/** A page that nobody looks at does not listen. */
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    source = undefined;
    isBehind = true;
    told("paused");
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
    watchers.add(setNow);
    if (!source && !document.hidden) open();
    return () => void watchers.delete(setNow);
  }, []);
  return now;
}
