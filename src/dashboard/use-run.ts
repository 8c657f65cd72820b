import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type LiveEvent, useLive } from "./live.ts";
import { isAtWork, type LiveRun, type RunDetails, type Sample } from "./runs.ts";
import { useApi } from "./use-api.ts";

export interface RunNow {
  readonly run: RunDetails | undefined;
  readonly error: Error | undefined;
  /** With the time it was received. */
  readonly live: (LiveRun & { readonly heardAt: number }) | undefined;
  readonly samples: readonly Sample[];
  reload(): void;
}

const MOST = 1500;

/** A stored run, with live updates. */
export function useRun(id: string): RunNow {
  const details = useApi<RunDetails>(`/crawls/${id}`);
  const stats = useApi<{ data: readonly Sample[] }>(`/crawls/${id}/stats`);
  const [live, setLive] = useState<RunNow["live"]>();
  const [later, setLater] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (!details.data || String(details.data.id) !== id) return;
    setLive(details.data.live ? { ...details.data.live, heardAt: Date.now() } : undefined);
  }, [details.data]);
  const hear = useCallback(
    ({ type, crawlId, at, data }: LiveEvent) => {
      if (String(crawlId) !== id) return;
      if (type !== "crawl.progress") {
        details.reload();
        stats.reload();
        return;
      }
      const now = data as LiveRun;
      setLive({ ...now, heardAt: Date.now() });
      setLater((before) => [...before.slice(-MOST), sampleOf(now, at)]);
    },
    [id, details.reload, stats.reload],
  );
  useLive(hear);
  const samples = useMemo(() => joined(stats.data?.data ?? [], later), [stats.data, later]);
  const isOver = details.data && !isAtWork(details.data.status);
  return {
    run: details.data,
    error: details.error,
    live: isOver ? undefined : live,
    samples,
    reload: details.reload,
  };
}

/** Stored and live samples in order of time; both are kept, because stored ones are coarser. */
export const joined = (kept: readonly Sample[], heard: readonly Sample[]): readonly Sample[] =>
  [...kept, ...heard].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

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
export function useFresh({ rows, reload }: { readonly rows: readonly unknown[]; reload(): void }, isOn: boolean): void {
  const isShort = rows.length <= FIRST_PAGE;
  useEffect(() => {
    if (!isOn || !isShort) return;
    const timer = setInterval(() => document.hidden || reload(), 2000);
    return () => clearInterval(timer);
  }, [isOn, isShort, reload]);
}
