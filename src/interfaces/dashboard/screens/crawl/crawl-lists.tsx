/** What a run has done and will do, one tab each. */
import type { ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";
import { apiText, queryText } from "../../api.ts";
import { Filters } from "../../parts/filters.tsx";
import { Empty, ErrorMessage } from "../../parts/notice.tsx";
import { Pill } from "../../parts/pill.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { type LinkRow, type PageRow, titleOf } from "../../records.ts";
import { Link, navigate, useLocation } from "../../router.tsx";
import type { RunDetails } from "../../runs.ts";
import { useList } from "../../use-api.ts";
import { useAutoReload } from "../../use-run.ts";
import { bytes, durationText, pathOf } from "../../words.ts";

interface RunProps {
  readonly runId: number;
  readonly isOn: boolean;
}

const pageColumns: readonly Column<PageRow>[] = [
  {
    name: "Page",
    cell: (page) => (
      <>
        <Link to={`/pages/${page.id}`}>{titleOf(page)}</Link>
        <div class="faint small">{page.url}</div>
      </>
    ),
  },
  { name: "Status", cell: ({ status }) => <span class={status < 400 ? "" : "bad-text"}>{status}</span> },
  { name: "Change", cell: ({ change }) => <Pill state={change} /> },
  { name: "Depth", isNumber: true, cell: ({ depth }) => depth },
  { name: "Size", isNumber: true, cell: (page) => bytes(page.bytes) },
  { name: "Took", isNumber: true, cell: ({ durationMs }) => durationText(durationMs) },
  { name: "Seen", cell: ({ fetchedAt }) => <Time at={fetchedAt} /> },
];

type ReloadingTableProps<T> = Omit<ComponentProps<typeof Table<T>>, "list"> & Pick<RunProps, "isOn">;

/** A table that is reloaded while its run is active. */
function ReloadingTable<T>({ isOn, ...props }: ReloadingTableProps<T>) {
  const list = useList<T>(props.path);
  useAutoReload(list, isOn);
  return <Table {...props} list={list} />;
}

const byId = ({ id }: { readonly id: number }) => id;

/** A page is listed under the run that saw it last. */
export function LatestPages({ run, isOn }: { readonly run: RunDetails; readonly isOn: boolean }) {
  const { id: runId, sites, counters } = run;
  const pages = sites.length === 1 ? `/pages?siteId=${sites[0]!.id}` : "/pages";
  const isSeenAgain = !isOn && (counters.pages ?? 0) > 0;
  return (
    <ReloadingTable
      isOn={isOn}
      label="Latest pages"
      columns={pageColumns}
      keyOf={byId}
      path={`/crawls/${runId}/pages?sort=-seen`}
      onOpen={({ id }) => navigate(`/pages/${id}`)}
      empty={
        isSeenAgain ? (
          <Empty>
            Later runs have seen its pages again, or removed them: <Link to={pages}>the pages as they are now</Link>.
          </Empty>
        ) : (
          <Empty>No page{isOn && " yet"}.</Empty>
        )
      }
    />
  );
}

interface QueuedRow {
  readonly url: string;
  readonly host: string;
  readonly kind: string;
  readonly depth: number;
  readonly priority: number;
  readonly attempts: number;
  readonly parentUrl: string | null;
}

const UrlAndParent = ({ url, parentUrl }: Pick<QueuedRow, "url" | "parentUrl">) => (
  <>
    {url}
    {parentUrl && <div class="faint small">from {pathOf(parentUrl)}</div>}
  </>
);

const queueColumns: readonly Column<QueuedRow>[] = [
  { name: "URL", cell: UrlAndParent },
  { name: "Kind", cell: ({ kind }) => kind },
  { name: "Depth", isNumber: true, cell: ({ depth }) => depth },
  { name: "Priority", isNumber: true, cell: ({ priority }) => priority.toFixed(2) },
  { name: "Tried", isNumber: true, cell: ({ attempts }) => attempts },
];

export function Upcoming({ runId, isOn }: RunProps) {
  const { query } = useLocation();
  return (
    <>
      <div class="bar">
        <Filters filters={[{ name: "host", label: "Host", placeholder: "all" }]} />
      </div>
      <ReloadingTable
        isOn={isOn}
        label="Upcoming"
        columns={queueColumns}
        keyOf={({ kind, url }) => `${kind} ${url}`}
        path={`/crawls/${runId}/frontier${queryText({ host: query.get("host") ?? undefined })}`}
        empty={<Empty>Nothing waits.</Empty>}
      />
    </>
  );
}

export interface DecisionRow {
  readonly id: number;
  readonly url: string;
  readonly verdict: string;
  readonly sentence: string;
  readonly rule: string;
  readonly status: number | null;
  readonly attempts: number;
  readonly parentUrl: string | null;
  readonly at: string;
}

export const decisionColumns: readonly Column<DecisionRow>[] = [
  { name: "URL", cell: UrlAndParent },
  {
    name: "Why",
    cell: ({ sentence, rule }) => (
      <>
        {sentence}
        {rule && <div class="faint small">{rule}</div>}
      </>
    ),
  },
  { name: "Status", isNumber: true, cell: ({ status }) => status ?? "" },
  // `attempts` counts only failures that can be retried; a final answer means at least one request.
  { name: "Tried", isNumber: true, cell: ({ attempts, status }) => Math.max(attempts, status === null ? 0 : 1) },
  { name: "When", cell: ({ at }) => <Time at={at} /> },
];

export function Failures({ runId, isOn }: RunProps) {
  return (
    <ReloadingTable
      isOn={isOn}
      label="Errors"
      columns={decisionColumns}
      keyOf={byId}
      path={`/crawls/${runId}/errors`}
      empty={<Empty>No error so far.</Empty>}
    />
  );
}

const linkColumns: readonly Column<LinkRow>[] = [
  { name: "Score", isNumber: true, cell: ({ score }) => score.toFixed(2) },
  {
    name: "Link",
    cell: ({ text, url, pageId }) => (
      <>
        {pageId === null ? text || pathOf(url) : <Link to={`/pages/${pageId}`}>{text || pathOf(url)}</Link>}
        <div class="faint small">{url}</div>
      </>
    ),
  },
  { name: "Keywords", cell: ({ keywords }) => Object.keys(keywords).map((word) => <span class="badge">{word}</span>) },
];

export function BestLinks({ run, isOn }: { readonly run: RunDetails; readonly isOn: boolean }) {
  return (
    <ReloadingTable
      isOn={isOn}
      label="High-value links"
      columns={linkColumns}
      keyOf={byId}
      path={`/crawls/${run.id}/links`}
      empty={
        <Empty command={`nuthatch crawl ${run.seeds[0] ?? ""} -k budget`}>
          No link that this run was the first to find. Keywords tell what matters:
        </Empty>
      }
    />
  );
}

const MAX_LINES = 200;

interface LogLine {
  readonly at: string;
  readonly seq: number;
  readonly url: string;
  readonly verdict: string;
  readonly reason: string;
  readonly rule: string;
  readonly status: number | null;
}

/** The last outcomes, in the order they were settled. */
export function Log({ runId, seq, isOn }: RunProps & { readonly seq: number }) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [error, setError] = useState<Error>();
  const last = lines.at(-1)?.seq ?? Math.max(0, seq - MAX_LINES);
  useEffect(() => {
    const abort = new AbortController();
    const loadNext = () =>
      apiText(`/crawls/${runId}/logs?after=${last}`, abort.signal)
        .then((text) => {
          const more = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as LogLine]));
          if (more.length > 0) setLines((before) => [...before, ...more].slice(-MAX_LINES));
        })
        .catch((cause: Error) => abort.signal.aborted || setError(cause));
    if (lines.length === 0) void loadNext();
    const timer = isOn ? setInterval(loadNext, 1000) : undefined;
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [runId, last, isOn]);
  return (
    <>
      <div class="table-tools">
        <span class="faint">the last {lines.length} outcomes</span>
        <a class="button quiet" href={`/api/v1/crawls/${runId}/logs`} download={`run-${runId}.jsonl`}>
          All as JSONL
        </a>
      </div>
      <ErrorMessage error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre class="log" tabIndex={0} role="log" aria-label="Log">
        {lines
          .map(({ at, verdict, status, url, reason, rule }) =>
            [new Date(at).toLocaleTimeString(), verdict.padEnd(12), status ?? "   ", url, rule || reason].join("  "),
          )
          .reverse()
          .join("\n")}
      </pre>
    </>
  );
}
