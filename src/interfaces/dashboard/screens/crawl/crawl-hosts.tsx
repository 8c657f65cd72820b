/** Politeness of a run: which host is asked next, when, and why not sooner. */
import { Empty } from "../../parts/notice.tsx";
import { Pill } from "../../parts/pill.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Link } from "../../router.tsx";
import type { LiveHost } from "../../runs.ts";
import { useList } from "../../use-api.ts";
import { type RunData, useAutoReload, useNow } from "../../use-run.ts";
import { count, durationText } from "../../words.ts";
import { HostPace, type HostSettings } from "../host-pace.tsx";

export interface HostRow extends Omit<LiveHost, "done">, HostSettings {
  /** Null if not counted. */
  readonly done: number | null;
  readonly failed: number | null;
  readonly state: string;
}

/** Why a host is not asked sooner. */
export function causeText({ cause, delayMs, rate }: Pick<HostRow, "cause" | "delayMs" | "rate">): string {
  switch (cause) {
    case "paused":
      return "somebody paused it";
    case "crawl-delay":
      return `Crawl-delay ${durationText(delayMs)}`;
    case "retry-after":
      return "it said Retry-After";
    case "slow":
      return "it answers slowly";
    case "backoff":
      return "it failed, we back off";
    default:
      return rate !== null && delayMs >= Math.floor(1000 / rate) ? "somebody slowed it down" : "our rate";
  }
}

export const rateText = (delayMs: number): string => {
  if (delayMs <= 0) return "no limit";
  const perSecond = 1000 / delayMs;
  return perSecond >= 0.1 ? `${perSecond.toFixed(1)}/s` : `${(perSecond * 60).toFixed(1)}/min`;
};

/** Time until the host is asked; `since` is the age of the data in milliseconds. */
export function nextText({ queued, inFlight, nextInMs }: Pick<LiveHost, "queued" | "inFlight" | "nextInMs">, since: number): string {
  if (queued === 0) return inFlight > 0 ? "in flight" : "";
  return nextInMs > since ? durationText(nextInMs - since) : "now";
}

/** A share of the total, as a bar behind the number. */
export function Share({ value, max }: { readonly value: number; readonly max: number }) {
  return (
    <span class="share">
      <i style={{ width: `${max > 0 ? (value / max) * 100 : 0}%` }} />
      <span>{count(value)}</span>
    </span>
  );
}

interface ColumnContext extends HostsProps {
  readonly max: number;
  readonly since: number;
  readonly onChange: () => void;
}

const columnsFor = ({ runId, max, isOn, since, onChange }: Omit<ColumnContext, "live">): readonly Column<HostRow>[] => [
  { name: "Host", cell: ({ host }) => <Link to={`/crawls/${runId}?tab=upcoming&host=${encodeURIComponent(host)}`}>{host}</Link> },
  { name: "Queued", isNumber: true, cell: ({ queued }) => <Share value={queued} max={max} /> },
  { name: "Done", isNumber: true, cell: ({ done }) => done !== null && count(done) },
  { name: "Errors", isNumber: true, cell: ({ failed }) => failed !== null && count(failed) },
  { name: "Pace", isNumber: true, cell: ({ delayMs }) => rateText(delayMs) },
  { name: "Because", cell: causeText },
  {
    name: "Next",
    isNumber: true,
    cell: (host) => (isOn ? nextText(host, since) : ""),
  },
  { name: "State", cell: ({ state }) => <Pill state={state} /> },
  {
    name: "",
    cell: (host) => (
      <div class="actions tight">
        <HostPace settings={host} onChange={onChange} />
      </div>
    ),
  },
];

interface HostsProps {
  readonly runId: number;
  readonly live: RunData["live"];
  readonly isOn: boolean;
}

export function CrawlHosts({ runId, live, isOn }: HostsProps) {
  const path = `/crawls/${runId}/hosts?limit=50`;
  const list = useList<HostRow>(path);
  useAutoReload(list, isOn);
  const isCounting = isOn && live?.isPaused !== true;
  const now = useNow(200, isCounting);
  const known = new Map(live?.hosts.map((host) => [host.host, host]));
  const rows = list.rows.map((row) => ({ ...row, ...known.get(row.host), done: row.done }));
  const max = Math.max(0, ...rows.map(({ queued }) => queued));
  return (
    <>
      <h2>Hosts</h2>
      <Table
        label="Hosts"
        columns={columnsFor({
          ...{ runId, max, isOn: isCounting, onChange: list.reload },
          since: live ? Math.max(0, now - live.receivedAt) : 0,
        })}
        list={{ ...list, rows }}
        keyOf={({ host }) => host}
        path={path}
        hasKeys={false}
        empty={<Empty>No host was asked yet.</Empty>}
      />
    </>
  );
}
