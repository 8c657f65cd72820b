import type { Seed } from "../../core/seed.ts";
import { sitesIn } from "./layers.ts";
import type { ConfigFile } from "./read.ts";

/**
 * Returns a test whether the user named a seed: typed it, or has its origin in their config file. Credentials are sent to no other
 * seeds.
 */
export function trustedSeedTest(file: ConfigFile | undefined): (seed: Seed) => boolean {
  const origins = new Set((file ? sitesIn(file) : []).map(originIn));
  return ({ url, namedBy }) => namedBy === "person" || origins.has(originIn(url));
}

/** Invalid URLs get a unique origin, so that they match nothing. */
const originIn = (url: string): string | symbol => (URL.canParse(url) ? new URL(url).origin : Symbol(url));
