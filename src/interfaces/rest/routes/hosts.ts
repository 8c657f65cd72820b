import { z } from "zod";
import type { App } from "../../../engine/app.ts";
import { hostStatus, hostStatuses } from "../../../features/hosts/hosts.ts";
import type { LiveRuns } from "../events/live.ts";
import { hostsOf, stateOf } from "../json/run-hosts.ts";
import { HostRow, HostSettings, hostStates } from "../json/run-shapes.ts";
import { answerList, listQuery, listSpec, shortList } from "../list.ts";
import { type Route, route } from "../route.ts";

const CountOrUnknown = z.int().nullable().describe("null: not counted, as the run is large or another process leads it.");

const HostOfRun = HostRow.extend({
  ...{ inFlight: CountOrUnknown, done: CountOrUnknown, failed: CountOrUnknown },
  crawlId: z.int().nullable().describe("null: no run at work asks it; it is here for what somebody said of it."),
}).meta({ id: "CrawlHost" });

const isBusy = ({ queued, inFlight }: z.output<typeof HostRow>) => queued > 0 || inFlight > 0;

const params = z.object({ host: z.string().min(1).max(300).describe("Its name, with the port where that is neither 80 nor 443.") });
const tag = "Hosts";

/** A host that no active run is using. */
const idleHost = (settings: z.output<typeof HostSettings>): z.output<typeof HostOfRun> => {
  const { host, pausedUntil, rate, waitsUntil, waitsSince, failures } = settings;
  const until = Math.max(...[pausedUntil, waitsUntil].map((moment) => (moment === null ? Date.now() : Date.parse(moment))));
  const counts = { queued: 0, inFlight: 0, done: 0, failed: 0, failures };
  const nextInMs = Math.max(0, until - Date.now());
  const waited = waitsUntil === null || waitsSince === null ? 0 : Date.parse(waitsUntil) - Date.parse(waitsSince);
  const delayMs = Math.max(waited, rate === null ? 0 : Math.round(1000 / rate));
  const cause = pausedUntil === null ? (settings.cause ?? "rate") : "paused";
  const [nextAt, state] = [new Date(until).toISOString(), stateOf(cause, failures)];
  return { host, pausedUntil, rate, ...counts, delayMs, cause, nextInMs, nextAt, state, worker: null, crawlId: null };
};

/** Runs of this server, and runs led by other processes on the same database. */
const activeRunIds = async ({ store }: App, live: LiveRuns): Promise<Set<number>> =>
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
      answers: { 200: listSpec("Hosts, those with the longest queue first", HostOfRun) },
    },
    async ({ app, signal }, { query: { state, ...query }, live = {}, asked }) => {
      const found: z.output<typeof HostOfRun>[] = [];
      for (const crawlId of await activeRunIds(app, live))
        for (const host of (await hostsOf(app, crawlId, live)).filter(isBusy))
          found.push({ ...host, ...(live[crawlId] ? {} : { inFlight: null, done: null, failed: null }), crawlId });
      const activeHosts = new Set(found.map(({ host }) => host));
      for (const settings of await hostStatuses(app)) if (!activeHosts.has(settings.host)) found.push(idleHost(settings));
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
      answers: { 200: { about: "Whether it is paused, how fast it may be asked, and until when it has to wait", shape: HostSettings } },
    },
    async ({ app }, { params: { host } }) => ({ data: await hostStatus(app, host) }),
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
      answers: { 200: { about: "What is said of it now", shape: HostSettings } },
    },
    async ({ engine }, { params: { host }, body }) => ({ data: await engine.editHost(host, body) }),
  ),
];
