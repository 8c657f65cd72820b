/**
 * Ends the runs and jobs of a crawling process that was killed because it hung. Any of them may be the cause, so none is resumed
 * automatically.
 */
import type { App } from "../../../engine/app.ts";
import type { Run } from "../../../store/index.ts";

export async function failHungRuns({ store, world }: App): Promise<readonly Run[]> {
  const { service } = store;
  const at = world.clock.wall();
  const ended: Run[] = [];
  for (const { id, isCancelled } of await service.serverRuns()) {
    // Cancelled runs are discarded by the next process, which sends no requests for it.
    if (isCancelled) continue;
    const run = await store.run(id);
    if (run?.status === "running") {
      const { counters, state } = run;
      await store.endRun(id, { status: "failed", stopReason: "hung", at, counters, state });
      ended.push((await store.run(id))!);
    }
    await service.removeServerRun(id);
  }
  for (const job of await service.unfinishedJobs()) {
    if (job.status !== "running") continue;
    const error = { type: "internal", detail: "the crawling process hung while this was under way, and was ended; it is not begun again" };
    await service.updateJob(job.id, { status: "failed", result: { ...job.result, error }, endedAt: at });
  }
  return ended;
}
