import { createRequire } from "node:module";
import type * as Tldts from "tldts";
import { withoutTrailingDot } from "./parts.ts";

let suffixes: typeof Tldts | undefined;

/** The list of public suffixes is long, so it is loaded on first use; threads that need no domain never load it. */
function loadSuffixes(): typeof Tldts {
  suffixes ??= createRequire(import.meta.url)("tldts") as typeof Tldts;
  return suffixes;
}

const PUBLIC_SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** The registrable domain of a name (`news.bbc.co.uk` → `bbc.co.uk`); undefined for addresses and bare suffixes. */
export function registrableDomain(hostname: string): string | undefined {
  if (hostname.startsWith(".")) return undefined;
  return loadSuffixes().getDomain(withoutTrailingDot(hostname.toLowerCase()), PUBLIC_SUFFIXES) ?? undefined;
}
