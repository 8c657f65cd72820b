import type { App } from "../app.ts";
import { type Config, SetupError } from "../config/index.ts";
import { takeTurn } from "../frontier/index.ts";
import type { Fetched } from "../records.ts";
import { judgeRobots, mayVisit, parseRobots, productTokenOf, type RobotsAnswer, robotsUrlFor } from "../robots/index.ts";
import { hostOf, originOf, resolve } from "../url/index.ts";

export interface RobotsReport {
  readonly url: string;
  readonly robotsUrl: string;
  readonly agent: string;
  readonly fetchedAt: string;
  readonly isStored: boolean;
  readonly kind: RobotsAnswer["kind"];
  readonly why: string;
  readonly allowed: boolean;
  readonly rule: string | null;
  readonly crawlDelayMs: number | null;
  readonly sitemaps: readonly string[];
}

const DAY = 24 * 3_600_000;
const MAX_HOPS = 5;
const asWritten = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };

/** The rules that a site's robots.txt holds for us: the stored copy if it is fresh, else asked for in the host's turn. */
export async function robotsReport(app: App, given: { url: string; config: Config }): Promise<RobotsReport> {
  const target = resolve(given.url, undefined, asWritten);
  if (!target) throw new SetupError(`${given.url} is not an http or https URL`, "nuthatch robots https://example.org/page");
  const agent = productTokenOf(given.config.userAgent ?? "nuthatch");
  const origin = originOf(target.url);
  const robotsUrl = robotsUrlFor(target.url);
  const stored = await app.store.robots(origin);
  const isFresh = stored !== undefined && app.world.clock.wall() - stored.fetchedAt < DAY;
  const answer: RobotsAnswer = isFresh
    ? stored.kind === "rules"
      ? { kind: "rules", rules: parseRobots(Buffer.from(stored.text, "latin1"), agent) }
      : { kind: "allow-all", why: stored.why }
    : judgeRobots(await askFor(app, robotsUrl, given.config), agent, given.config.robotsUnreachable);
  const verdict = answer.kind === "rules" ? mayVisit(answer.rules, target.url) : { allowed: answer.kind === "allow-all", rule: undefined };
  return {
    url: target.url,
    robotsUrl,
    agent,
    fetchedAt: new Date(isFresh ? stored.fetchedAt : app.world.clock.wall()).toISOString(),
    isStored: isFresh,
    kind: answer.kind,
    why: "why" in answer ? answer.why : "",
    allowed: verdict.allowed,
    rule: verdict.rule ?? null,
    crawlDelayMs: answer.kind === "rules" ? (answer.rules.crawlDelay ?? null) : null,
    sitemaps: answer.kind === "rules" ? answer.rules.sitemaps.flatMap((url) => resolve(url, origin, asWritten)?.url ?? []) : [],
  };
}

async function askFor(app: App, robotsUrl: string, config: Config): Promise<Fetched> {
  const fetcher = await app.world.openFetcher(config, [robotsUrl]);
  const backlog = app.store.backlog(0);
  try {
    let url = robotsUrl;
    for (let hop = 0; ; hop++) {
      const host = hostOf(url);
      const turn = await takeTurn(backlog, host, { delay: config.rateLimit, cause: "rate" }, app.world.clock);
      const fetched = await fetcher.fetch({ url, turn, accept: "robots" }, AbortSignal.timeout(2 * config.timeout));
      await backlog.release(host);
      if (fetched.kind !== "moved" || hop >= MAX_HOPS) return fetched;
      url = fetched.location;
    }
  } finally {
    await fetcher.close();
  }
}
