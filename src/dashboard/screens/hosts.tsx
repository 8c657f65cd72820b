/** Screen 7: every host that runs at work ask, when it is asked next, and why not sooner. */
import { useMemo, useRef, useState } from "preact/hooks";
import { api, queryText } from "../api.ts";
import { Filters } from "../parts/filters.tsx";
import { Empty, Trouble } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Link, usePlace } from "../router.tsx";
import { useList } from "../use-api.ts";
import { useFresh, useNow } from "../use-run.ts";
import { count } from "../words.ts";
import { causeText, type HostRow, nextText, rateText, Share } from "./crawl-hosts.tsx";

interface HostOfRun extends HostRow {
  readonly crawlId: number;
  readonly failures: number;
}

const columnsFor = (most: number, since: number, onChange: () => void): readonly Column<HostOfRun>[] => [
  {
    name: "Host",
    cell: ({ host, crawlId }) => <Link to={`/crawls/${crawlId}?tab=upcoming&host=${encodeURIComponent(host)}`}>{host}</Link>,
  },
  { name: "Run", isNumber: true, cell: ({ crawlId }) => <Link to={`/crawls/${crawlId}`}>{String(crawlId)}</Link> },
  { name: "Queued", isNumber: true, cell: ({ queued }) => <Share value={queued} most={most} /> },
  { name: "In flight", isNumber: true, cell: ({ inFlight }) => inFlight },
  { name: "Done", isNumber: true, cell: ({ done }) => count(done) },
  {
    name: "Errors",
    isNumber: true,
    cell: ({ failed, failures }) => (failures > 0 ? `${count(failed)}, ${failures} in a row` : count(failed)),
  },
  { name: "Pace", isNumber: true, cell: ({ delayMs }) => rateText(delayMs) },
  { name: "Because", cell: causeText },
  { name: "Next", isNumber: true, cell: (host) => nextText(host, since) },
  { name: "State", cell: ({ state }) => <Pill state={state} /> },
  { name: "", cell: (host) => <HostActions host={host} onChange={onChange} /> },
];

export function Hosts() {
  const { query } = usePlace();
  const path = `/hosts${queryText({ state: query.get("state") ?? undefined })}`;
  const list = useList<HostOfRun>(path);
  useFresh(list, true);
  const heardAt = useMemo(() => Date.now(), [list.rows]);
  const now = useNow(200, list.rows.length > 0);
  const most = Math.max(0, ...list.rows.map(({ queued }) => queued));
  return (
    <>
      <h1>Hosts</h1>
      <div class="bar">
        <Filters filters={[{ name: "state", label: "State", choices: ["ok", "slowed", "deferred"] }]} />
        <span class="faint">Each host is asked at its own pace: a slow one holds back none of the others.</span>
      </div>
      <Table
        label="Hosts"
        columns={columnsFor(most, Math.max(0, now - heardAt), list.reload)}
        list={list}
        keyOf={({ host, crawlId }) => `${crawlId} ${host}`}
        path={path}
        empty={<Empty command="nuthatch crawl https://example.org --detach">No run is at work here. Hand one over:</Empty>}
      />
    </>
  );
}

/** Everything on a host, whatever the scheme. */
const patternFor = (host: string) => `*//${host}/**`;

function HostActions({ host: { host, crawlId }, onChange }: { readonly host: HostOfRun; readonly onChange: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [removed, setRemoved] = useState<number>();
  const [error, setError] = useState<Error>();
  const edit = (how: string) =>
    api<{ removed: number }>(`/crawls/${crawlId}${how}`, { method: "PATCH", body: { exclude: [patternFor(host)] } });
  const ask = () => {
    setError(undefined);
    dialog.current?.showModal();
    edit("?dryRun=true").then((edited) => setRemoved(edited.removed), setError);
  };
  const block = () => edit("").then(onChange, setError);
  return (
    <div class="actions tight">
      <button type="button" class="quiet" onClick={ask}>
        Block
      </button>
      <a class="button quiet" href={`/api/v1/crawls/${crawlId}/frontier${queryText({ host, format: "csv" })}`} download="">
        Queue
      </a>
      <dialog ref={dialog} aria-label={`Block ${host}`}>
        <h2>Block {host}?</h2>
        <p role="status">
          {removed === undefined ? "Counting…" : `${count(removed)} queued URLs of run ${crawlId} would be taken out.`} What it has fetched
          stays.
        </p>
        <Trouble error={error} />
        <form method="dialog" class="actions">
          <button type="submit">Leave it</button>
          <button type="submit" class="danger" onClick={() => void block()}>
            Block it in this run
          </button>
        </form>
      </dialog>
    </div>
  );
}
