import { mayVisit, parseRobots, productTokenOf } from "../../analysis/robots/index.ts";
import { hostOf, originOf, resolve } from "../../analysis/url/index.ts";
import type { Reason } from "../../core/records.ts";
import type { Config } from "../../engine/config/index.ts";
import type { Store } from "../../store/index.ts";

/** What an origin's robots.txt permits for the named URLs. */
export interface RobotsVerdict {
  readonly origin: string;
  readonly host: string;
  /** `rules`: there is a file. `none`: there is none, so all is allowed. `ignored`: by --no-robots. */
  readonly kind: "rules" | "none" | "unreachable" | "ignored";
  readonly why: string;
  readonly allowed: boolean;
  readonly rule: string | null;
  readonly crawlDelayMs: number | null;
  readonly sitemaps: readonly string[];
}

interface NamedUrl {
  readonly url: string;
  readonly finalUrl: string;
  readonly reason: Reason;
  readonly rule: string;
}

const DAY = 24 * 3_600_000;
const UNCHANGED_KEYS = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };

/** Verdicts from the robots.txt files that a run has just fetched. */
export async function robotsVerdicts(
  store: Store,
  origins: Iterable<string>,
  config: Config,
  named: readonly NamedUrl[],
): Promise<RobotsVerdict[]> {
  const agent = productTokenOf(config.userAgent ?? "nuthatch");
  const verdicts: RobotsVerdict[] = [];
  for (const origin of origins) {
    const nothing = { origin, host: hostOf(origin), why: "", rule: null, crawlDelayMs: null, sitemaps: [] };
    const known = config.respectRobots ? await store.robots(origin) : undefined;
    // Ignore copies older than a day: the run would have refetched robots.txt if it could.
    const stored = known && Date.now() - known.fetchedAt < DAY ? known : undefined;
    const urls = named.flatMap(({ url, finalUrl }) => [url, finalUrl]).filter((url) => originOf(url) === origin);
    if (!config.respectRobots) verdicts.push({ ...nothing, kind: "ignored", allowed: true });
    else if (stored?.kind === "rules") {
      const rules = parseRobots(Buffer.from(stored.text, "latin1"), agent);
      const closed = urls.map((url) => mayVisit(rules, url)).find(({ allowed }) => !allowed);
      verdicts.push({
        ...nothing,
        kind: "rules",
        allowed: closed === undefined,
        rule: closed?.rule ?? null,
        crawlDelayMs: rules.crawlDelay ?? null,
        sitemaps: rules.sitemaps.flatMap((url) => resolve(url, origin, UNCHANGED_KEYS)?.url ?? []),
      });
    } else if (stored) verdicts.push({ ...nothing, kind: "none", why: stored.why, allowed: true });
    else {
      const why = named.find(({ url, finalUrl }) => originOf(url) === origin || originOf(finalUrl) === origin)?.rule ?? "";
      verdicts.push({ ...nothing, kind: "unreachable", why, allowed: config.robotsUnreachable === "allow" });
    }
  }
  return verdicts;
}
