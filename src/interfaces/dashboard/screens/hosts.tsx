/** Screen 7: all hosts of active runs, when each is asked next, why not sooner, and the settings people made. */
import { useMemo } from "preact/hooks";
import { type List, queryText } from "../api.ts";
import { Filters } from "../parts/filters.tsx";
import { Empty, ErrorMessage } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Title } from "../parts/title.tsx";
import { Link, useLocation } from "../router.tsx";
import { useApi, useList } from "../use-api.ts";
import { useAutoReload, useNow } from "../use-run.ts";
import { count } from "../words.ts";
import { CrawlHosts, causeText, type HostRow, nextText, rateText, Share } from "./crawl/crawl-hosts.tsx";
import { HostBlock } from "./host-block.tsx";
import { HostPace } from "./host-pace.tsx";
import { useWorkers, Workers } from "./workers.tsx";

interface HostOfRun extends Omit<HostRow, "inFlight"> {
  /** null: the run is led by another process. */
  readonly inFlight: number | null;
  /** null: no active run uses the host, but it has settings. */
  readonly crawlId: number | null;
  readonly failures: number;
  /** Id of the worker process that leases it. */
  readonly worker: string | null;
}

interface ColumnContext {
  readonly max: number;
  readonly since: number;
  /** Names by id; empty if the database is a file. */
  readonly workers: ReadonlyMap<string, string>;
  readonly onChange: () => void;
}

const columnsFor = ({ max, since, workers, onChange }: ColumnContext): readonly Column<HostOfRun>[] => [
  {
    name: "Host",
    cell: ({ host, crawlId }) =>
      crawlId === null ? host : <Link to={`/crawls/${crawlId}?tab=upcoming&host=${encodeURIComponent(host)}`}>{host}</Link>,
  },
  { name: "Run", isNumber: true, cell: ({ crawlId }) => crawlId !== null && <Link to={`/crawls/${crawlId}`}>{String(crawlId)}</Link> },
  { name: "Queued", isNumber: true, cell: ({ queued }) => <Share value={queued} max={max} /> },
  { name: "In flight", isNumber: true, cell: ({ inFlight }) => inFlight },
  { name: "Done", isNumber: true, cell: ({ done }) => done !== null && count(done) },
  {
    name: "Errors",
    isNumber: true,
    cell: ({ failed, failures }) =>
      [failed === null ? "" : count(failed), failures > 0 ? `${failures} in a row` : ""].filter(Boolean).join(", "),
  },
  { name: "Pace", isNumber: true, cell: ({ delayMs }) => rateText(delayMs) },
  { name: "Because", cell: causeText },
  { name: "Next", isNumber: true, cell: (host) => nextText({ ...host, inFlight: host.inFlight ?? 0 }, since) },
  { name: "State", cell: ({ state }) => <Pill state={state} /> },
  ...(workers.size > 0 ? [{ name: "Worker", cell: ({ worker }: HostOfRun) => worker !== null && (workers.get(worker) ?? worker) }] : []),
  { name: "", cell: (host) => <HostActions host={host} onChange={onChange} /> },
];

export function Hosts() {
  const { query } = useLocation();
  const path = `/hosts${queryText({ state: query.get("state") ?? undefined })}`;
  const list = useList<HostOfRun>(path);
  useAutoReload(list, true);
  const receivedAt = useMemo(() => Date.now(), [list.rows]);
  const now = useNow(200, list.rows.length > 0);
  const workers = useWorkers();
  const workersReceivedAt = useMemo(() => Date.now(), [workers.rows]);
  const names = new Map(workers.rows.map(({ id, name }) => [id, name]));
  const max = Math.max(0, ...list.rows.map(({ queued }) => queued));
  return (
    <>
      <Title tab="Hosts">Hosts</Title>
      <div class="bar">
        <Filters filters={[{ name: "state", label: "State", choices: ["ok", "slowed", "deferred", "paused"] }]} />
        <span class="faint">Each host is asked at its own pace: a slow one holds back none of the others.</span>
      </div>
      <Table
        label="Hosts"
        columns={columnsFor({ max, since: Math.max(0, now - receivedAt), workers: names, onChange: list.reload })}
        list={list}
        keyOf={({ host, crawlId }) => `${crawlId} ${host}`}
        path={path}
        empty={query.has("state") ? <Empty>No host is in this state.</Empty> : <LastHosts />}
      />
      <Workers list={workers} receivedAt={workersReceivedAt} />
    </>
  );
}

/** Without active runs: the hosts of the latest run. */
function LastHosts() {
  const { data, error } = useApi<List<{ id: number }>>("/crawls?limit=1");
  const run = data?.data[0];
  if (!run && data) return <Empty command="nuthatch crawl https://example.org --detach">No run is at work here. Hand one over:</Empty>;
  return (
    <div class="within">
      <ErrorMessage error={error} />
      {run && (
        <>
          <p>
            No crawl is running. These are the hosts of the last one, <Link to={`/crawls/${run.id}`}>{`run ${run.id}`}</Link>.
          </p>
          <CrawlHosts runId={run.id} live={undefined} isOn={false} />
        </>
      )}
    </div>
  );
}

function HostActions({ host, onChange }: { readonly host: HostOfRun; readonly onChange: () => void }) {
  const { crawlId } = host;
  return (
    <div class="actions tight">
      <HostPace settings={host} onChange={onChange} />
      {crawlId !== null && (
        <>
          <HostBlock host={host.host} crawlId={crawlId} onChange={onChange} />
          <a
            class="button quiet"
            href={`/api/v1/crawls/${crawlId}/frontier${queryText({ host: host.host, format: "csv" })}`}
            download=""
            aria-label={`Queue of ${host.host} as CSV`}
          >
            Queue
          </a>
        </>
      )}
    </div>
  );
}
