import { hostOf } from "../../../analysis/url/index.ts";
import type { Store } from "../../../store/index.ts";

/** What was learned about the metadata sources of these sites, by host. */
export async function sourceMemories(
  { metadata }: Store,
  siteIds: readonly number[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  return new Map((await metadata.sourceMemories(siteIds)).map(({ siteUrl, sources }) => [hostOf(siteUrl), sources]));
}
