import type { Config } from "../../engine/config/index.ts";
import type { RobotsVerdict } from "./robots-verdict.ts";

/** Pages ÷ rate. Assumes that answers arrive within the delay, that hosts are crawled in parallel, and that no new URLs are found. */
export interface Estimate {
  /** Pages known so far, within --max-pages. */
  readonly pages: number;
  /** Null without a rate limit: then the site's own speed decides. */
  readonly ms: number | null;
  /** If the crawl finds as many pages as --max-pages allows; null without a limit. */
  readonly atMostPages: number | null;
  readonly atMostMs: number | null;
  /** The longest delay between two requests to one host, and its cause. */
  readonly delayMs: number;
  readonly delayBy: "rate" | "crawl-delay";
}

export function estimate(perHost: ReadonlyMap<string, number>, robots: readonly RobotsVerdict[], config: Config): Estimate {
  const delayOf = (host: string) => Math.max(config.rateLimit, robots.find((verdict) => verdict.host === host)?.crawlDelayMs ?? 0);
  const hosts = [...perHost].map(([host, pages]) => ({ pages, delay: delayOf(host) }));
  const discovered = hosts.reduce((sum, { pages }) => sum + pages, 0);
  const pages = Math.min(discovered, config.maxPages);
  const slowest = hosts.reduce((most, { pages: own, delay }) => Math.max(most, own * delay), 0);
  const delayMs = hosts.reduce((most, { delay }) => Math.max(most, delay), config.rateLimit);
  const share = discovered === 0 ? 0 : pages / discovered;
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
