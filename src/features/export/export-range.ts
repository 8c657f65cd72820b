import type { App } from "../../engine/app.ts";
import { parseMoment } from "../changes/since.ts";
import { findRun, findSite } from "../pages/find.ts";
import type { ExportRange } from "./export.ts";

/** Which pages to export, as a person writes it. */
export interface RangeInput extends Omit<ExportRange, "siteId" | "runId" | "since"> {
  readonly site?: string | undefined;
  readonly run?: string | undefined;
  /** The number of a run, a date, or a time such as 7d. */
  readonly since?: string | undefined;
}

export async function rangeFrom(app: App, { site, run, since, ...rest }: RangeInput): Promise<ExportRange> {
  return {
    ...rest,
    siteId: site === undefined ? undefined : (await findSite(app, site)).id,
    runId: run === undefined ? undefined : (await findRun(app, run)).id,
    since: since === undefined ? undefined : await startTimeOf(app, since),
  };
}

const startTimeOf = async (app: App, since: string): Promise<number> =>
  /^\d{1,9}$/.test(since) ? (await findRun(app, since)).startedAt : parseMoment(since);
