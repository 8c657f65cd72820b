import { duration } from "../../core/units.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import { findRun } from "../pages/find.ts";

/** The first run of a site that counts as "since": a run number, a time, or a duration ago. */
export async function runSince(app: App, siteId: number, since: string): Promise<number> {
  if (/^\d{1,8}$/.test(since)) return (await findRun(app, since)).id;
  const runs = await app.store.runs({ kind: "crawl", siteId });
  if (since === "previous") return runs[0]?.id ?? 0;
  const moment = parseMoment(since);
  const first = runs.findLast(({ startedAt }) => startedAt >= moment);
  return first?.id ?? Number.MAX_SAFE_INTEGER;
}

/** A date, or a duration ago. */
export function momentOf(text: string): number | undefined {
  if (/^(19|20)\d\d$/.test(text)) return undefined; // ambiguous: a year or a number of seconds
  const ago = duration().safeParse(text);
  // Date.parse accepts almost anything: it reads "-1" as 2001.
  const moment = ago.success ? Date.now() - ago.data : /^\d{4}-|\b[a-z]{3,9}\b.*\b\d{4}\b/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** For values that could also have been a run number: the error message says so. */
export function parseMoment(since: string): number {
  const moment = momentOf(since);
  if (moment !== undefined) return moment;
  throw new SetupError(
    `${since} is neither a run nor a moment`,
    "write previous, a run's number, a date (2026-05-04), or how long ago (7d)",
  );
}
