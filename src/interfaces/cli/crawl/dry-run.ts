import type { Seed } from "../../../core/seed.ts";
import type { Config, ConfigFile } from "../../../engine/config/index.ts";
import { count, formatDuration, plural, printable, size, skipGroups } from "../../../engine/telemetry/index.ts";
import { reasonSentence } from "../../../features/explain/reasons.ts";
import { type Preview, preview } from "../../../features/preview/preview.ts";
import { hasData } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { openData } from "../commands/stored.ts";
import { exitCodes, isBlocked } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { paragraph, type Shell } from "../shell.ts";
import { openWaitMessages } from "../waits.ts";

export interface DryRunSetup {
  readonly shell: Shell;
  readonly flags: Globals;
  readonly db: string;
  readonly file: ConfigFile | undefined;
  readonly seeds: readonly Seed[];
  readonly config: Config;
  /** The same command without --dry-run. */
  readonly realCommand: string;
}

/** `crawl --dry-run`: shows what a crawl would do, with the exit code it would have. */
export async function dryRun({ shell, flags, db, file, seeds, config, realCommand }: DryRunSetup): Promise<number> {
  const answer = openAnswer(shell, flags, "one");
  const app = await openData((await hasData(db)) ? db : ":memory:", flags, shell, file);
  const waits = openWaitMessages(shell, flags);
  try {
    const shown = await preview(app, { seeds, config, onStart: waits.onStart });
    await answer({
      document: { dryRun: true, ...shown },
      text: paragraph(previewLines(shown, { realCommand, isLong: (flags.verbose ?? 0) > 0 })),
    });
    return exitCodeOf(shown);
  } finally {
    waits.stop();
    await app.close();
  }
}

const exitCodeOf = ({ seeds }: Preview) => {
  if (seeds.some(({ ok }) => ok)) return exitCodes.ok;
  return seeds.every(isBlocked) ? exitCodes.blocked : exitCodes.noPages;
};

const MAX_SHOWN_URLS = 10;
const MAX_SHOWN_SEEDS = 3;

/** Limited to about a screen; -v shows everything. */
export function previewLines(shown: Preview, { realCommand, isLong }: { realCommand: string; isLong: boolean }): string[] {
  const { seeds, robots, wanted, first, skipped } = shown;
  const urls = isLong ? first : first.slice(0, MAX_SHOWN_URLS);
  const more = wanted - urls.length - seeds.filter(({ ok }) => ok).length;
  const skips = skipGroups(Object.fromEntries(skipped.map(({ reason, urls: number }) => [reason, number])));
  const skippedUrls = skipped.reduce((sum, { urls: number }) => sum + number, 0);
  const examples = skipped.flatMap(({ reason, examples: [example, ...others] }) =>
    (isLong ? [example, ...others] : [example]).flatMap((each) =>
      each ? [`    ${each.url}  ${each.rule || reasonSentence(reason)}`] : [],
    ),
  );
  return [
    `Dry run: ${plural(shown.requests, "request", "requests")} for robots.txt, sitemaps and seeds; nothing is kept`,
    ...seeds.slice(0, MAX_SHOWN_SEEDS).map((seed) => `  seed      ${seedWords(seed)}`),
    ...(seeds.length > MAX_SHOWN_SEEDS ? [`            and ${seeds.length - MAX_SHOWN_SEEDS} more`] : []),
    ...robots.slice(0, MAX_SHOWN_SEEDS).map((verdict) => `  robots    ${verdict.host}: ${robotsWords(verdict)}`),
    `  sitemaps  ${sitemapWords(shown)}`,
    `  limits    ${limitWords(shown)}`,
    `  fetch     ${plural(wanted, "URL", "URLs")} heard of so far${urls.length > 0 ? ", after the seeds in this order:" : ""}`,
    ...urls.map(({ url, isRobotsKnown }) => `    ${url}${isRobotsKnown ? "" : "  (if its robots.txt allows)"}`),
    ...(more > 0 ? [`    and ${count(more)} more${isLong ? "" : "; -v shows 50"}`] : []),
    `  skip      ${skippedUrls === 0 ? "nothing" : skips.map(([words, number]) => `${words} ${count(number)}`).join(" · ")}`,
    ...(isLong ? examples : examples.slice(0, 5)),
    `  time      ${timeWords(shown)}`,
    ...(shown.looksScripted ? ["  note      it looks script-rendered → --render auto"] : []),
    ...(seeds.some(({ ok }) => ok) ? [`  next      ${realCommand}`] : []),
  ];
}

function seedWords({ url, redirects, ok, status, contentType, reason, rule }: Preview["seeds"][number]): string {
  const redirectChain = [url, ...redirects].join(" → ");
  return ok
    ? `${redirectChain}  ${status} ${contentType ?? ""}`.trimEnd()
    : `${redirectChain}  would not be fetched: ${rule || reasonSentence(reason)}`;
}

function robotsWords({ kind, why, allowed, rule, crawlDelayMs, sitemaps }: Preview["robots"][number]): string {
  const word = { rules: allowed ? "allowed" : `not allowed by ${rule}`, none: `allowed: ${why}`, unreachable: why, ignored: "ignored" }[
    kind
  ];
  const delay = crawlDelayMs === null ? "" : `, Crawl-delay ${formatDuration(crawlDelayMs)}`;
  return `${word || "could not be read"}${delay}${sitemaps.length > 0 ? `, names ${plural(sitemaps.length, "sitemap", "sitemaps")}` : ""}`;
}

function sitemapWords({ sitemaps, unreadSitemaps }: Preview): string {
  if (sitemaps.length === 0) return "none";
  const urls = sitemaps.reduce((sum, sitemap) => sum + sitemap.urls, 0);
  const unread = unreadSitemaps > 0 ? `; ${count(unreadSitemaps)} more not looked into` : "";
  return `${count(sitemaps.length)} read, ${plural(urls, "new URL", "new URLs")}${unread}`;
}

function limitWords({ limits }: Preview): string {
  const parts = [
    `scope ${limits.scope}`,
    limits.maxDepth === null ? "any depth" : `depth ${limits.maxDepth}`,
    limits.maxPages === null ? "any number of pages" : plural(limits.maxPages, "page", "pages"),
    limits.delayMs === 0 ? "no pause" : `a request every ${formatDuration(limits.delayMs)} per host`,
    `${limits.maxConcurrent} at once`,
    ...(limits.maxTimeMs === null ? [] : [formatDuration(limits.maxTimeMs)]),
    ...(limits.maxBytes === null ? [] : [size(limits.maxBytes)]),
  ];
  return printable(parts.join(" · "));
}

function timeWords({ estimate: { pages, ms, atMostPages, atMostMs, delayMs, delayBy } }: Preview): string {
  if (pages === 0) return "none: nothing would be fetched";
  if (ms === null) return "without a pause the site's own speed decides";
  const known = `about ${formatDuration(ms)} for what is known, one page every ${formatDuration(delayMs)}${delayBy === "rate" ? "" : " (its Crawl-delay)"}`;
  const maxText = atMostMs === null ? "" : `; at most ${formatDuration(atMostMs)} for ${plural(atMostPages!, "page", "pages")}`;
  return `${known}${maxText}. More may be heard of on the way`;
}
