/** Keys, exports, jobs, and information about the server. */
import { api } from "../api.ts";
import { Facts } from "../parts/facts.tsx";
import { SHORTCUTS } from "../parts/keyboard.tsx";
import { Empty, showError } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Time } from "../parts/time.tsx";
import { Title } from "../parts/title.tsx";
import { useApi, useList } from "../use-api.ts";
import { useAutoReload } from "../use-run.ts";
import { bytes, count } from "../words.ts";
import { ExportForm } from "./export-form.tsx";
import { Keys } from "./keys.tsx";

export function Settings() {
  return (
    <>
      <Title tab="Settings">Settings</Title>
      <Tabs
        label="Settings"
        tabs={[
          { id: "keys", name: "Keys", show: () => <Keys /> },
          { id: "exports", name: "Exports", show: () => <Exports /> },
          { id: "jobs", name: "Jobs", show: () => <Jobs kind={undefined} /> },
          { id: "about", name: "About", show: () => <About /> },
        ]}
      />
    </>
  );
}

interface JobRow {
  readonly id: number;
  readonly kind: string;
  readonly status: string;
  readonly madeAt: string;
  readonly endedAt: string | null;
  readonly progress: { readonly done: number; readonly total: number | null };
  readonly error: { readonly detail: string } | null;
  readonly result: Readonly<Record<string, unknown>> | null;
}

const cancel = (id: number) => api(`/jobs/${id}/cancel`, { method: "POST" });

const columnsFor = (onChange: () => void): readonly Column<JobRow>[] => [
  { name: "Job", isNumber: true, cell: ({ id }) => id },
  { name: "Kind", cell: ({ kind }) => kind },
  { name: "State", cell: ({ status }) => <Pill state={status} /> },
  {
    name: "Done",
    isNumber: true,
    cell: ({ progress: { done, total } }) => (total === null ? count(done) : `${count(done)} of ${count(total)}`),
  },
  { name: "Asked", cell: ({ madeAt }) => <Time at={madeAt} /> },
  { name: "Ended", cell: ({ endedAt }) => (endedAt ? <Time at={endedAt} /> : "") },
  {
    name: "Result",
    cell: ({ id, kind, status, error, result }) => {
      if (error) return <span class="bad-text">{error.detail}</span>;
      if (kind === "export" && status === "finished")
        return (
          <a href={`/api/v1/exports/${id}/file`} download="">
            {typeof result?.bytes === "number" ? bytes(result.bytes) : "file"}
          </a>
        );
      if (status === "finished") return <a href={`/api/v1/jobs/${id}`}>JSON</a>;
      return (
        <button type="button" class="quiet" data-needs="write" onClick={() => void cancel(id).then(onChange, showError)}>
          Cancel
        </button>
      );
    },
  },
];

function Jobs({ kind, made = 0 }: { readonly kind: string | undefined; readonly made?: number }) {
  const path = kind === undefined ? "/jobs" : `/jobs?kind=${kind}`;
  const list = useList<JobRow>(path);
  useAutoReload(list, made > 0 || list.rows.some(({ status }) => status === "queued" || status === "running"));
  return (
    <Table
      label="Jobs"
      columns={columnsFor(list.reload)}
      list={list}
      keyOf={({ id }) => id}
      path={path}
      empty={
        <Empty command={kind === "export" ? "nuthatch export jsonl -o pages.jsonl" : "nuthatch enrich"}>
          {kind === "export" ? "No file was asked for. On the command line:" : "Nothing took longer than a request. On the command line:"}
        </Empty>
      }
    />
  );
}

const Exports = () => (
  <>
    <ExportForm />
    <Jobs kind="export" made={1} />
  </>
);

function About() {
  const { data } = useApi<{ version: string }>("/version");
  return (
    <>
      <Facts
        facts={[
          ["version", data?.version ?? "…"],
          ["documentation of the API", <a href="/docs">/docs</a>],
          ["its description", <a href="/openapi.json">/openapi.json</a>],
          ["numbers for Prometheus", <a href="/metrics">/metrics</a>],
        ]}
      />
      <h2>Keyboard shortcuts</h2>
      <Facts facts={SHORTCUTS} />
      <form method="post" action="/logout">
        <button type="submit">Log out</button>
      </form>
    </>
  );
}
