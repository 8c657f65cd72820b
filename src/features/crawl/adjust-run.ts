import { compileScope } from "../../analysis/url/index.ts";
import type { App } from "../../engine/app.ts";
import { resolveConfig, storedForm } from "../../engine/config/index.ts";
import type { RunChange, RunControl } from "../../engine/crawl/index.ts";
import type { Run } from "../../store/index.ts";

/** Options that may change during a run, as people write them. Patterns are added to the existing ones. */
export interface RunEdit {
  readonly exclude?: readonly string[] | undefined;
  readonly include?: readonly string[] | undefined;
  readonly rateLimit?: string | number | undefined;
  readonly maxConcurrent?: number | undefined;
  readonly maxPages?: number | "none" | undefined;
  /** Weights for URLs discovered from now on. */
  readonly priority?: Readonly<Record<string, unknown>> | undefined;
}

export interface AdjustResult {
  /** Queued URLs that the change removed. */
  readonly removed: number;
  /** The run's options after the change. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Changes a run in progress, or with `isDry` reports the effect. The change is stored, so that it survives a crash and resumption. */
export async function adjustRun(app: App, run: Run, control: RunControl, edit: RunEdit, isDry: boolean): Promise<AdjustResult> {
  const { exclude, include, ...others } = edit;
  const before = run.options;
  const config = resolveConfig([
    { from: `run ${run.id}`, values: before },
    { from: "the request", values: others },
    { from: "the request", values: { exclude, include }, isAdded: true },
  ]);
  const change: RunChange = {
    ...(exclude && { exclude: config.exclude }),
    ...(include && { include: config.include }),
    ...(edit.rateLimit !== undefined && { rateLimit: config.rateLimit }),
    ...(edit.maxConcurrent !== undefined && { maxConcurrent: config.maxConcurrent }),
    ...(edit.maxPages !== undefined && { maxPages: config.maxPages }),
    ...(edit.priority !== undefined && { priority: config.priority }),
  };
  const written = storedForm(config);
  const options = { ...before, ...Object.fromEntries(Object.keys(change).map((key) => [key, written[key]])) };
  if (isDry) return { removed: await control.adjust(change, true), options };
  // Throws for an unreadable pattern before anything is stored.
  compileScope(run.seeds, config);
  await app.store.service.saveOptions(run.id, options);
  return { removed: await control.adjust(change, false), options };
}
