/** Screen 1: every site in a row, what is running now, and how to add one. */
import { useCallback, useState } from "preact/hooks";
import { api } from "../api.ts";
import { useLive } from "../live.ts";
import { Empty, Trouble } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { Link, navigate } from "../router.tsx";
import { useList } from "../use-api.ts";
import { count, hostOf } from "../words.ts";

interface SiteRow {
  readonly id: number;
  readonly url: string;
  readonly name?: string;
  readonly pages: number;
  readonly runs: number;
  readonly lastRun: number | null;
  readonly ended: string | null;
  readonly startedAt: string | null;
  readonly newLinks: number;
  /** Changed pages of the last runs, oldest first. */
  readonly trend?: readonly number[];
}

const columns: readonly Column<SiteRow>[] = [
  { name: "Site", cell: (site) => <Link to={`/pages?siteId=${site.id}`}>{site.name || hostOf(site.url)}</Link> },
  {
    name: "Last run",
    cell: ({ lastRun, ended }) =>
      lastRun === null ? <span class="faint">none</span> : <Link to={`/crawls/${lastRun}`}>{<Pill state={ended ?? "running"} />}</Link>,
  },
  { name: "When", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { name: "Pages", isNumber: true, cell: ({ pages }) => count(pages) },
  {
    name: "Changes",
    cell: ({ id, trend = [] }) => (
      <Link to={`/changes?siteId=${id}`}>{trend.length > 0 ? <Sparkline values={trend} label="Changes of the last runs" /> : "–"}</Link>
    ),
  },
  {
    name: "New links ≥ 0.8",
    isNumber: true,
    cell: ({ id, newLinks }) => (newLinks > 0 ? <Link to={`/links?siteId=${id}&new=true`}>+{count(newLinks)}</Link> : "0"),
  },
  { name: "", cell: (site) => <CrawlNow site={site} /> },
];

export function Sites() {
  const list = useList<SiteRow>("/sites?limit=200");
  useLive(useCallback(({ type }) => (type === "crawl.started" || type === "crawl.finished") && list.reload(), [list.reload]));
  return (
    <>
      <h1>Sites</h1>
      <NewSite />
      <Table
        label="Sites"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        path="/sites"
        onOpen={({ id }) => navigate(`/pages?siteId=${id}`)}
        empty={<Empty command="nuthatch crawl https://example.org">No site yet. Add one above, or crawl one on the command line:</Empty>}
      />
    </>
  );
}

function CrawlNow({ site }: { readonly site: SiteRow }) {
  const [error, setError] = useState<Error>();
  const start = () =>
    api<{ id: number }>("/crawls", { method: "POST", body: { url: site.url } }).then(({ id }) => navigate(`/crawls/${id}`), setError);
  return (
    <>
      <button type="button" onClick={start}>
        Crawl now
      </button>
      <Trouble error={error} />
    </>
  );
}

function NewSite() {
  const [error, setError] = useState<Error>();
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const body = { url: String(form.get("url")), config: form.get("depth") ? { maxDepth: Number(form.get("depth")) } : {} };
    api<{ id: number }>("/crawls", { method: "POST", body }).then(({ id }) => navigate(`/crawls/${id}`), setError);
  };
  return (
    <form class="bar" onSubmit={start} aria-label="New site">
      <label>
        Address <input name="url" type="url" required placeholder="https://example.org" />
      </label>
      <label>
        Depth <input name="depth" type="number" min="0" max="100" placeholder="10" />
      </label>
      <button type="submit" class="main">
        Crawl
      </button>
      <Link to="/playground">all options</Link>
      <Trouble error={error} />
    </form>
  );
}
