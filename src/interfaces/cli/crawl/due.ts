import { count, formatDuration, plural } from "../../../engine/telemetry/index.ts";
import { type DuePreview, duePreview, type Revisit } from "../../../features/due/due.ts";
import { hasData, isReadOnlyFile } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { openData } from "../commands/stored.ts";
import { exitCodes } from "../exit-codes.ts";
import { paragraph } from "../shell.ts";
import type { DryRunSetup } from "./dry-run.ts";

/** `crawl --due --dry-run`: shows which pages are due, and why. Sends no requests. */
export async function dryRunDue({ shell, flags, db, file, seeds, config, realCommand }: DryRunSetup): Promise<number> {
  const answer = openAnswer(shell, flags, "one");
  const app = await openData((await hasData(db)) ? db : ":memory:", flags, shell, file, isReadOnlyFile(db));
  try {
    const shown = await duePreview(app, { seeds, config });
    const lines = dueLines(shown, { realCommand, isLong: (flags.verbose ?? 0) > 0, now: app.world.clock.wall() });
    await answer({ document: { dryRun: true, ...shown }, text: paragraph(lines) });
    return exitCodes.ok;
  } finally {
    await app.close();
  }
}

const MAX_SHOWN = 10;
const DAY_MS = 86_400_000;
/** Days; longer than any page has been observed. */
const MAX_DAYS = 1000;

interface DueTextOptions {
  readonly realCommand: string;
  readonly isLong: boolean;
  readonly now: number;
}

function dueLines({ knownPages, due, pages, nextAt }: DuePreview, { realCommand, isLong, now }: DueTextOptions): string[] {
  const urls = isLong ? pages : pages.slice(0, MAX_SHOWN);
  if (knownPages === 0) return ["Dry run: no page of it is known yet, so that everything would be visited", `  next      ${realCommand}`];
  return [
    `Dry run: ${count(due)} of ${plural(knownPages, "known page is due", "known pages are due")}; nothing was asked`,
    ...urls.map(({ url, ...page }) => `  ${url}  ${changesWords(page)}; due since ${formatDuration(now - Date.parse(page.nextLookAt))}`),
    ...(due > urls.length ? [`  and ${count(due - urls.length)} more${isLong ? "" : "; -v shows them"}`] : []),
    ...(nextAt === null ? [] : [`  others    from ${nextAt}`]),
    ...(due > 0 ? [`  next      ${realCommand}`] : []),
  ];
}

/** `changes about every 6 d (12 looks, 3 changes; as pages like a.test/news/{slug} do)` */
export function changesWords({ changesPerDay, looks, changes, prior, template }: Revisit): string {
  if (looks < 2 && prior === "none") return "looked at once, so that nobody knows how often it changes";
  const days = 1 / changesPerDay;
  const frequency = days > MAX_DAYS ? "changes hardly ever" : `changes about every ${formatDuration(days * DAY_MS)}`;
  const basis = prior === "template" ? `; as pages like ${template} do` : prior === "site" ? "; as pages of the site do" : "";
  return `${frequency} (${plural(looks, "look", "looks")}, ${plural(changes, "change", "changes")}${basis})`;
}
