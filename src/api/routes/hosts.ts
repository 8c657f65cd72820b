import { z } from "zod";
import { answerList, listCard, listQuery, shortList } from "../list.ts";
import { type Route, route } from "../route.ts";
import { hostsOf } from "../run-hosts.ts";
import { HostRow } from "../run-shapes.ts";

const HostOfRun = HostRow.extend({ crawlId: z.int() }).meta({ id: "CrawlHost" });

export const hostRoutes: readonly Route[] = [
  route(
    {
      id: "listHosts",
      method: "GET",
      path: "/hosts",
      tag: "Crawls",
      scope: "read",
      summary: "The hosts of all runs at work: what waits, how fast they are asked, and why",
      query: z.object({
        ...listQuery,
        state: z.enum(["ok", "slowed", "deferred"]).optional().describe("Only those in this state."),
      }),
      at: "reader",
      wantsLive: true,
      answers: { 200: listCard("Hosts, those with the longest queue first", HostOfRun) },
    },
    async ({ app, signal }, { query: { state, ...query }, live = {}, asked }) => {
      const found: z.output<typeof HostOfRun>[] = [];
      for (const crawlId of Object.keys(live).map(Number))
        for (const host of await hostsOf(app, crawlId, live))
          if (state === undefined || host.state === state) found.push({ ...host, crawlId });
      const list = shortList(found.sort((a, b) => b.queued - a.queued));
      return answerList(query, { name: "hosts", list, filter: undefined, row: HostOfRun, json: (host) => host, signal, asked });
    },
  ),
];
