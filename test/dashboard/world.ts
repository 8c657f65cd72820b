/** What the dashboard is looked at with: a server as people start it, a data file with two finished runs of a site, and a run at work. */
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningServer, startServer } from "../api-server.ts";
import { tempFolder } from "../cli.ts";
import { type RunningSite, serveSite } from "../site/index.ts";
import { archive, council, library } from "./town.ts";

export interface World {
  readonly server: RunningServer;
  readonly siteId: number;
  /** Of the run at work. */
  readonly liveId: number;
  readonly sites: { readonly council: RunningSite; readonly archive: RunningSite; readonly library: RunningSite };
  close(): Promise<void>;
}

const keywords = [
  { word: "budget", weight: 1 },
  { word: "finance", weight: 0.7 },
  { word: "minutes", weight: 0.4 },
];

/** For pictures without the page written in spite. */
export async function openWorld(isSpiteful = true): Promise<World> {
  const folder = tempFolder();
  let week = 1;
  const sites = {
    council: await serveSite(
      council(() => week, isSpiteful),
      { address: "127.0.84.1" },
    ),
    archive: await serveSite(archive(), { address: "127.0.84.2", latency: 30 }),
    library: await serveSite(library(), { address: "127.0.84.3" }),
  };
  const server = await startServer(["--port", "0", "--db", folder.file("town.db"), "--allow-private", "127.0.84.0/24"]);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const crawled = async () => {
    const { id } = await ask("POST", "/crawls", { url: sites.council.origin, rateLimit: "none", keywords });
    while ((await ask("GET", `/crawls/${id}`)).endedAt === null) await sleep(100);
  };
  await crawled();
  week = 2;
  await crawled();
  const { data } = await ask("GET", "/sites");
  await ask("PATCH", `/sites/${data[0].id}`, { name: "Sittaford council" });
  const live = await ask("POST", "/crawls", { urls: [sites.archive.origin, sites.library.origin], rateLimit: "5/s", keywords });
  while (((await ask("GET", `/crawls/${live.id}`)).live?.queued ?? 0) < 200) await sleep(100);
  return {
    server,
    siteId: data[0].id,
    liveId: live.id,
    sites,
    close: async () => {
      await server.kill("SIGTERM");
      for (const site of Object.values(sites)) await site.close();
      folder[Symbol.dispose]();
    },
  };
}
