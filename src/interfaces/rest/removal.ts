/** Removal of stored data. */
import type { App } from "../../engine/app.ts";
import type { RemovalRequest } from "../../store/index.ts";
import { Problem } from "./problem.ts";
import type { Reply } from "./route.ts";

/** Answers what would be removed (`dryRun`) or what was removed. */
export async function removed(app: App, siteId: number, request: RemovalRequest, dryRun: boolean): Promise<Reply> {
  await refuseWhileActive(app, siteId);
  const plan = await app.store.maintenance.plan(request);
  return { data: { dryRun, removed: dryRun ? plan.removes : await plan.execute() } };
}

/** Refuses to remove data of a site while a run of it is active. */
async function refuseWhileActive({ store }: App, siteId: number): Promise<void> {
  const activeRun = (await store.runs({ siteId, limit: 5 })).find((run) => store.isAlive(run));
  if (activeRun)
    throw new Problem("already-running", `run ${activeRun.id} of this site is at work: stop it first`, { crawlId: activeRun.id });
}
