import { duration } from "../../core/units.ts";
import type { RequestChange } from "../../engine/crawl/index.ts";
import type { BeforeFetch } from "./plugin.ts";

/** Headers that only the crawler sets: message framing, encoding, conditions and user agent. */
const RESERVED_HEADERS =
  /^(host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|user-agent|accept|accept-encoding|if-.*|range|:.*)$/i;

/** Throws for invalid headers or delays. */
export function checkBeforeFetch({ headers, defer }: BeforeFetch): RequestChange {
  if (defer !== undefined) return { defer: pauseMsOf(defer) };
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (RESERVED_HEADERS.test(name)) throw new Error(`the header ${name} is not for a plugin to set`);
    // RFC 9110 §5.6.2 and §5.5.
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new Error("a header's name may hold letters, digits and hyphens");
    if (typeof value !== "string" || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new Error(`the value of ${name} does not fit a header line`);
  }
  return { headers };
}

function pauseMsOf(defer: string | number): number {
  const pause = duration().safeParse(defer);
  if (pause.success) return pause.data;
  throw new Error(`defer: ${JSON.stringify(defer)} is not a duration such as 30s or 10m`);
}
