import type { Config } from "../config/index.ts";
import type { RobotsVerdict } from "./robots-verdict.ts";

/** Pages ÷ rate. It assumes that every answer comes within the pause, that hosts are asked side by side, and that nothing new is heard of. */
export interface Estimate {
  /** Known so far, within --max-pages. */
  readonly pages: number;
  /** Null without a pause: then the site's own speed decides. */
  readonly ms: number | null;
  /** If the crawl hears of as many as --max-pages allows; null if nothing limits it. */
  readonly atMostPages: number | null;
  readonly atMostMs: number | null;
  /** The longest pause between two requests to one host, and who asked for it. */
  readonly delayMs: number;
  readonly delayBy: "rate" | "crawl-delay";
}

export function estimate(perHost: ReadonlyMap<string, number>, robots: readonly RobotsVerdict[], config: Config): Estimate {
  const delayOf = (host: string) => Math.max(config.rateLimit, robots.find((verdict) => verdict.host === host)?.crawlDelayMs ?? 0);
  const hosts = [...perHost].map(([host, pages]) => ({ pages, delay: delayOf(host) }));
  const heard = hosts.reduce((sum, { pages }) => sum + pages, 0);
  const pages = Math.min(heard, config.maxPages);
  const slowest = hosts.reduce((most, { pages: own, delay }) => Math.max(most, own * delay), 0);
  const delayMs = hosts.reduce((most, { delay }) => Math.max(most, delay), config.rateLimit);
  const share = heard === 0 ? 0 : pages / heard;
  const within = (ms: number) => Math.min(ms, config.maxTime);
  const isPaced = delayMs > 0;
  const isLimited = Number.isFinite(config.maxPages);
  return {
    pages,
    ms: isPaced ? within(Math.round(slowest * share)) : null,
    atMostPages: isLimited ? config.maxPages : null,
    atMostMs: isPaced && isLimited ? within(config.maxPages * delayMs) : null,
    delayMs,
    delayBy: delayMs > config.rateLimit ? "crawl-delay" : "rate",
  };
}
