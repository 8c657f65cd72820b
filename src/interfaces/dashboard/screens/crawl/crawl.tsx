/** Screen 2: an active or finished run. */
import { useMemo } from "preact/hooks";
import { type List, queryText } from "../../api.ts";
import { Chart } from "../../parts/chart.tsx";
import { Facts } from "../../parts/facts.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import { RunPill } from "../../parts/pill.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Title } from "../../parts/title.tsx";
import { Link } from "../../router.tsx";
import {
  CLASSES,
  foundNothing,
  incompleteReason,
  isRunActive,
  type RunCounters,
  type RunDetails,
  ratesOf,
  type Sample,
  sitesOf,
  withGaps,
} from "../../runs.ts";
import { useApi } from "../../use-api.ts";
import { type RunData, useNow, useRun } from "../../use-run.ts";
import { bytes, clock, count, durationText, plural, siteLabel } from "../../words.ts";
import { CrawlActions } from "./crawl-actions.tsx";
import { CrawlHosts } from "./crawl-hosts.tsx";
import { BestLinks, type DecisionRow, Failures, LatestPages, Log, Upcoming } from "./crawl-lists.tsx";
import { Skipped } from "./crawl-skipped.tsx";

export function CrawlScreen({ params: { id } }: { readonly params: Readonly<Record<string, string>> }) {
  const now = useRun(id!);
  const { run, error, live } = now;
  if (!run) return error ? <ErrorMessage error={error} /> : <p class="faint">loading…</p>;
  const isOn = isRunActive(run.status);
  const queued = live?.queued;
  return (
    <>
      <div class="head">
        <Title tab={`${sitesOf(run, siteLabel)}, run ${run.id}`}>
          {sitesOf(run, siteLabel)} · run {run.id} <RunPill run={run} /> <Clock run={run} />
        </Title>
        <CrawlActions now={now} />
      </div>
      <ErrorMessage error={error} />
      {!isOn && <IncompleteNotice run={run} />}
      {foundNothing(run) && <NothingFound runId={run.id} />}
      <Counters now={now} />
      <Charts samples={now.samples} />
      <CrawlHosts runId={run.id} live={live} isOn={isOn} />
      <Tabs
        label="Of this run"
        tabs={[
          { id: "pages", name: "Latest pages", show: () => <LatestPages run={run} isOn={isOn} /> },
          {
            id: "upcoming",
            name: queued === undefined ? "Upcoming" : `Upcoming ${count(queued)}`,
            show: () => <Upcoming runId={run.id} isOn={isOn} />,
          },
          { id: "skipped", name: "Skipped", show: () => <Skipped runId={run.id} /> },
          { id: "errors", name: "Errors", show: () => <Failures runId={run.id} isOn={isOn} /> },
          { id: "links", name: "High-value links", show: () => <BestLinks run={run} isOn={isOn} /> },
          { id: "log", name: "Log", show: () => <Log runId={run.id} seq={run.seq} isOn={isOn} /> },
        ]}
      />
    </>
  );
}

/** A run cut short: remaining URLs are still queued, and pages it did not reach keep their state. */
function IncompleteNotice({ run: { stopReason, counters } }: { readonly run: RunDetails }) {
  const why = incompleteReason(stopReason);
  const unknown = counters.changes?.unknown ?? 0;
  if (why === undefined) return null;
  return (
    <p class="banner" role="status">
      It did not see everything: {why}. {unknown > 0 && `${plural(unknown, "page")} of earlier runs not reached: unknown, not gone. `}
      Carrying on takes up what is queued still.
    </p>
  );
}

/** A misspelt address, an unknown host name, a server that is down: the first error names the cause. */
function NothingFound({ runId }: { readonly runId: number }) {
  const [first] = useApi<List<DecisionRow>>(`/crawls/${runId}/errors?limit=1`).data?.data ?? [];
  return (
    <p class="banner" role="status">
      No page could be fetched{first && `: ${first.rule || first.sentence}`}. <Link to={`/crawls/${runId}?tab=errors`}>All errors</Link>
    </p>
  );
}

function Clock({ run: { status, startedAt, endedAt } }: { readonly run: RunDetails }) {
  const now = useNow(1000, isRunActive(status));
  return <span class="faint clock">{clock((endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt))}</span>;
}

function Counters({ now: { run, live } }: { readonly now: RunData }) {
  const counters = live?.counters ?? run!.counters;
  const { changes = {}, links } = counters;
  const eta = live && !live.isPaused && live.etaMs !== null ? `≈ ${durationText(live.etaMs)}` : undefined;
  return (
    <Facts
      isNarrow
      facts={[
        ["pages", count(counters.pages ?? 0)],
        ...(live
          ? ([
              ["queued", count(live.queued)],
              ["per minute", count(live.perMinute)],
            ] as const)
          : []),
        ["new", <ChangeCount key="new" run={run!} change="new" value={changes.new ?? 0} />],
        ["changed", <ChangeCount key="changed" run={run!} change="changed" value={changes.changed ?? 0} />],
        ...(changes.gone ? ([["gone", <ChangeCount key="gone" run={run!} change="gone" value={changes.gone} />]] as const) : []),
        ["errors", <Link to={`/crawls/${run!.id}?tab=errors`}>{count(counters.errors ?? 0)}</Link>],
        ["received", bytes(counters.bytes ?? 0)],
        ...(counters.rendering ? ([["rendered", <Rendered {...counters.rendering} />]] as const) : []),
        ...(links ? ([["links ≥ 0.8", <Link to={`/crawls/${run!.id}?tab=links`}>{count(links.high)}</Link>]] as const) : []),
        ...(eta ? ([["left", <span title={`at this pace, ${live!.hosts.length} hosts`}>{eta}</span>]] as const) : []),
        ...(live && live.phase !== "crawling" ? ([["now", live.phase]] as const) : []),
      ]}
    />
  );
}

/** The number of changes, linked to the list if the run is finished and has a single site. */
function ChangeCount({ run, change, value }: { readonly run: RunDetails; readonly change: string; readonly value: number }) {
  const [site, ...others] = run.sites;
  if (!site || others.length > 0 || isRunActive(run.status) || value === 0) return <>{count(value)}</>;
  return <Link to={`/changes${queryText({ siteId: site.id, to: run.id, change })}`}>{count(value)}</Link>;
}

/** Number of pages taken from a browser, of those shown to one. */
function Rendered({ shown, pages }: NonNullable<RunCounters["rendering"]>) {
  const engines = Object.entries(pages);
  const titleParts = [`${count(shown)} shown to a browser`, ...engines.map(([engine, number]) => `${engine} ${count(number)}`)];
  return <span title={titleParts.join(", ")}>{count(engines.reduce((sum, [, number]) => sum + number, 0))}</span>;
}

const COLOURS = { "2xx": "--good", "304": "--idle", "3xx": "--accent", "4xx": "--changed", "5xx": "--bad" } as const;

function Charts({ samples }: { readonly samples: readonly Sample[] }) {
  const samplesWithGaps = useMemo(() => withGaps(samples), [samples]);
  const times = useMemo(() => samplesWithGaps.map(({ at }) => Date.parse(at) / 1000), [samplesWithGaps]);
  const sizes = useMemo(() => {
    const values = (read: (sample: Sample) => number) => samplesWithGaps.map((place) => ("isGap" in place ? null : read(place)));
    return [
      { name: "queued", colour: "--accent", values: values(({ queued }) => queued) },
      { name: "pages", colour: "--good", values: values(({ pages }) => pages) },
    ];
  }, [samplesWithGaps]);
  const rates = useMemo(() => ratesOf(samples), [samples]);
  const answers = useMemo(() => CLASSES.map((name) => ({ name, colour: COLOURS[name], values: rates.perMinute[name] })), [rates]);
  // A run of one or two seconds has no history to plot.
  if (samples.length < 2 || samples.at(-1)!.pages === 0) return null;
  return (
    <div class="halves">
      <Chart label="Queue and pages" times={times} series={sizes} />
      <Chart label="Answers per minute" times={rates.times} series={answers} isStacked />
    </div>
  );
}
