import { type DuePreview, duePreview, type Revisit } from "../operations/due.ts";
import { holdsData, isOnlyReadable } from "../store/index.ts";
import { count, several, span } from "../telemetry/index.ts";
import { openAnswer } from "./answer.ts";
import type { DryRunSetup } from "./dry-run.ts";
import { exitCodes } from "./exit-codes.ts";
import { paragraph } from "./shell.ts";
import { openData } from "./stored.ts";

/** `crawl --due --dry-run`: shows which pages are due, and why. Sends no requests. */
export async function dryDue({ shell, flags, db, file, seeds, config, again }: DryRunSetup): Promise<number> {
  const answer = openAnswer(shell, flags, "one");
  const app = await openData((await holdsData(db)) ? db : ":memory:", flags, shell, file, isOnlyReadable(db));
  try {
    const shown = await duePreview(app, { seeds, config });
    const lines = dueLines(shown, { again, isLong: (flags.verbose ?? 0) > 0, now: app.world.clock.wall() });
    await answer({ document: { dryRun: true, ...shown }, text: paragraph(lines) });
    return exitCodes.ok;
  } finally {
    await app.close();
  }
}

const SHOWN = 10;
const DAY = 86_400_000;
/** Days; longer than any page has been observed. */
const EVER = 1000;

interface Telling {
  readonly again: string;
  readonly isLong: boolean;
  readonly now: number;
}

function dueLines({ knownPages, due, pages, nextAt }: DuePreview, { again, isLong, now }: Telling): string[] {
  const urls = isLong ? pages : pages.slice(0, SHOWN);
  if (knownPages === 0) return ["Dry run: no page of it is known yet, so that everything would be visited", `  next      ${again}`];
  return [
    `Dry run: ${count(due)} of ${several(knownPages, "known page is due", "known pages are due")}; nothing was asked`,
    ...urls.map(({ url, ...page }) => `  ${url}  ${changesWords(page)}; due since ${span(now - Date.parse(page.nextLookAt))}`),
    ...(due > urls.length ? [`  and ${count(due - urls.length)} more${isLong ? "" : "; -v shows them"}`] : []),
    ...(nextAt === null ? [] : [`  others    from ${nextAt}`]),
    ...(due > 0 ? [`  next      ${again}`] : []),
  ];
}

/** `changes about every 6 d (12 looks, 3 changes; as pages like a.test/news/{slug} do)` */
export function changesWords({ changesPerDay, looks, changes, prior, template }: Revisit): string {
  if (looks < 2 && prior === "none") return "looked at once, so that nobody knows how often it changes";
  const days = 1 / changesPerDay;
  const often = days > EVER ? "changes hardly ever" : `changes about every ${span(days * DAY)}`;
  const like = prior === "template" ? `; as pages like ${template} do` : prior === "site" ? "; as pages of the site do" : "";
  return `${often} (${several(looks, "look", "looks")}, ${several(changes, "change", "changes")}${like})`;
}
