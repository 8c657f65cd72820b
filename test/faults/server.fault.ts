import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Heard, type RunningServer, startServer } from "../api-server.ts";
import { tempFolder } from "../cli.ts";
import { gaps, generatedSite, serveSite } from "../site/index.ts";

const PAGES = 150;

async function until<T>(look: () => Promise<T>, isEnough: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (isEnough(seen)) return seen;
    await sleep(50);
  }
}

/** The processes that a server has started. */
async function engineOf(server: RunningServer): Promise<number> {
  const { readFileSync } = await import("node:fs");
  const text = readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/children`, "utf8");
  return Number(text.trim().split(" ")[0]);
}

test("a server that is killed in the middle of a run carries on with it, in its pace, and who listened misses nothing", async () => {
  using folder = tempFolder();
  const { pages } = generatedSite({ pages: PAGES, links: 4, seed: 7 });
  const site = await serveSite(pages, { address: "127.0.82.40" });
  const args = ["--port", "0", "--db", folder.file("killed.db"), "--allow-private", "127.0.82.0/24"];
  const heard: Heard[] = [];
  let server = await startServer(args);
  try {
    const { id } = (await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "20/s", maxDepth: 50 })).body;
    const after = () => ({ "last-event-id": heard.findLast((event) => event.id !== undefined)?.id ?? "0" });
    const kills: ((of: RunningServer) => Promise<void>)[] = [
      // All of it at once, the listener alone, and the crawler alone, whose place another takes.
      async (of) => {
        process.kill(await engineOf(of), "SIGKILL");
        await of.kill("SIGKILL");
      },
      (of) => of.kill("SIGKILL"),
      async (of) => void process.kill(await engineOf(of), "SIGKILL"),
      (of) => of.kill("SIGTERM"),
    ];
    for (const kill of kills) {
      const before = heard.length;
      heard.push(...(await server.events(`/crawls/${id}/events`, (so) => so.filter((event) => event.id).length >= 15, after())));
      expect(heard.length).toBeGreaterThan(before);
      await kill(server);
      if (server.child.exitCode !== null || server.child.signalCode !== null) server = await startServer(args);
    }
    await until(
      () => server.ask("GET", `/crawls/${id}`),
      ({ body }) => body.status === "finished",
    );
    heard.push(...(await server.events(`/crawls/${id}/events`, () => false, after())));
    const seqs = heard.flatMap((event) => (event.id?.endsWith(".end") ? [] : event.id ? [Number(event.id)] : []));
    expect(seqs).toEqual(Array.from(seqs, (_, index) => index + 1));
    expect(heard.at(-1)?.type).toBe("crawl.finished");
    const fetched = heard.filter(({ type }) => type === "page.fetched").map(({ data }) => data.data.url);
    expect(new Set(fetched).size).toBe(PAGES);
    expect(fetched).toHaveLength(PAGES);
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(48);
    // What was out when it was killed is asked again, and nothing else.
    expect(site.log.length).toBeLessThan(PAGES + 20);
  } finally {
    await server.kill("SIGTERM");
    await site.close();
  }
});
