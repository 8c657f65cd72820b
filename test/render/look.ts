import type { ConfigInput, Page } from "nuthatch";
import { crawl } from "../near-library.ts";

const fast = { rateLimit: "none", perHost: 4, maxConcurrent: 4 } as const;

/** A crawl, and what it saw. */
export async function look(seed: string, options: ConfigInput & { readonly db?: string }) {
  const pages = new Map<string, Page>();
  await using run = crawl(seed, { ...fast, db: ":memory:", ...options });
  for await (const page of run) pages.set(new URL(page.url).pathname, page);
  const { stats, stopReason } = await run.result;
  const rendered = [...pages].flatMap(([path, page]) => (page.rendered ? [path] : []));
  return { pages, paths: [...pages.keys()].sort(), rendered, stats, stopReason };
}
