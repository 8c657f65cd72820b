import type { Seed } from "../seed.ts";
import { sitesIn } from "./layers.ts";
import type { ConfigFile } from "./read.ts";

/** Whether whoever runs this process has named a seed: typed it, or named its origin in their config file. Credentials are sent to no others. */
export function namedWith(file: ConfigFile | undefined): (seed: Seed) => boolean {
  const origins = new Set((file ? sitesIn(file) : []).map(originIn));
  return ({ url, namedBy }) => namedBy === "person" || origins.has(originIn(url));
}

/** What is no URL has an origin of its own. */
const originIn = (url: string): string | symbol => (URL.canParse(url) ? new URL(url).origin : Symbol(url));
