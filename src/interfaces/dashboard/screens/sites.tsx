/** Screen 1: all sites, active runs, and a form to add a site. */
import { useCallback, useState } from "preact/hooks";
import { typedUrl } from "../../../core/typed-url.ts";
import { api, type List } from "../api.ts";
import { isStateChange, useLive } from "../live.ts";
import { Empty, ErrorMessage, showError } from "../parts/notice.tsx";
import { Pill, RunPill } from "../parts/pill.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { Title } from "../parts/title.tsx";
import { Link, navigate, useLocation, withQuery } from "../router.tsx";
import { healthWord, type RunRow } from "../runs.ts";
import { useApi, useList } from "../use-api.ts";
import { count, plural, siteLabel } from "../words.ts";
import { type EditableSite, SiteCard } from "./site-card.tsx";
import { SitesStrip } from "./sites-strip.tsx";

interface SiteRow extends EditableSite {
  readonly createdAt: string;
  readonly changedAt: string;
  readonly counts: { readonly pages: number; readonly crawls: number };
  readonly lastCrawl: Pick<RunRow, "id" | "status" | "stopReason" | "startedAt" | "counters"> | null;
  readonly newLinks: number;
  readonly health: { readonly errors: number; readonly skipped: number } | null;
}

const columnsFor = (onChange: () => void): readonly Column<SiteRow>[] => [
  { name: "Site", cell: (site) => <Link to={`/pages?siteId=${site.id}`}>{site.name || siteLabel(site.url)}</Link> },
  {
    name: "Last run",
    cell: ({ lastCrawl }) =>
      lastCrawl === null ? (
        <span class="faint">none</span>
      ) : (
        <Link to={`/crawls/${lastCrawl.id}`}>
          <RunPill run={lastCrawl} />
        </Link>
      ),
  },
  { name: "When", cell: ({ lastCrawl }) => <Time at={lastCrawl?.startedAt} /> },
  { name: "Pages", isNumber: true, cell: ({ counts }) => count(counts.pages) },
  { name: "Changes", cell: ({ id }) => <Trend siteId={id} /> },
  {
    name: "New links ≥ 0.8",
    isNumber: true,
    cell: ({ id, newLinks }) => (newLinks > 0 ? <Link to={`/links?siteId=${id}&new=true`}>+{count(newLinks)}</Link> : "0"),
  },
  { name: "Health", cell: Health },
  {
    name: "",
    cell: (site) => (
      <div class="actions tight">
        <CrawlNow site={site} />
        <SiteCard site={site} onChange={onChange} />
      </div>
    ),
  },
];

/** Errors and skipped URLs of the last run. */
function Health({ health, lastCrawl }: SiteRow) {
  if (!health || !lastCrawl) return null;
  const { errors, skipped } = health;
  return (
    <>
      {errors === 0 ? (
        <Pill state={healthWord(lastCrawl)}>{healthWord(lastCrawl) === "failed" ? "no page" : undefined}</Pill>
      ) : (
        <Link to={`/crawls/${lastCrawl.id}?tab=errors`}>
          <Pill state="failed">{plural(errors, "error")}</Pill>
        </Link>
      )}{" "}
      {skipped > 0 && (
        <Link to={`/crawls/${lastCrawl.id}?tab=skipped`}>
          <Pill state="skipped">{`${count(skipped)} skipped`}</Pill>
        </Link>
      )}
    </>
  );
}

interface HistoryRow {
  readonly changes: Readonly<Record<string, number>>;
}

/** Pages that were new, changed or gone in the last twelve runs, oldest first. */
function Trend({ siteId }: { readonly siteId: number }) {
  const { data } = useApi<List<HistoryRow>>(`/sites/${siteId}/history?limit=12`);
  const values = (data?.data ?? []).map(({ changes }) => (changes.new ?? 0) + (changes.changed ?? 0) + (changes.gone ?? 0)).reverse();
  return (
    <Link to={`/changes?siteId=${siteId}`}>{values.length > 0 ? <Sparkline values={values} label="Changes of the last runs" /> : "–"}</Link>
  );
}

export function Sites() {
  const place = useLocation();
  const list = useList<SiteRow>("/sites?limit=200");
  const isShowingAll = place.query.has("once");
  const once = list.rows.filter(hasOnlySinglePages).length;
  const rows = isShowingAll ? list.rows : list.rows.filter((site) => !hasOnlySinglePages(site));
  useLive(useCallback((event) => isStateChange(event) && list.reload(), [list.reload]));
  return (
    <>
      <Title tab="Sites">Sites</Title>
      <SitesStrip />
      <NewSite />
      <Table
        label="Sites"
        columns={columnsFor(list.reload)}
        list={{ ...list, rows }}
        keyOf={({ id }) => id}
        path="/sites"
        onOpen={({ id }) => navigate(`/pages?siteId=${id}`)}
        empty={<Empty command="nuthatch crawl https://example.org">No site yet. Add one above, or crawl one on the command line:</Empty>}
      />
      {once > 0 && (
        <p class="faint">
          {plural(once, "address")} of which single pages were asked for, for a context or by themselves, without a crawl.{" "}
          <Link to={withQuery(place, { once: isShowingAll ? "" : "true" })}>{isShowingAll ? "Hide" : "Show"}</Link>
        </p>
      )}
    </>
  );
}

/** Created by looking at single pages: never crawled or edited. */
const hasOnlySinglePages = ({ counts, createdAt, changedAt }: SiteRow) =>
  counts.crawls === 0 && counts.pages > 0 && createdAt === changedAt;

function CrawlNow({ site }: { readonly site: SiteRow }) {
  const start = () =>
    api<{ id: number }>("/crawls", { method: "POST", body: { siteId: site.id } }).then(({ id }) => navigate(`/crawls/${id}`), showError);
  return (
    <button type="button" class="quiet" data-needs="write" onClick={start}>
      Crawl now
    </button>
  );
}

const parseWords = (text: string) => text.split(",").flatMap((word) => word.trim() || []);

function NewSite() {
  const [error, setError] = useState<Error>();
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const keywords = parseWords(String(form.get("keywords")));
    const depth = String(form.get("depth"));
    const config = { ...(depth !== "" && { maxDepth: Number(depth) }), ...(keywords.length > 0 && { keywords }) };
    const body = { url: typedUrl(String(form.get("url"))), config };
    api<{ id: number }>("/crawls", { method: "POST", body }).then(({ id }) => navigate(`/crawls/${id}`), setError);
  };
  return (
    <form class="bar" data-needs="write" onSubmit={start} aria-label="New site">
      <label>
        Address <input name="url" inputMode="url" required placeholder="example.org" />
      </label>
      <label>
        Keywords <input name="keywords" placeholder="budget, minutes" />
      </label>
      <label>
        Depth <input name="depth" type="number" min="0" max="100" placeholder="10" />
      </label>
      <button type="submit" class="main">
        Crawl
      </button>
      <Link to="/playground?mode=crawl">all options</Link>
      <ErrorMessage error={error} />
    </form>
  );
}
