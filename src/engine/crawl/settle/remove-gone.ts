import type { Store } from "../../../store/index.ts";

/** Removes gone pages and old versions after a complete run. */
export async function removeGone({ maintenance: care }: Store, siteIds: readonly number[], keep: number): Promise<void> {
  for (const siteId of siteIds) await (await care.plan({ what: "old", siteId, keep, before: 0, gone: true })).execute();
}
