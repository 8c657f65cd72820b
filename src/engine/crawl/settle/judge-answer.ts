import type { Fetched, Reason, Verdict } from "../../../core/records.ts";

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly rule: string;
  /** Whether a retry could succeed. */
  readonly mayRetry: boolean;
  /** Delay (ms) before this URL is tried again, besides its host's delay. */
  readonly pause: number;
}

/** A failed URL waits for a second, two, four …, up to this; its host goes on. */
const MAX_PAUSE_MS = 30_000;

/** What an answer means for its URL. A new kind of answer will not compile until it is decided here. */
export function judgeAnswer(fetched: Fetched, attempts: number, random: () => number): Judgement {
  const end = (verdict: Verdict, reason: Reason, rule: string): Judgement => ({ verdict, reason, rule, mayRetry: false, pause: 0 });
  switch (fetched.kind) {
    case "body":
      return end("fetched", "ok", "");
    case "not-modified":
      return end("not-modified", "ok", "");
    case "moved":
      return end("fetched", "ok", `moved to ${fetched.location}`);
    case "gone":
      return end("failed", "http.4xx", `answered ${fetched.status}`);
    case "refused":
      switch (fetched.by) {
        case "pace":
          return { ...end("deferred", fetched.reason, fetched.rule), mayRetry: true };
        case "server":
          return end("failed", fetched.reason, fetched.rule);
        case "robots":
          return end(isDeferral(fetched.reason) ? "deferred" : "skipped", fetched.reason, fetched.rule);
        default:
          return end("skipped", fetched.reason, fetched.rule);
      }
    case "failed": {
      const pause = fetched.retryAfter === undefined ? Math.min(MAX_PAUSE_MS, 1000 * 2 ** attempts * (0.5 + random())) : 0;
      // A page that crashes its browser twice will crash it again.
      const mayRetry = fetched.mayHeal && !(fetched.reason === "render.crash" && attempts > 0);
      return { ...end("failed", fetched.reason, fetched.detail), mayRetry, pause };
    }
    default:
      return fetched satisfies never;
  }
}

const isDeferral = (reason: Reason) => reason === "robots.unreachable" || reason === "host.crawl-delay";

/** The class a status is counted under: 2xx, 304, 3xx, 4xx, 5xx. */
export function statusClass(fetched: Fetched): string | undefined {
  if (fetched.kind === "not-modified") return "304";
  return "status" in fetched && fetched.status !== undefined ? `${Math.floor(fetched.status / 100)}xx` : undefined;
}
