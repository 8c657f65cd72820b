import { judgeRobots, mayVisit, parseRobots, productTokenOf, type RobotsAnswer, robotsUrlFor } from "../../analysis/robots/index.ts";
import { hostOf, originOf, resolve } from "../../analysis/url/index.ts";
import type { Fetched } from "../../core/records.ts";
import type { NamedBy } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import { takeTurn } from "../../engine/frontier/index.ts";
import type { StoredRobots } from "../../store/index.ts";

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

interface RobotsRequest {
  readonly config: Config;
  readonly namedBy: NamedBy;
}

const DAY = 24 * 3_600_000;
const MAX_HOPS = 5;
const UNCHANGED_KEYS = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };

/** The rules of a site's robots.txt for us: the stored copy if it is fresh, else fetched in the host's turn. */
export async function robotsReport(app: App, given: RobotsRequest & { readonly url: string }): Promise<RobotsReport> {
  const target = resolve(given.url, undefined, UNCHANGED_KEYS);
  if (!target) throw new SetupError(`${given.url} is not an http or https URL`, "nuthatch robots https://example.org/page");
  const agent = productTokenOf(given.config.userAgent ?? "nuthatch");
  const robotsUrl = robotsUrlFor(target.url);
  const stored = await app.store.robots(originOf(target.url));
  const isFresh = stored !== undefined && app.world.clock.wall() - stored.fetchedAt < DAY;
  const answer: RobotsAnswer = isFresh
    ? answerOf(stored, agent)
    : judgeRobots(await fetchRobots(app, robotsUrl, given), agent, given.config.robotsUnreachable);
  const fetchedAt = isFresh ? stored.fetchedAt : app.world.clock.wall();
  return reportOf(target.url, answer, { agent, fetchedAt, isStored: isFresh });
}

/** The stored rules; undefined if robots.txt was never fetched. Makes no requests. */
export async function storedRobotsReport(
  app: App,
  { url, userAgent }: { url: string; userAgent?: string | undefined },
): Promise<RobotsReport | undefined> {
  const target = resolve(url, undefined, UNCHANGED_KEYS);
  const stored = target && (await app.store.robots(originOf(target.url)));
  if (!stored) return undefined;
  const agent = productTokenOf(userAgent ?? "nuthatch");
  return reportOf(target.url, answerOf(stored, agent), { agent, fetchedAt: stored.fetchedAt, isStored: true });
}

const answerOf = (stored: StoredRobots, agent: string): RobotsAnswer =>
  stored.kind === "rules"
    ? { kind: "rules", rules: parseRobots(Buffer.from(stored.text, "latin1"), agent) }
    : { kind: "allow-all", why: stored.why };

function reportOf(
  url: string,
  answer: RobotsAnswer,
  { agent, fetchedAt, isStored }: { agent: string; fetchedAt: number; isStored: boolean },
): RobotsReport {
  const verdict = answer.kind === "rules" ? mayVisit(answer.rules, url) : { allowed: answer.kind === "allow-all", rule: undefined };
  return {
    url,
    robotsUrl: robotsUrlFor(url),
    agent,
    fetchedAt: new Date(fetchedAt).toISOString(),
    isStored,
    kind: answer.kind,
    why: "why" in answer ? answer.why : "",
    allowed: verdict.allowed,
    rule: verdict.rule ?? null,
    crawlDelayMs: answer.kind === "rules" ? (answer.rules.crawlDelay ?? null) : null,
    sitemaps:
      answer.kind === "rules" ? answer.rules.sitemaps.flatMap((sitemap) => resolve(sitemap, originOf(url), UNCHANGED_KEYS)?.url ?? []) : [],
  };
}

async function fetchRobots(app: App, robotsUrl: string, { config, namedBy }: RobotsRequest): Promise<Fetched> {
  const fetcher = await app.world.openFetcher(config, await app.networkAccess(config, [{ url: robotsUrl, namedBy }]));
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
