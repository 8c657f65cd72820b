import { setTimeout as sleep } from "node:timers/promises";
import type { Started } from "../cli.ts";
import type { RunningSite } from "../site/index.ts";

/** Waits until a crawl has made so many requests more; one that ends before that fails the test instead of hanging it. */
export async function atWork(run: Started, site: RunningSite, requests: number): Promise<void> {
  const enough = site.log.length + requests;
  let hasEnded = false;
  const ended = run.ended.then(({ code, signal, stderr }) => {
    hasEnded = true;
    return `the crawl ended (${code ?? signal}) before it was at work: ${stderr}`;
  });
  while (site.log.length < enough && !hasEnded) await sleep(2);
  if (site.log.length < enough) throw new Error(await ended);
}
