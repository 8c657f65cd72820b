import { z } from "zod";
import type { LeaseInfo, WorkerInfo } from "../../../store/index.ts";
import { answerList, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Route, route } from "../route.ts";
import { Time } from "../shapes/shapes.ts";

const WorkerRow = z
  .object({
    id: z.string(),
    name: z.string().describe("What its people call it."),
    machine: z.string(),
    pid: z.int(),
    version: z.string(),
    startedAt: Time,
    seenAt: Time.describe("Its last sign of life, by the clock of the database."),
    silentMs: z.int().describe("How long ago that is."),
    alive: z.boolean().describe("false: it was silent for so long that others take over its hosts."),
    draining: z.boolean().describe("It finishes what it holds and takes nothing more."),
    maxConcurrent: z.int(),
    leases: z.int().describe("Hosts that are its own for now."),
    inFlight: z.int().describe("Requests that were out at its last word."),
    pages: z.int().describe("Settled by it in runs that are still at work."),
    crawlIds: z.array(z.int()).describe("Runs it takes part in."),
  })
  .meta({ id: "Worker" });

const LeaseRow = z
  .object({
    host: z.string(),
    worker: z.string(),
    crawlId: z.int(),
    until: Time.describe("Unless it is renewed, the host is anybody's after that."),
    epoch: z.int().describe("How often it has changed hands; what an earlier holder writes late is refused."),
    nextAt: Time.describe("When the host may next be asked."),
    queued: z.int(),
  })
  .meta({ id: "Lease" });

const tag = "Workers";
const MAX_LEASES = 100_000;
const iso = (at: number) => new Date(at).toISOString();

const workerJson = ({ seenAt, startedAt, silence, isAlive, isDraining, out, runs, ...card }: WorkerInfo): z.output<typeof WorkerRow> => ({
  ...card,
  ...{ startedAt: iso(startedAt), seenAt: iso(seenAt), silentMs: silence },
  ...{ alive: isAlive, draining: isDraining, inFlight: out, crawlIds: [...runs] },
});

const leaseJson = ({ runId, until, nextAt, ...card }: LeaseInfo): z.output<typeof LeaseRow> => ({
  ...card,
  ...{ crawlId: runId, until: iso(until), nextAt: iso(nextAt) },
});

export const workerRoutes: readonly Route[] = [
  route(
    {
      id: "listWorkers",
      method: "GET",
      path: "/workers",
      tag,
      scope: "read",
      summary: "Who is at work in a database that several processes share; nobody where the data is in a file",
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Workers, the first to start first", WorkerRow) },
    },
    async ({ app, signal }, { query, asked }) => {
      const list = shortList(await app.store.workers.list());
      return answerList(query, { name: "workers", list, filter: undefined, row: WorkerRow, json: workerJson, signal, asked });
    },
  ),
  route(
    {
      id: "listLeases",
      method: "GET",
      path: "/workers/{worker}/leases",
      tag,
      scope: "read",
      summary: "The hosts that are a worker's own for now",
      params: z.object({ worker: z.string().min(1).max(300).describe("Its id; the slashes in it are written %2F.") }),
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Hosts, those that may be asked soonest first", LeaseRow) },
      problems: ["not-found"],
    },
    async ({ app, signal }, { params: { worker }, query, asked }) => {
      const { workers } = app.store;
      if (!(await workers.list()).some(({ id }) => id === worker)) throw new Problem("not-found", `there is no worker ${worker}`);
      const leases = [...(await workers.leases({ worker, limit: MAX_LEASES }))].sort((a, b) => a.nextAt - b.nextAt);
      const work = { name: "leases", list: shortList(leases), filter: undefined, row: LeaseRow, json: leaseJson };
      return answerList(query, { ...work, signal, asked });
    },
  ),
];
