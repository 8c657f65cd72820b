import type { Clock } from "../clock.ts";
import type { HostWish } from "../frontier/index.ts";
import type { HostCard, Run, Store, TakenOut } from "../store/index.ts";
import type { ScopeVerdict } from "../url/index.ts";
import { countSkip } from "./count.ts";
import type { Crew } from "./crew.ts";
import type { Parts } from "./parts.ts";
import type { CrawlConfig, RunChange } from "./run-setup.ts";
import { Slices } from "./slices.ts";

export interface AdjustSetup {
  readonly config: CrawlConfig;
  readonly run: Run;
  readonly store: Store;
  readonly crew: Crew;
  readonly clock: { wall(): number };
  /** Pages the run had fetched before this process took it up. */
  readonly pagesBefore: number;
}

/** Rows of the ledger per step; between steps other work gets a turn. */
const ROWS = 1000;

/**
 * Applies changed options. From then on nothing is fetched against them: the gate checks queued URLs again, every host's delay is
 * recalculated from its last request, and requests in flight are waited for. Only then does the call return.
 */
export async function adjustRun(parts: Parts, setup: AdjustSetup, change: RunChange, isDry: boolean): Promise<number> {
  const { config, crew } = setup;
  const scope = parts.compile({ ...config, ...change });
  const isRescoped = change.include !== undefined || change.exclude !== undefined;
  if (isDry) return isRescoped ? (await takeOut(parts, setup, scope, isDry)).removed : 0;
  Object.assign(config, change);
  if (change.maxPages !== undefined && parts.sharedBudget) parts.sharedBudget.resize(change.maxPages);
  else if (change.maxPages !== undefined) parts.budget.resize(change.maxPages - setup.pagesBefore);
  if (change.rateLimit !== undefined || change.maxConcurrent !== undefined) parts.frontier.repace();
  if (change.maxConcurrent !== undefined) crew.grow(change.maxConcurrent);
  if (!isRescoped) return 0;
  parts.rescope();
  const { removed, out } = await takeOut(parts, setup, scope, isDry);
  await parts.frontier.taken.back(out);
  return removed;
}

/** The settings of host cards, with moments converted to the frontier's clock. */
export function wishesOf(cards: readonly HostCard[], clock: Pick<Clock, "now" | "wall">): Map<string, HostWish> {
  const ahead = clock.now() - clock.wall();
  return new Map(cards.map(({ host, delay, pausedUntil }) => [host, { delay, pausedUntil: pausedUntil + ahead }]));
}

/** Removes queued URLs that the scope refuses, and returns those of them that are in flight. */
async function takeOut(
  { frontier }: Parts,
  { run, store, clock }: AdjustSetup,
  scope: ReturnType<Parts["compile"]>,
  isDry: boolean,
): Promise<{ removed: number; out: number[] }> {
  const out: number[] = [];
  const slices = new Slices();
  let removed = 0;
  for (let after = 0; ; ) {
    const waiting = await store.queue.walk(run.id, after, ROWS);
    const last = waiting.at(-1);
    if (!last) return { removed, out };
    // Matching patterns may take long, and workers change the queue meanwhile, so the rows are read again afterwards.
    const verdicts = new Map<number, ScopeVerdict | undefined>();
    for (const { id, url, kind } of waiting) {
      await slices.next();
      verdicts.set(id, kind === "sitemap" ? undefined : scope(url));
    }
    const rows = await store.queue.walk(run.id, after, ROWS);
    after = last.id;
    const gone: (TakenOut & { readonly host: string })[] = [];
    for (const { id, host } of rows) {
      const verdict = verdicts.get(id);
      if (!verdict || verdict.ok) continue;
      if (frontier.taken.has(id)) out.push(id);
      else gone.push({ id, host, reason: verdict.reason, rule: verdict.rule });
    }
    removed += gone.length;
    if (isDry || gone.length === 0) continue;
    await store.queue.takeOut(gone, clock.wall());
    frontier.drop(gone);
    for (const { reason } of gone) countSkip(run.counters, reason);
  }
}
