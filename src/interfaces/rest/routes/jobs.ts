import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { exported } from "../../../features/export/export.ts";
import { type FormatInfo, type FormatName, formats } from "../../../features/export/export-formats.ts";
import { type Job, type JobKind, jobKinds } from "../../../store/index.ts";
import { JobSummary, jobJson, jobReply } from "../engine/job-json.ts";
import { jobList } from "../engine/job-list.ts";
import { waitQuery } from "../engine/wait.ts";
import { exportPath, extensionOf } from "../export-files.ts";
import { requireSite } from "../json/site-json.ts";
import { answerList, listParameter, listQuery, listSpec } from "../list.ts";
import { Problem } from "../problem.ts";
import { rangeOf } from "../range.ts";
import { type EngineContext, type Route, route } from "../route.ts";
import { Id } from "../shapes/shapes.ts";
import { requireRun } from "./decisions.ts";

const waitParameter = z.object({ wait: waitQuery });
const answers = {
  200: { about: "The job, which has ended", shape: JobSummary },
  202: { about: "The job, which goes on by itself", shape: JobSummary },
} as const;

const noSuchJob = (id: number) => new Problem("not-found", `there is no job ${id}, or not of this kind`);

/** Route for one job of a kind; the request can wait for it to end. */
const jobRoute = (id: string, path: string, tag: string, kind: JobKind | undefined): Route =>
  route(
    {
      id,
      method: "GET",
      path,
      tag,
      scope: "read",
      summary: "How a job stands, and what came of it",
      params: z.object({ id: Id }),
      query: waitParameter,
      at: "engine",
      answers: { 200: { about: "The job", shape: JobSummary } },
      problems: ["not-found"],
    },
    async ({ engine }, { params, query: { wait = 0 } }) => {
      const job = await engine.jobs.await(params.id, wait);
      if (!job || (kind !== undefined && job.kind !== kind)) throw noSuchJob(params.id);
      return { data: jobJson(job) };
    },
  );

const Filter = z.strictObject({
  since: z.string().max(100).optional().describe("Only what was first seen since a run, a date, or a time such as 7d."),
  anyVerdict: z.boolean().optional().describe("Also pages that turned out to be walls, errors or shells."),
  includeNoindex: z.boolean().optional().describe("Also pages that ask to be left out of indexes."),
  limit: z.int().positive().optional().describe("At most so many, in formats that tell the latest."),
});

const fileFormats = Object.entries(formats)
  .filter(([, { place }]) => place === "file")
  .map(([name]) => name) as [FormatName, ...FormatName[]];

/** Rejects filters that the format does not support, as the command line does. */
function checkFilter(format: FormatName, filter: z.output<typeof Filter>): void {
  const card: FormatInfo = formats[format];
  const supported: readonly string[] = card.takes ?? ["run", "since", "anyVerdict"];
  const unsupported = Object.keys(filter).filter((name) => !supported.includes(name));
  const errors = unsupported.map((name) => ({ pointer: `/body/filter/${name}`, message: `${format} cannot be filtered by ${name}` }));
  if (errors.length > 0) throw new Problem("validation", errors.map(({ message }) => message).join("; "), { errors });
}

/** A format of one site is refused at once where there are several, not later in the job. */
async function checkSite(app: EngineContext["app"], format: FormatName, siteId: number | undefined): Promise<void> {
  if (siteId !== undefined) await requireSite(app, String(siteId));
  const { oneSite }: FormatInfo = formats[format];
  if (siteId !== undefined || oneSite === undefined) return;
  const sites = await app.store.sites();
  if (sites.length === 1) return;
  const named = sites.slice(0, 5).map(({ id, url }) => `${id} (${url})`);
  const message =
    sites.length === 0
      ? `${oneSite} is of one site, and none has been crawled yet`
      : `${oneSite} is of one site, and there are ${sites.length}: say which with siteId, such as ${named.join(", ")}`;
  throw new Problem("validation", message, { errors: [{ pointer: "/body/siteId", message }] });
}

async function finished({ app }: Pick<EngineContext, "app">, id: number): Promise<Job> {
  const job = await app.store.service.job(id);
  if (job?.kind !== "export") throw noSuchJob(id);
  if (job.status !== "finished") throw new Problem("conflict", `export ${id} is ${job.status}`, { jobId: id });
  return job;
}

export const jobRoutes: readonly Route[] = [
  jobRoute("getJob", "/jobs/{id}", "Jobs", undefined),
  route(
    {
      id: "cancelJob",
      method: "POST",
      path: "/jobs/{id}/cancel",
      tag: "Jobs",
      scope: "write",
      summary: "End a job that waits or is under way; what it has stored stays",
      params: z.object({ id: Id }),
      at: "engine",
      answers: { 200: { about: "The job, which has ended", shape: JobSummary } },
      problems: ["not-found", "conflict"],
    },
    async ({ engine }, { params: { id } }) => {
      const before = await engine.jobs.await(id, 0);
      if (!before) throw noSuchJob(id);
      if (before.endedAt !== undefined) throw new Problem("conflict", `job ${id} has ended: it is ${before.status}`, { jobId: id });
      return { data: jobJson((await engine.jobs.cancel(id)) ?? before) };
    },
  ),
  route(
    {
      id: "listJobs",
      method: "GET",
      path: "/jobs",
      tag: "Jobs",
      scope: "read",
      summary: "What takes or took longer than a request, the latest first",
      query: z.object({
        ...listQuery,
        kind: listParameter(z.enum(jobKinds)).optional().describe("Only jobs of these kinds.").meta({ type: "string" }),
      }),
      at: "reader",
      answers: { 200: listSpec("Jobs", JobSummary) },
    },
    async ({ app, signal }, { query: { kind = jobKinds, ...query }, asked }) =>
      answerList(query, { name: "jobs", list: jobList(app.store), filter: kind, row: JobSummary, json: jobJson, signal, asked }),
  ),
  route(
    {
      id: "startEnhancement",
      method: "POST",
      path: "/enhancements",
      tag: "Enhancements",
      scope: "write",
      summary: "Fill in the metadata of stored pages",
      query: waitParameter,
      body: z.strictObject({
        urls: z.array(z.string().max(4096)).max(10_000).optional().describe("Only the stored pages of these addresses."),
        pageIds: z.array(z.int().positive()).max(10_000).optional(),
        siteId: z.int().positive().optional().describe("Only pages of this site."),
        onlyMissing: z.boolean().optional().describe("Only pages without metadata; the default unless pages are named."),
        force: z.boolean().default(false).describe("Ask for the pages again, in their hosts' turns, and overwrite what is known."),
        batchSize: z.int().min(1).max(100).default(10),
      }),
      at: "engine",
      answers,
      problems: ["not-found", "invalid-url", "private-network-blocked"],
    },
    async ({ engine, app }, { body, query: { wait = 0 } }) => {
      if (body.siteId !== undefined) await requireSite(app, String(body.siteId));
      engine.check(body.urls ?? []);
      return jobReply(await engine.jobs.start("enhancement", body, wait));
    },
  ),
  jobRoute("getEnhancement", "/enhancements/{id}", "Enhancements", "enhancement"),
  route(
    {
      id: "startExport",
      method: "POST",
      path: "/exports",
      tag: "Exports",
      scope: "write",
      summary: "Write a file of what is stored",
      query: waitParameter,
      body: z
        .strictObject({
          format: z.enum(fileFormats).describe("A warc is one packed file, without its index."),
          what: z.enum(exported).optional().describe("By default what the format is for."),
          siteId: z.int().positive().optional(),
          crawlId: z.int().positive().optional(),
          filter: Filter.optional(),
          compress: z.enum(["gz"]).optional().describe("Packed on its way into the file."),
        })
        .meta({ examples: [{ format: "jsonl", filter: { since: "7d" }, compress: "gz" }] }),
      at: "engine",
      answers,
      problems: ["not-found"],
    },
    async ({ engine, app }, { body, query: { wait = 0 } }) => {
      const supported: readonly string[] = formats[body.format].what;
      const what = body.what ?? supported[0]!;
      if (!supported.includes(what)) throw new Problem("validation", `${body.format} tells ${supported.join(", ")}, not ${what}`);
      checkFilter(body.format, body.filter ?? {});
      await checkSite(app, body.format, body.siteId);
      if (body.crawlId !== undefined) await requireRun(app, body.crawlId);
      return jobReply(await engine.jobs.start("export", { ...body, what }, wait));
    },
  ),
  jobRoute("getExport", "/exports/{id}", "Exports", "export"),
  route(
    {
      id: "getExportFile",
      method: "GET",
      path: "/exports/{id}/file",
      tag: "Exports",
      scope: "read",
      summary: "The file of an export that is finished, or a part of it (Range); it is kept for a day",
      params: z.object({ id: Id }),
      at: "reader",
      answers: {
        200: { about: "The file", types: ["application/octet-stream"] },
        206: { about: "The part that was asked for", types: ["application/octet-stream"] },
        416: { about: "There is no such part" },
      },
      problems: ["not-found", "conflict", "gone"],
    },
    async ({ app }, { params: { id }, range }) => {
      const job = await finished({ app }, id);
      const path = exportPath(app.store.path, job);
      const { size } = await stat(path).catch(() => {
        throw new Problem("gone", `the file of export ${id} was removed: it is kept for a day`);
      });
      const name = `nuthatch-${job.input.what}-${id}${extensionOf(job.input.format as FormatName, job.input.compress)}`;
      const headers = { "accept-ranges": "bytes", "content-disposition": `attachment; filename="${name}"` };
      const part = rangeOf(range, size);
      if (part === "none") return { status: 416, headers: { ...headers, "content-range": `bytes */${size}` } };
      const { first, last } = part ?? { first: 0, last: size - 1 };
      const length = { "content-length": String(last - first + 1) };
      const stream = {
        type: "application/octet-stream",
        parts: size === 0 ? noParts() : createReadStream(path, { start: first, end: last }),
      };
      if (!part) return { headers: { ...headers, ...length }, stream };
      return { status: 206, headers: { ...headers, ...length, "content-range": `bytes ${first}-${last}/${size}` }, stream };
    },
  ),
];

async function* noParts(): AsyncGenerator<never> {}
