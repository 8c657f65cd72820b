import type { App } from "../app.ts";
import { SetupError } from "../config/index.ts";
import { duration } from "../units.ts";
import { findRun } from "./find.ts";

/** The first run of a site that counts as "since": a run's number, a moment, or how long ago. */
export async function runSince(app: App, siteId: number, since: string): Promise<number> {
  if (/^\d{1,8}$/.test(since)) return (await findRun(app, since)).id;
  const runs = await app.store.runs({ kind: "crawl", siteId });
  if (since === "previous") return runs[0]?.id ?? 0;
  const moment = momentSaid(since);
  const first = runs.findLast(({ startedAt }) => startedAt >= moment);
  return first?.id ?? Number.MAX_SAFE_INTEGER;
}

/** A date, or how long ago. */
export function momentOf(text: string): number | undefined {
  if (/^(19|20)\d\d$/.test(text)) return undefined; // a year, or so many seconds: nobody can tell
  const ago = duration().safeParse(text);
  // Date reads almost anything: "-1" is 2001 to it.
  const moment = ago.success ? Date.now() - ago.data : /^\d{4}-|\b[a-z]{3,9}\b.*\b\d{4}\b/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** Of what could have been a run. */
export function momentSaid(since: string): number {
  const moment = momentOf(since);
  if (moment !== undefined) return moment;
  throw new SetupError(
    `${since} is neither a run nor a moment`,
    "write previous, a run's number, a date (2026-05-04), or how long ago (7d)",
  );
}
