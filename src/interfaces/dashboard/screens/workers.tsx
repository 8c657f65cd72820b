/** Worker processes on a shared database. A data file has only one process, so nothing is shown. */
import { Empty } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { Link } from "../router.tsx";
import { type LoadedList, useList } from "../use-api.ts";
import { useAutoReload, useNow } from "../use-run.ts";
import { count, durationText, plural } from "../words.ts";

export interface WorkerRow {
  readonly id: string;
  readonly name: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  readonly silentMs: number;
  readonly alive: boolean;
  readonly draining: boolean;
  readonly maxConcurrent: number;
  readonly leases: number;
  readonly inFlight: number;
  readonly pages: number;
  readonly crawlIds: readonly number[];
}

export const WORKERS = "/workers?limit=1000";

/** The workers, reloaded regularly. */
export function useWorkers(): LoadedList<WorkerRow> {
  const list = useList<WorkerRow>(WORKERS);
  // Empty `rows`, so that a long list is reloaded as well: outdated heartbeats would be misleading.
  useAutoReload({ rows: [], reload: list.reload }, true);
  return list;
}

const stateOf = ({ alive, draining }: WorkerRow) => (!alive ? "silent" : draining ? "draining" : "at work");

const columnsFor = (since: number): readonly Column<WorkerRow>[] => [
  { name: "Worker", cell: ({ name, id }) => <span title={id}>{name}</span> },
  { name: "Machine", cell: ({ machine, pid }) => `${machine}, process ${pid}` },
  { name: "State", cell: (worker) => <Pill state={stateOf(worker)} /> },
  { name: "Heard of", isNumber: true, cell: ({ silentMs }) => `${durationText(silentMs + since)} ago` },
  { name: "Hosts", isNumber: true, cell: ({ leases }) => count(leases) },
  {
    name: "In flight",
    isNumber: true,
    cell: ({ inFlight, maxConcurrent }) => (maxConcurrent > 0 ? `${count(inFlight)} of ${count(maxConcurrent)}` : count(inFlight)),
  },
  { name: "Pages", isNumber: true, cell: ({ pages }) => count(pages) },
  {
    name: "Runs",
    cell: ({ crawlIds }) =>
      crawlIds.map((id, index) => (
        <>
          {index > 0 && ", "}
          <Link key={id} to={`/crawls/${id}`}>
            {String(id)}
          </Link>
        </>
      )),
  },
  { name: "Since", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { name: "Version", cell: ({ version }) => version },
];

interface WorkersProps {
  readonly list: LoadedList<WorkerRow>;
  /** When the data was received. */
  readonly receivedAt: number;
}

export function Workers({ list, receivedAt }: WorkersProps) {
  const now = useNow(1000, list.rows.length > 0);
  if (list.rows.length === 0) return null;
  const silent = list.rows.filter(({ alive }) => !alive).length;
  return (
    <>
      <h2>Workers</h2>
      <p class="faint">
        Each host is one worker's alone at a time.
        {silent > 0 && ` ${plural(silent, "worker")} went silent: the others take over.`}
      </p>
      <Table
        label="Workers"
        columns={columnsFor(Math.max(0, now - receivedAt))}
        list={list}
        keyOf={({ id }) => id}
        path={WORKERS}
        hasKeys={false}
        empty={<Empty>Nobody is at work.</Empty>}
      />
    </>
  );
}
