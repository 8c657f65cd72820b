/** All runs, latest first. */
import { useCallback } from "preact/hooks";
import { queryText } from "../../api.ts";
import { isStateChange, useLive } from "../../live.ts";
import { Filters } from "../../parts/filters.tsx";
import { Empty } from "../../parts/notice.tsx";
import { RunPill } from "../../parts/pill.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Title } from "../../parts/title.tsx";
import { Link, navigate, useLocation } from "../../router.tsx";
import { type RunRow, sitesOf } from "../../runs.ts";
import { useList } from "../../use-api.ts";
import { bytes, clock, count, siteLabel } from "../../words.ts";

const columns: readonly Column<RunRow>[] = [
  { name: "Run", cell: (run) => <Link to={`/crawls/${run.id}`}>{`${sitesOf(run, siteLabel)} · run ${run.id}`}</Link> },
  { name: "State", cell: (run) => <RunPill run={run} /> },
  { name: "Begun", cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    name: "Took",
    isNumber: true,
    cell: ({ startedAt, endedAt }) => (endedAt ? clock(Date.parse(endedAt) - Date.parse(startedAt)) : ""),
  },
  { name: "Pages", isNumber: true, cell: ({ counters }) => count(counters.pages ?? 0) },
  { name: "New", isNumber: true, cell: ({ counters }) => count(counters.changes?.new ?? 0) },
  { name: "Changed", isNumber: true, cell: ({ counters }) => count(counters.changes?.changed ?? 0) },
  { name: "Errors", isNumber: true, cell: ({ counters }) => count(counters.errors ?? 0) },
  { name: "Received", isNumber: true, cell: ({ counters }) => bytes(counters.bytes ?? 0) },
];

export function Crawls() {
  const { query } = useLocation();
  const path = `/crawls${queryText({ siteId: query.get("siteId") ?? undefined, status: query.get("status") ?? undefined })}`;
  const list = useList<RunRow>(path);
  useLive(useCallback((event) => isStateChange(event) && list.reload(), [list.reload]));
  return (
    <>
      <Title tab="Crawls">Crawls</Title>
      <div class="bar">
        <Filters
          filters={[
            {
              name: "status",
              label: "State",
              choices: ["running", "paused", "finished", "stopped", "limit", "deferred", "failed", "died"],
            },
          ]}
        />
        {query.get("siteId") !== null && <Link to="/crawls">of all sites</Link>}
        <Link to="/playground?mode=crawl">New crawl</Link>
      </div>
      <Table
        label="Crawls"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        path={path}
        onOpen={({ id }) => navigate(`/crawls/${id}`)}
        empty={<Empty command="nuthatch crawl https://example.org">No run yet. Begin one:</Empty>}
      />
    </>
  );
}
