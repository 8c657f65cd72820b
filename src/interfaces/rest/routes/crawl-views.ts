/** Views of what runs did and do. */
import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { type QueuedUrl, type Run, runStates } from "../../../store/index.ts";
import type { LiveRuns } from "../events/live.ts";
import { hostsOf } from "../json/run-hosts.ts";
import { liveJson, runJson, statusOf } from "../json/run-json.ts";
import { queueList, runList } from "../json/run-lists.ts";
import { HostRow, RunDetails, SampleRow } from "../json/run-shapes.ts";
import { answerList, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import type { Sample } from "../shapes/samples.ts";
import { Id, RunSummary, Time } from "../shapes/shapes.ts";

const readRoute = { params: z.object({ id: Id }), tag: "Crawls", scope: "read", method: "GET", at: "reader", wantsLive: true } as const;
const STATUSES = [...runStates, "paused"] as const;

export async function existingRun({ store }: App, id: number): Promise<Run> {
  const run = await store.run(id);
  if (!run) throw new Problem("not-found", `there is no run ${id}`);
  return run;
}

const iso = (at: number) => new Date(at).toISOString();

const Queued = z
  .object({
    url: z.string(),
    host: z.string(),
    kind: z.string(),
    depth: z.int(),
    level: z.int(),
    priority: z.number(),
    attempts: z.int(),
    parentUrl: z.string().nullable(),
    notBefore: Time,
  })
  .meta({ id: "QueuedUrl" });

export const crawlViewRoutes: readonly Route[] = [
  route(
    {
      id: "listCrawls",
      method: "GET",
      path: "/crawls",
      tag: "Crawls",
      scope: "read",
      summary: "The runs, the latest first",
      query: z.object({
        ...listQuery,
        siteId: z.coerce.number().int().positive().optional().describe("Only those of this site."),
        status: z
          .string()
          .max(100)
          .transform((text) => text.split(","))
          .pipe(z.array(z.enum(STATUSES)))
          .optional()
          .describe(`Only those that are one of ${STATUSES.join(", ")}; several with commas.`)
          .meta({ type: "string" }),
        active: z.stringbool().optional().describe("Only those that are at work, or the others."),
      }),
      at: "reader",
      wantsLive: true,
      answers: { 200: listSpec("Runs", RunSummary) },
    },
    async ({ app: { store }, signal }, { query: { siteId, status, active, ...query }, live = {}, asked }) => {
      const isWanted = (run: z.output<typeof RunSummary>) =>
        (!status || status.some((wanted) => wanted === run.status)) && (active === undefined || active === isActive(run.status));
      const list = runList(store, live);
      return answerList(query, { name: "crawls", list, filter: { siteId, isWanted }, row: RunSummary, json: (run) => run, signal, asked });
    },
  ),
  route(
    {
      ...readRoute,
      id: "getCrawl",
      path: "/crawls/{id}",
      summary: "How a run stands: status, counters, options, and if it is at work its queue, pace and hosts",
      answers: { 200: { about: "The run", shape: RunDetails } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, live = {} }) => {
      const run = await existingRun(app, id);
      return {
        data: {
          ...runJson(run, statusOf(app.store, run, live)),
          options: run.options,
          seq: run.seq,
          live: live[id] ? liveJson(live[id]) : null,
        },
      };
    },
  ),
  route(
    {
      ...readRoute,
      id: "getCrawlStats",
      path: "/crawls/{id}/stats",
      summary: "How a run went over time",
      query: z.object({
        step: z
          .string()
          .regex(/^\d{1,6}(s|m|h)$/, "a time such as 10s")
          .optional()
          .describe("At least so far apart."),
      }),
      answers: { 200: { about: "Looks at the run, counted from its beginning", shape: z.object({ data: z.array(SampleRow) }) } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query: { step }, live = {} }) => {
      await existingRun(app, id);
      const stored = ((await app.store.service.samples(id)) ?? []) as readonly Sample[];
      return { data: { data: thinOut(addCurrentSample(stored, live[id]), step).map(({ at, ...sample }) => ({ at: iso(at), ...sample })) } };
    },
  ),
  route(
    {
      ...readRoute,
      id: "listCrawlHosts",
      path: "/crawls/{id}/hosts",
      summary: "The hosts of a run: what waits, how fast they are asked, and why",
      query: z.object(listQuery),
      answers: { 200: listSpec("Hosts, those with the longest queue first", HostRow) },
      problems: ["not-found"],
    },
    async ({ app, signal }, { params: { id }, query, live = {}, asked }) => {
      await existingRun(app, id);
      const list = shortList(await hostsOf(app, id, live));
      return answerList(query, { name: "hosts", list, filter: undefined, row: HostRow, json: (host) => host, signal, asked });
    },
  ),
  route(
    {
      ...readRoute,
      id: "listCrawlFrontier",
      path: "/crawls/{id}/frontier",
      summary: "The URLs that wait, host by host in the order they will be asked",
      query: z.object({ ...listQuery, host: z.string().max(300).optional().describe("Only those of this host.") }),
      answers: { 200: listSpec("Queued URLs", Queued) },
      problems: ["not-found"],
    },
    async ({ app, signal }, { params: { id }, query: { host, ...query }, asked }) => {
      await existingRun(app, id);
      const json = ({ id: _, place: __, notBefore, ...row }: QueuedUrl & { place?: unknown }) => ({ ...row, notBefore: iso(notBefore) });
      return answerList(query, {
        name: "frontier",
        list: queueList(app.store),
        filter: { runId: id, host },
        row: Queued,
        json,
        signal,
        asked,
      });
    },
  ),
  route(
    {
      ...readRoute,
      id: "getCrawlLog",
      path: "/crawls/{id}/logs",
      summary: "What became of each URL, one a line, in the order it was settled",
      query: z.object({ after: z.coerce.number().int().min(0).default(0).describe("Only what was settled after this place (`seq`).") }),
      answers: { 200: { about: "Lines of JSON", types: ["application/jsonl"] } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, query: { after } }) => {
      await existingRun(app, id);
      return { stream: { type: "application/jsonl; charset=utf-8", parts: logLines(app, id, after) } };
    },
  ),
];

const isActive = (status: string) => status === "running" || status === "paused";

async function* logLines({ store }: App, runId: number, after: number): AsyncGenerator<string> {
  let lines = "";
  for await (const { page: _, at, ...settled } of store.queue.settled(runId, after)) {
    lines += `${JSON.stringify({ at: iso(at), ...settled })}\n`;
    if (lines.length < 32_768) continue;
    yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}

/** Adds the current state, because stored samples are up to half a minute old. */
function addCurrentSample(stored: readonly Sample[], live: LiveRuns[number] | undefined): readonly Sample[] {
  if (!live) return stored;
  const { counters, queued, inFlight } = live;
  const { pages, bytes, status, failed } = counters;
  return [...stored, { at: Date.now(), pages, queued, inFlight, bytes, status, failed, p50: null, p95: null }];
}

function thinOut(samples: readonly Sample[], step: string | undefined): readonly Sample[] {
  if (step === undefined) return samples;
  const minGapMs = Number.parseInt(step, 10) * (step.endsWith("h") ? 3_600_000 : step.endsWith("m") ? 60_000 : 1000);
  let last = Number.NEGATIVE_INFINITY;
  return samples.filter(({ at }, index) => {
    if (at - last < minGapMs && index < samples.length - 1) return false;
    last = at;
    return true;
  });
}
