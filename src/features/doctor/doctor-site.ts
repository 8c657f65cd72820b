import { seedsBy } from "../../core/seed.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import { reasonSentence } from "../explain/reasons.ts";
import { type Preview, type PreviewInput, preview, type SeedPreview } from "../preview/preview.ts";
import { bad, type Check, ok, warn } from "./doctor.ts";

export interface SiteFindings {
  readonly url: string;
  readonly checks: readonly Check[];
  readonly preview: Preview;
  /** Suggested lines for a config file. */
  readonly suggested: readonly string[];
}

const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** Checks how a site responds. Requests its robots.txt, its sitemaps and the page itself, like a dry run. */
export async function checkSite(app: App, given: { url: string } & Pick<PreviewInput, "config" | "onStart">): Promise<SiteFindings> {
  const shown = await preview(app, { ...given, seeds: seedsBy("person", [given.url]) });
  const seed = shown.seeds[0]!;
  const checks = [
    ...networkChecks(seed),
    ...(seed.ok || /^(robots\.|host\.crawl-delay)/.test(seed.reason) ? [robotsCheck(shown, seed)] : []),
    ...paceChecks(shown, given.config),
    ...(seed.ok ? [sitemapCheck(shown), ...pageChecks(shown, seed), ...skewChecks(seed, Date.now())] : []),
  ];
  return { url: seed.url, checks, preview: shown, suggested: suggestedLines(shown, seed, given.config) };
}

const fixes: Readonly<Record<string, string>> = {
  dns: "check the name, and the name servers of this machine",
  tls: "if it is a certificate of your own: --ca file.pem",
  timeout: "try again later, or --timeout 30s",
  "private-network": "if it is yours: --allow-private <address>",
  "http.429": "try again later",
};

/** A page that robots.txt closes was not requested, so it shows nothing about the network. */
function networkChecks({ url, ok: isThere, status, reason, rule, redirects, contentType }: SeedPreview): Check[] {
  if (reason.startsWith("robots.") || reason === "host.crawl-delay") return [];
  const isSecure = url.startsWith("https:");
  if (!isThere) {
    const name = reason === "dns" || reason === "tls" ? reason : "answer";
    return [bad(name, rule || reasonSentence(reason), fixes[reason] ?? `check the address: nuthatch fetch ${url} --headers`)];
  }
  const [target] = redirects.slice(-1);
  return [
    ok(isSecure ? "tls there" : "name", `${new URL(url).hostname} answers`),
    ok("answer", `${status} ${contentType ?? "without a content type"}`),
    ...(target === undefined ? [] : [warn("redirect", `${url} has moved to ${target}`, `nuthatch crawl ${target}`)]),
  ];
}

function robotsCheck({ robots }: Preview, seed: SeedPreview): Check {
  const closed = robots.find(({ allowed }) => !allowed);
  if (closed?.kind === "unreachable")
    return bad("robots.txt", closed.why || "it could not be read", "try later; --robots-unreachable allow, if you have permission");
  if (closed) return bad("robots.txt", `${seed.url} is closed by ${closed.rule}`, "ask the site's owner");
  const [first] = robots;
  if (first?.kind === "ignored") return warn("robots.txt", "ignored, as you asked", "leave out --no-robots");
  return ok("robots.txt", first?.kind === "rules" ? "allows it" : `allows it: ${first?.why ?? ""}`);
}

function paceChecks({ robots }: Preview, { rateLimit, maxCrawlDelay }: Config): Check[] {
  const delay = Math.max(0, ...robots.map(({ crawlDelayMs }) => crawlDelayMs ?? 0));
  if (delay === 0) return [];
  const message = `Crawl-delay ${delay / 1000} s: ${Math.floor(3_600_000 / Math.max(delay, rateLimit))} pages an hour at most`;
  if (delay <= maxCrawlDelay) return [ok("crawl delay", message)];
  return [bad("crawl delay", `${message}, which is longer than --max-crawl-delay`, `--max-crawl-delay ${delay / 1000}s`)];
}

function sitemapCheck({ sitemaps, unreadSitemaps }: Preview): Check {
  const urls = sitemaps.reduce((sum, sitemap) => sum + sitemap.urls, 0);
  const broken = sitemaps.find(({ status }) => status !== 200);
  if (broken) return warn("sitemaps", `${broken.url} answered ${broken.status ?? "nothing"}`, "tell the site's owner, or --sitemap off");
  if (sitemaps.length === 0) return ok("sitemaps", "robots.txt names none; links are followed");
  return ok("sitemaps", `${sitemaps.length + unreadSitemaps}, with ${urls}${unreadSitemaps > 0 ? " or more" : ""} URLs that are new`);
}

function pageChecks({ looksScripted, wanted, first }: Preview, { contentType }: SeedPreview): Check[] {
  if (looksScripted)
    return [
      warn(
        "content",
        "it looks script-rendered: there is next to no text without a browser",
        "--render auto, or --sitemap only if it has sitemaps",
      ),
    ];
  const isPage = /html|xml|markdown|plain/i.test(contentType ?? "html");
  if (isPage && first.length === 0) return [warn("content", "it leads nowhere within the scope", "--scope domain, or another start")];
  return [ok("content", `${wanted} URLs to go on with`)];
}

function skewChecks({ date }: SeedPreview, now: number): Check[] {
  const skew = date === null ? Number.NaN : now - Date.parse(date);
  if (Number.isNaN(skew)) return [];
  if (Math.abs(skew) <= MAX_CLOCK_SKEW_MS) return [ok("clock there", "agrees with ours")];
  const minutes = Math.round(Math.abs(skew) / 60_000);
  return [warn("clock there", `ours is ${minutes} min ${skew > 0 ? "ahead of" : "behind"} the server's`, "timedatectl set-ntp true")];
}

/** Suggested lines of nuthatch.config.yaml for this site. */
function suggestedLines({ robots }: Preview, seed: SeedPreview, config: Config): string[] {
  if (!seed.ok) return [];
  const delay = Math.max(0, ...robots.map(({ crawlDelayMs }) => crawlDelayMs ?? 0));
  return [
    ...(config.contact === undefined ? ["contact: mailto:you@example.org"] : []),
    "sites:",
    `  - url: ${seed.finalUrl}`,
    ...(delay > config.maxCrawlDelay ? [`    maxCrawlDelay: ${delay / 1000}s`] : []),
  ];
}
