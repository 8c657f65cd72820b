import { z } from "zod";
import type { App } from "../../app.ts";
import { saidOfHost, saidOfHosts } from "../../operations/hosts.ts";
import { answerList, listCard, listQuery, shortList } from "../list.ts";
import type { LiveRuns } from "../live.ts";
import { type Route, route } from "../route.ts";
import { hostsOf, stateOf } from "../run-hosts.ts";
import { HostRow, HostSaid, hostStates } from "../run-shapes.ts";

const known = z.int().nullable().describe("null: not counted, as the run is large or another process leads it.");

const HostOfRun = HostRow.extend({
  ...{ inFlight: known, done: known, failed: known },
  crawlId: z.int().nullable().describe("null: no run at work asks it; it is here for what somebody said of it."),
}).meta({ id: "CrawlHost" });

const isBusy = ({ queued, inFlight }: z.output<typeof HostRow>) => queued > 0 || inFlight > 0;

const params = z.object({ host: z.string().min(1).max(300).describe("Its name, with the port where that is neither 80 nor 443.") });
const tag = "Hosts";

/** A host that no active run is using. */
const atRest = (said: z.output<typeof HostSaid>): z.output<typeof HostOfRun> => {
  const { host, pausedUntil, rate, waitsUntil, waitsSince, failures } = said;
  const until = Math.max(...[pausedUntil, waitsUntil].map((moment) => (moment === null ? Date.now() : Date.parse(moment))));
  const counts = { queued: 0, inFlight: 0, done: 0, failed: 0, failures };
  const nextInMs = Math.max(0, until - Date.now());
  const waited = waitsUntil === null || waitsSince === null ? 0 : Date.parse(waitsUntil) - Date.parse(waitsSince);
  const delayMs = Math.max(waited, rate === null ? 0 : Math.round(1000 / rate));
  const cause = pausedUntil === null ? (said.cause ?? "rate") : "paused";
  const [nextAt, state] = [new Date(until).toISOString(), stateOf(cause, failures)];
  return { host, pausedUntil, rate, ...counts, delayMs, cause, nextInMs, nextAt, state, worker: null, crawlId: null };
};

/** Runs of this server, and runs led by other processes on the same database. */
const runsAtWork = async ({ store }: App, live: LiveRuns): Promise<Set<number>> =>
  new Set([...Object.keys(live).map(Number), ...(await store.workers.running()).map(({ runId }) => runId)]);

export const hostRoutes: readonly Route[] = [
  route(
    {
      id: "listHosts",
      method: "GET",
      path: "/hosts",
      tag,
      scope: "read",
      summary:
        "The hosts of all runs at work, how fast they are asked and why; and those that somebody paused or slowed down, or that have to wait",
      query: z.object({
        ...listQuery,
        state: z.enum(hostStates).optional().describe("Only those in this state."),
      }),
      at: "reader",
      wantsLive: true,
      answers: { 200: listCard("Hosts, those with the longest queue first", HostOfRun) },
    },
    async ({ app, signal }, { query: { state, ...query }, live = {}, asked }) => {
      const found: z.output<typeof HostOfRun>[] = [];
      for (const crawlId of await runsAtWork(app, live))
        for (const host of (await hostsOf(app, crawlId, live)).filter(isBusy))
          found.push({ ...host, ...(live[crawlId] ? {} : { inFlight: null, done: null, failed: null }), crawlId });
      const atWork = new Set(found.map(({ host }) => host));
      for (const said of await saidOfHosts(app)) if (!atWork.has(said.host)) found.push(atRest(said));
      const wanted = found.filter((host) => state === undefined || host.state === state);
      const list = shortList(wanted.sort((a, b) => b.queued - a.queued));
      return answerList(query, { name: "hosts", list, filter: undefined, row: HostOfRun, json: (host) => host, signal, asked });
    },
  ),
  route(
    {
      id: "getHost",
      method: "GET",
      path: "/hosts/{host}",
      tag,
      scope: "read",
      summary: "What somebody said of a host, and whether it has to wait",
      params,
      at: "reader",
      answers: { 200: { about: "Whether it is paused, how fast it may be asked, and until when it has to wait", shape: HostSaid } },
    },
    async ({ app }, { params: { host } }) => ({ data: await saidOfHost(app, host) }),
  ),
  route(
    {
      id: "editHost",
      method: "PATCH",
      path: "/hosts/{host}",
      tag,
      scope: "write",
      summary: "Pause a host, slow it down, or end a wait that is ours: in runs under way, and in all that come",
      params,
      body: z
        .strictObject({
          pausedUntil: z.iso.datetime({ offset: true }).nullable().optional().describe("Ask nothing of it before; null lets it go on."),
          rate: z
            .union([z.number().positive(), z.string().max(20)])
            .nullable()
            .optional()
            .describe("Requests a second at most, or a rate such as 30/m; null leaves it to the runs. It never makes anything faster."),
          clearWait: z
            .boolean()
            .optional()
            .describe(
              "true: it need not wait any longer for what is ours, back-off after errors or a slow rate of an earlier crawl. Retry-After and Crawl-delay hold; the answer says so.",
            ),
        })
        .meta({ examples: [{ pausedUntil: "2027-01-31T12:00:00Z" }, { rate: 0.5 }, { clearWait: true }] }),
      at: "engine",
      answers: { 200: { about: "What is said of it now", shape: HostSaid } },
    },
    async ({ engine }, { params: { host }, body }) => ({ data: await engine.sayOfHost(host, body) }),
  ),
];
