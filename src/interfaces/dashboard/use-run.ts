import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type LiveEvent, useLive } from "./live.ts";
import { isRunActive, type LiveRun, type RunDetails, type Sample } from "./runs.ts";
import { useApi } from "./use-api.ts";

export interface RunData {
  readonly run: RunDetails | undefined;
  readonly error: Error | undefined;
  /** With the time it was received. */
  readonly live: (LiveRun & { readonly receivedAt: number }) | undefined;
  readonly samples: readonly Sample[];
  reload(): void;
}

const MAX_SAMPLES = 1500;

/** A stored run, with live updates. */
export function useRun(id: string): RunData {
  const details = useApi<RunDetails>(`/crawls/${id}`);
  const stats = useApi<{ data: readonly Sample[] }>(`/crawls/${id}/stats`);
  const [live, setLive] = useState<RunData["live"]>();
  const [liveSamples, setLiveSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (!details.data || String(details.data.id) !== id) return;
    setLive(details.data.live ? { ...details.data.live, receivedAt: Date.now() } : undefined);
  }, [details.data]);
  const onEvent = useCallback(
    ({ type, crawlId, at, data }: LiveEvent) => {
      if (String(crawlId) !== id) return;
      if (type !== "crawl.progress") {
        details.reload();
        stats.reload();
        return;
      }
      const now = data as LiveRun;
      setLive({ ...now, receivedAt: Date.now() });
      setLiveSamples((before) => [...before.slice(-MAX_SAMPLES), sampleOf(now, at)]);
    },
    [id, details.reload, stats.reload],
  );
  useLive(onEvent);
  const samples = useMemo(() => mergeSamples(stats.data?.data ?? [], liveSamples), [stats.data, liveSamples]);
  const isOver = details.data && !isRunActive(details.data.status);
  return {
    run: details.data,
    error: details.error,
    live: isOver ? undefined : live,
    samples,
    reload: details.reload,
  };
}

/** Stored and live samples in order of time; both are kept, because stored ones are coarser. */
export const mergeSamples = (stored: readonly Sample[], received: readonly Sample[]): readonly Sample[] =>
  [...stored, ...received].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

const sampleOf = ({ counters, queued }: LiveRun, at: string): Sample => ({
  at,
  queued,
  pages: counters.pages ?? 0,
  failed: counters.failed ?? 0,
  status: counters.status ?? {},
});

/** The current time, updated at this interval. */
export function useNow(everyMs: number, isOn: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return now;
}

const FIRST_PAGE = 50;

/** Reloads regularly while rows may be added, unless the user has loaded more pages. */
export function useAutoReload({ rows, reload }: { readonly rows: readonly unknown[]; reload(): void }, isOn: boolean): void {
  const isFirstPage = rows.length <= FIRST_PAGE;
  useEffect(() => {
    if (!isOn || !isFirstPage) return;
    const timer = setInterval(() => document.hidden || reload(), 2000);
    return () => clearInterval(timer);
  }, [isOn, isFirstPage, reload]);
}
