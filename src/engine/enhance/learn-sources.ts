import { learnSources, recordFrom } from "../../analysis/extract/index.ts";
import { hostOf } from "../../analysis/url/index.ts";
import type { Metadata } from "../../core/records.ts";
import type { Store } from "../../store/index.ts";
import { unpackText } from "../crawl/index.ts";

/** Number of pages that is enough to judge the sources of a host. */
const MAX_PAGES = 300;

/** Learns from stored evidence which metadata sources can be trusted on the site's host. */
export async function learnSourceTrust(
  { metadata }: Store,
  site: { readonly id: number; readonly url: string },
  at: number,
): Promise<void> {
  const host = hostOf(site.url);
  const records: Metadata[] = [];
  for await (const { url, evidence } of metadata.evidences(site.id, MAX_PAGES))
    if (hostOf(url) === host) records.push(recordFrom(unpackText(evidence), ""));
  await metadata.saveSourceMemory(site.id, learnSources(records), at);
}
