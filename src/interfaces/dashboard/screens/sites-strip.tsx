/** Above the list of sites: active runs, and failures since yesterday. */
import { useCallback, useState } from "preact/hooks";
import type { List } from "../api.ts";
import { isStateChange, type LiveEvent, useLive } from "../live.ts";
import { RunPill } from "../parts/pill.tsx";
import { Time } from "../parts/time.tsx";
import { Link } from "../router.tsx";
import { type LiveRun, type RunRow, sitesOf } from "../runs.ts";
import { useApi } from "../use-api.ts";
import { count, durationText, siteLabel } from "../words.ts";

const DAY_MS = 86_400_000;

export function SitesStrip() {
  const running = useApi<List<RunRow>>("/crawls?active=true");
  const broken = useApi<List<RunRow>>("/crawls?status=failed,died&limit=20");
  const [now, setNow] = useState<ReadonlyMap<number, LiveRun>>(new Map());
  const onEvent = useCallback(
    (event: LiveEvent) => {
      const { type, crawlId, data } = event;
      if (type === "crawl.progress" && crawlId !== null) setNow((before) => new Map(before).set(crawlId, data as LiveRun));
      if (!isStateChange(event)) return;
      running.reload();
      broken.reload();
    },
    [running.reload, broken.reload],
  );
  useLive(onEvent);
  const runs = running.data?.data ?? [];
  const failed = (broken.data?.data ?? [])
    .filter(({ startedAt, endedAt }) => Date.now() - Date.parse(endedAt ?? startedAt) < DAY_MS)
    .sort((a, b) => b.id - a.id);
  return (
    <div class="halves strip">
      <section aria-label="Running now">
        <h2>Running now {runs.length > 0 && <span class="faint">{count(runs.length)}</span>}</h2>
        {running.data && runs.length === 0 && <p class="faint">Nothing.</p>}
        <ul class="plain">
          {runs.map((run) => (
            <li key={run.id}>
              <RunLink run={run} /> <span class="faint">{progressText(run, now.get(run.id))}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Failed since yesterday">
        <h2>Failed since yesterday {failed.length > 0 && <span class="faint">{count(failed.length)}</span>}</h2>
        {broken.data && failed.length === 0 && <p class="faint">Nothing.</p>}
        <ul class="plain">
          {failed.map((run) => (
            <li key={run.id}>
              <RunLink run={run} />{" "}
              <span class="faint">
                <Time at={run.endedAt ?? run.startedAt} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const RunLink = ({ run }: { readonly run: RunRow }) => (
  <>
    <RunPill run={run} /> <Link to={`/crawls/${run.id}`}>{`${sitesOf(run, siteLabel)} · run ${run.id}`}</Link>
  </>
);

/** `412 pages, 1,386 queued, ≈ 25 min left` */
function progressText({ counters }: RunRow, now: LiveRun | undefined): string {
  const done = `${count(now?.counters.pages ?? counters.pages ?? 0)} pages`;
  if (!now) return done;
  return [done, `${count(now.queued)} queued`, ...(now.etaMs === null || now.isPaused ? [] : [`≈ ${durationText(now.etaMs)} left`])].join(
    ", ",
  );
}
