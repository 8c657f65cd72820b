import { SetupError } from "../config/index.ts";
import type { Store } from "../store/index.ts";
import { duration } from "../units.ts";

/** The first run of a site that counts as "since": a run's number, a moment, or how long ago. */
export async function runSince(store: Store, siteId: number, since: string): Promise<number> {
  if (/^\d{1,8}$/.test(since)) return Number(since);
  const runs = await store.runs({ kind: "crawl", siteId });
  if (since === "previous") return runs[0]?.id ?? 0;
  const moment = momentSaid(since);
  const first = runs.findLast(({ startedAt }) => startedAt >= moment);
  return first?.id ?? Number.MAX_SAFE_INTEGER;
}

/** A date, or how long ago. */
export function momentOf(text: string): number | undefined {
  if (/^(19|20)\d\d$/.test(text)) return undefined; // a year, or so many seconds: nobody can tell
  const ago = duration().safeParse(text);
  const moment = ago.success ? Date.now() - ago.data : new Date(text).getTime();
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
