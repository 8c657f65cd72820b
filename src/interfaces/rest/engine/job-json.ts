import { z } from "zod";
import { type Job, jobKinds } from "../../../store/index.ts";
import type { Reply } from "../route.ts";
import { Time } from "../shapes/shapes.ts";

export const JobSummary = z
  .object({
    id: z.int(),
    uid: z.string(),
    kind: z.enum(jobKinds),
    status: z.enum(["queued", "running", "finished", "failed"]),
    madeAt: Time,
    endedAt: Time.nullable(),
    progress: z.object({ done: z.int(), total: z.int().nullable() }),
    restarts: z.int().describe("How often it was begun again because the server had ended."),
    error: z.object({ type: z.string(), detail: z.string() }).nullable(),
    result: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "Job" });

interface JobState {
  readonly progress?: { done: number; total: number | null };
  readonly restarts?: number;
  readonly error?: { type: string; detail: string };
  readonly result?: Record<string, unknown>;
}

export function jobJson({ id, uid, kind, status, madeAt, endedAt, result: state }: Job): z.output<typeof JobSummary> {
  const { progress = { done: 0, total: null }, restarts = 0, error = null, result = null } = state as JobState;
  const times = { madeAt: new Date(madeAt).toISOString(), endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString() };
  return { id, uid, kind, status, ...times, progress, restarts, error, result };
}

/** URL folder of each kind of job. */
const jobFolders = { enhancement: "enhancements", export: "exports", scrape: "jobs", map: "jobs", context: "jobs", look: "jobs" } as const;

/** A created context has a URL of its own, and so has a page that was looked at. */
function locationOf({ id, kind, result: state }: Job): string {
  const { contextId, pageId } = (state as JobState).result ?? {};
  if (contextId !== undefined) return `/api/v1/contexts/${contextId}`;
  return kind === "look" && pageId !== undefined ? `/api/v1/pages/${pageId}` : `/api/v1/${jobFolders[kind]}/${id}`;
}

/** Status 200 if the job has ended, otherwise 202; the URL of the job or of its result is in `location`. */
export const jobReply = (job: Job): Reply => ({
  status: job.endedAt === undefined ? 202 : 200,
  headers: { location: locationOf(job) },
  data: jobJson(job),
});
