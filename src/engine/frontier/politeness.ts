import type { DelayCause } from "../../core/records.ts";

/** The politeness state of one host. Plain data: every rule about it is a function below. */
export interface Pace {
  /** Robots Crawl-delay in milliseconds, if the host asked for one. */
  crawlDelay: number | undefined;
  /** Consecutive failures of the host: each doubles the next pause. */
  failures: number;
  /** Consecutive failures of different URLs on a host that otherwise works. */
  doubts: number;
  /** Smoothed and best seen time to answer, in milliseconds; 0 = never answered. */
  latency: number;
  bestLatency: number;
  /** Responses received in this run. */
  answered: number;
}

export const newPace = (): Pace => ({ crawlDelay: undefined, failures: 0, doubts: 0, latency: 0, bestLatency: 0, answered: 0 });

export interface Delay {
  readonly wait: number;
  readonly cause: DelayCause;
}

const SLOW_MS = 1000;
const MAX_BACK_OFF_MS = 10 * 60_000;
/** If this many different URLs in a row fail, the host counts as failing. */
const MAX_FAILED_URLS = 5;

/** The pause between two requests to a healthy host: the longest of what we, the host and its latency ask for. */
export function regularDelay(pace: Pace, ownDelay: number, autoSlow: boolean): Delay {
  const crawlDelay = pace.crawlDelay ?? 0;
  // A host that now needs seconds where it once needed a fraction of one is under load, whatever the cause.
  const slowed = autoSlow && pace.latency > SLOW_MS && pace.latency > 4 * pace.bestLatency ? pace.latency : 0;
  const wait = Math.max(ownDelay, crawlDelay, slowed);
  if (wait === 0 || wait === ownDelay) return { wait, cause: "rate" };
  return { wait, cause: wait === crawlDelay ? "crawl-delay" : "slow" };
}

/** After a failure the host is left alone: twice as long each time, starting from the regular delay or one second. */
export function backOff(pace: Pace, regular: number): Delay {
  return { wait: Math.min(MAX_BACK_OFF_MS, Math.max(regular, 1000) * 2 ** (pace.failures - 1)), cause: "backoff" };
}

export type Answer =
  | { readonly kind: "answered"; readonly duration: number }
  /** `blames: "url"`: the host was reachable, and only this URL failed; "known-url": a URL that has failed before. */
  | { readonly kind: "failed"; readonly blames?: "host" | "url" | "known-url" }
  | { readonly kind: "asked-to-wait"; readonly retryAfter: number | undefined };

/** Updates the pace by an answer. */
export function updatePace(pace: Pace, answer: Answer): void {
  if (answer.kind !== "answered") {
    if (answer.kind === "failed" && isOnlyPageFailure(pace, answer)) return;
    pace.failures += 1;
    return;
  }
  pace.failures = 0;
  pace.doubts = 0;
  pace.answered += 1;
  pace.latency = pace.latency === 0 ? answer.duration : 0.7 * pace.latency + 0.3 * answer.duration;
  pace.bestLatency = pace.bestLatency === 0 ? answer.duration : Math.min(pace.bestLatency, answer.duration);
}

/**
 * A host that has answered, and since then has failed only for a few URLs, counts as working: these URLs wait, and the others do not. A
 * repeated failure of the same URL says nothing new about its host.
 */
function isOnlyPageFailure(pace: Pace, { blames = "host" }: Extract<Answer, { kind: "failed" }>): boolean {
  if (blames === "host" || pace.answered === 0 || pace.failures > 0) return false;
  if (blames === "url") pace.doubts += 1;
  return pace.doubts < MAX_FAILED_URLS;
}

/** How long the host is left alone after this answer. */
export function delayAfter(pace: Pace, answer: Answer, regular: Delay): Delay {
  if (answer.kind === "answered" || pace.failures === 0) return regular;
  if (answer.kind === "asked-to-wait" && answer.retryAfter !== undefined) {
    return { wait: Math.max(regular.wait, answer.retryAfter), cause: "retry-after" };
  }
  return backOff(pace, regular.wait);
}

/**
 * The host counts from when it received the request, which is later than when we sent it: a connection had to be made, and the
 * server may have been busy. All we know is that it had the request when it answered, so the delay counts from the answer: the gap
 * the *server* sees is never shorter. Only where several requests are out at once, one that took longer than the delay itself counts
 * from a delay after it left, or slow answers would be waited for twice.
 */
export const receiptAllowance = (duration: number, delay: number): number => Math.min(duration, delay);
