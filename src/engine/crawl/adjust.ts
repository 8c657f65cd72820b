import type { ScopeVerdict } from "../../analysis/url/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { HostSettings, RemovedUrl, Run, Store } from "../../store/index.ts";
import type { HostWish } from "../frontier/index.ts";
import { TimeSlicer } from "./admit/time-slicer.ts";
import type { RunParts } from "./run-parts.ts";
import type { CrawlConfig, RunChange } from "./run-setup.ts";
import { countSkip } from "./settle/count.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface AdjustSetup {
  readonly config: CrawlConfig;
  readonly run: Run;
  readonly store: Store;
  readonly pool: WorkerPool;
  readonly clock: { wall(): number };
  /** Pages the run had fetched before this process took it up. */
  readonly pagesBefore: number;
}

/** Rows of the ledger per step; between steps other work gets a turn. */
const ROWS_PER_STEP = 1000;

/**
 * Applies changed options. From then on nothing is fetched against them: the gate checks queued URLs again, every host's delay is
 * recalculated from its last request, and requests in flight are waited for. Only then does the call return.
 */
export async function adjustRun(parts: RunParts, setup: AdjustSetup, change: RunChange, isDry: boolean): Promise<number> {
  const { config, pool } = setup;
  const scope = parts.compile({ ...config, ...change });
  const hasScopeChanged = change.include !== undefined || change.exclude !== undefined;
  if (isDry) return hasScopeChanged ? (await removeOutOfScope(parts, setup, scope, isDry)).removed : 0;
  Object.assign(config, change);
  if (change.maxPages !== undefined && parts.sharedBudget) parts.sharedBudget.resize(change.maxPages);
  else if (change.maxPages !== undefined) parts.budget.resize(change.maxPages - setup.pagesBefore);
  if (change.rateLimit !== undefined || change.maxConcurrent !== undefined) parts.frontier.repace();
  if (change.maxConcurrent !== undefined) pool.grow(change.maxConcurrent);
  if (!hasScopeChanged) return 0;
  parts.rescope();
  const { removed, inFlight } = await removeOutOfScope(parts, setup, scope, isDry);
  await parts.frontier.taken.waitUntilSettled(inFlight);
  return removed;
}

/** The settings of host cards, with moments converted to the frontier's clock. */
export function hostSettingsOf(cards: readonly HostSettings[], clock: Pick<Clock, "now" | "wall">): Map<string, HostWish> {
  const clockOffset = clock.now() - clock.wall();
  return new Map(cards.map(({ host, delay, pausedUntil }) => [host, { delay, pausedUntil: pausedUntil + clockOffset }]));
}

/** Removes queued URLs that the scope refuses, and returns those of them that are in flight. */
async function removeOutOfScope(
  { frontier }: RunParts,
  { run, store, clock }: AdjustSetup,
  scope: ReturnType<RunParts["compile"]>,
  isDry: boolean,
): Promise<{ removed: number; inFlight: number[] }> {
  const inFlight: number[] = [];
  const slicer = new TimeSlicer();
  let removed = 0;
  for (let after = 0; ; ) {
    const waiting = await store.queue.listQueued(run.id, after, ROWS_PER_STEP);
    const last = waiting.at(-1);
    if (!last) return { removed, inFlight };
    // Matching patterns may take long, and workers change the queue meanwhile, so the rows are read again afterwards.
    const verdicts = new Map<number, ScopeVerdict | undefined>();
    for (const { id, url, kind } of waiting) {
      await slicer.next();
      verdicts.set(id, kind === "sitemap" ? undefined : scope(url));
    }
    const rows = await store.queue.listQueued(run.id, after, ROWS_PER_STEP);
    after = last.id;
    const removedRows: (RemovedUrl & { readonly host: string })[] = [];
    for (const { id, host } of rows) {
      const verdict = verdicts.get(id);
      if (!verdict || verdict.ok) continue;
      if (frontier.taken.has(id)) inFlight.push(id);
      else removedRows.push({ id, host, reason: verdict.reason, rule: verdict.rule });
    }
    removed += removedRows.length;
    if (isDry || removedRows.length === 0) continue;
    await store.queue.removeQueued(removedRows, clock.wall());
    frontier.drop(removedRows);
    for (const { reason } of removedRows) countSkip(run.counters, reason);
  }
}
