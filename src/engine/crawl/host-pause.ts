import type { DelayCause, Reason } from "../../core/records.ts";

/** A host with queued URLs that may not be asked before a given moment. */
export interface HostPause {
  readonly host: string;
  readonly until: string;
  /** The cause of the pause. */
  readonly cause: DelayCause;
  /** Failures in a row. */
  readonly failures: number;
}

/** `back-off after 5 failures` */
export function pauseCauseText({ cause, failures }: Pick<HostPause, "cause" | "failures">): string {
  switch (cause) {
    case "backoff":
      return failures > 0 ? `back-off after ${failures} ${failures === 1 ? "failure" : "failures"}` : "back-off";
    case "retry-after":
      return "Retry-After";
    case "crawl-delay":
      return "Crawl-delay";
    case "slow":
      return "it answers slowly";
    case "paused":
      return "paused by hand";
    case "rate":
      return "your rate";
    default:
      return cause satisfies never;
  }
}

/** `09:33`, or with the date on another day. Rounded up to the minute. */
export function minuteText(moment: string | number, now: number): string {
  const at = new Date(Math.ceil(new Date(moment).getTime() / 60_000) * 60_000).toLocaleString("sv"); // 2026-05-04 13:37:00
  const isToday = at.slice(0, 10) === new Date(now).toLocaleString("sv").slice(0, 10);
  return at.slice(isToday ? 11 : 0, 16);
}

/** `example.org must wait until 09:33 (back-off after 5 failures)` */
export const pauseText = (pause: HostPause, now: number): string =>
  `${pause.host} must wait until ${minuteText(pause.until, now)} (${pauseCauseText(pause)})`;

/** The reason and rule for a URL whose host was not asked. */
export const pauseReason = (pause: HostPause, now: number, why?: string): { readonly reason: Reason; readonly rule: string } => ({
  reason: "host.blocked",
  rule: `not asked: ${pauseText(pause, now)}${why === undefined ? "" : `; ${why}`}`,
});
