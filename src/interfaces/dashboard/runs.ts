/** Runs as the screens use them, and rates over time. */

export interface RunCounters {
  readonly pages?: number;
  readonly bytes?: number;
  readonly errors?: number;
  readonly failed?: number;
  readonly redirects?: number;
  readonly changes?: Readonly<Record<string, number>>;
  readonly skipped?: Readonly<Record<string, number>>;
  readonly status?: Readonly<Record<string, number>>;
  readonly links?: { readonly high: number; readonly highNew: number };
  /** If pages were rendered: how many were shown to a browser, and the pages that resulted, by engine. */
  readonly rendering?: { readonly shown: number; readonly pages: Readonly<Record<string, number>> };
}

export interface RunRow {
  readonly id: number;
  readonly status: string;
  readonly stopReason: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly seeds: readonly string[];
  readonly sites: readonly { readonly id: number; readonly url: string }[];
  readonly counters: RunCounters;
}

export interface LiveHost {
  readonly host: string;
  readonly queued: number;
  readonly inFlight: number;
  readonly done: number;
  readonly nextInMs: number;
  readonly delayMs: number;
  readonly cause: string;
}

export interface LiveRun {
  readonly counters: RunCounters;
  readonly queued: number;
  readonly inFlight: number;
  readonly isPaused: boolean;
  readonly perMinute: number;
  readonly etaMs: number | null;
  readonly phase: string;
  readonly hosts: readonly LiveHost[];
}

export interface RunDetails extends RunRow {
  readonly options: Readonly<Record<string, unknown>>;
  readonly seq: number;
  readonly live: LiveRun | null;
}

export interface Sample {
  readonly at: string;
  readonly pages: number;
  readonly queued: number;
  readonly failed: number;
  readonly status: Readonly<Record<string, number>>;
}

const STOP_TEXTS: ReadonlyMap<string, string> = new Map([
  ["limit.pages", "it reached its limit of pages"],
  ["limit.time", "it reached its limit of time"],
  ["limit.bytes", "it reached its limit of bytes"],
  ["stopped", "it was stopped"],
  ["died", "its process ended before the run did"],
  ["deferred", "the hosts that were left have to wait for too long"],
  ["no-pages", "no page could be fetched"],
  ["failed", "it failed"],
  ["hung", "its process hung, and was ended"],
]);

/** Why a run did not see everything; undefined if it did. */
export const incompleteReason = (stopReason: string | null): string | undefined =>
  stopReason === null || stopReason === "finished" ? undefined : (STOP_TEXTS.get(stopReason) ?? stopReason);

export const isRunActive = (status: string): boolean => status === "running" || status === "paused";

/** True if a run ended without a page. */
export const foundNothing = ({ stopReason }: Pick<RunRow, "stopReason">): boolean => stopReason === "no-pages";

/** Title of a run: its site, or the first one and the number of others. */
export function sitesOf({ sites, seeds }: Pick<RunRow, "sites" | "seeds">, labelOf: (url: string) => string): string {
  const [first = seeds[0] ?? "", ...others] = sites.map(({ url }) => url);
  return others.length > 0 ? `${labelOf(first)} and ${others.length} more` : labelOf(first);
}

export const CLASSES = ["2xx", "304", "3xx", "4xx", "5xx"] as const;

const MAX_SLOTS = 60;
const MIN_SLOT_MS = 2000;

export interface Rates {
  /** Unix time in seconds. */
  readonly times: readonly number[];
  /** Null: no run was active at that time. */
  readonly perMinute: Readonly<Record<(typeof CLASSES)[number], readonly (number | null)[]>>;
}

/** An active run stores a sample every half minute, fewer over many hours; a larger gap means it was not active. */
const MIN_GAP_MS = 40_000;
const MANY_SAMPLES = 300;

function minGapOf(samples: readonly Sample[]): number {
  if (samples.length < MANY_SAMPLES) return MIN_GAP_MS;
  return Math.max(MIN_GAP_MS, (3 * (Date.parse(samples.at(-1)!.at) - Date.parse(samples[0]!.at))) / samples.length);
}

/** Inserts a gap where the run was not active; a continuous line would show work that was not done. */
export function withGaps(samples: readonly Sample[]): readonly (Sample | { readonly at: string; readonly isGap: true })[] {
  const minGap = minGapOf(samples);
  return samples.flatMap((sample, index) => {
    const before = samples[index - 1];
    if (!before || Date.parse(sample.at) - Date.parse(before.at) <= minGap) return [sample];
    return [{ at: new Date(Date.parse(before.at) + 1000).toISOString(), isGap: true as const }, sample];
  });
}

/** Converts running totals to answers per minute, in at most sixty time slots. */
export function ratesOf(samples: readonly Sample[]): Rates {
  const at = samples.map((sample) => Date.parse(sample.at));
  const slot = Math.max(MIN_SLOT_MS, ((at.at(-1) ?? 0) - (at[0] ?? 0)) / MAX_SLOTS);
  const minGap = minGapOf(samples);
  const times: number[] = [];
  // The first rate after a gap is drawn from the start of its slot: a single point would draw no line.
  let isFirst = true;
  const perMinute = { "2xx": [], "304": [], "3xx": [], "4xx": [], "5xx": [] } as Record<(typeof CLASSES)[number], (number | null)[]>;
  let last = 0;
  for (let now = 1; now < samples.length; now++) {
    if (at[now]! - at[now - 1]! > minGap) {
      times.push(at[now - 1]! / 1000 + 1);
      for (const name of CLASSES) perMinute[name].push(null);
      last = now;
      isFirst = true;
      continue;
    }
    const ms = at[now]! - at[last]!;
    // The remainder at the end is too short for a rate, because answers are counted in batches.
    if (ms < slot) continue;
    if (isFirst) times.push(at[last]! / 1000);
    times.push(at[now]! / 1000);
    for (const name of CLASSES) {
      const more = (samples[now]!.status[name] ?? 0) - (samples[last]!.status[name] ?? 0);
      const rate = Math.round((Math.max(0, more) / ms) * 60_000);
      perMinute[name].push(...(isFirst ? [rate, rate] : [rate]));
    }
    isFirst = false;
    last = now;
  }
  return { times, perMinute };
}

/** The health of a site whose last run had no errors. A run that ended without a page, such as one whose host has to wait, is not well. */
export function healthWord({ status, counters }: Pick<RunRow, "status" | "counters">): "ok" | "failed" | "running" {
  if ((counters.pages ?? 0) > 0) return "ok";
  return status === "running" || status === "paused" ? "running" : "failed";
}
