import type { Store } from "../store/index.ts";
import { hostOf } from "../url/index.ts";

/** What the hosts of some sites have taught about their sources, by host. */
export async function sourceMemories(
  { metadata }: Store,
  siteIds: readonly number[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  return new Map((await metadata.sourceMemories(siteIds)).map(({ siteUrl, sources }) => [hostOf(siteUrl), sources]));
}
