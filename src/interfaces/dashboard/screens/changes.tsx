/** Screen 4: what changed between two runs, most important first. */
import { useEffect, useRef } from "preact/hooks";
import { type List, queryText } from "../api.ts";
import { ApiButton } from "../parts/api-button.tsx";
import { isTyping } from "../parts/keyboard.tsx";
import { Empty, ErrorMessage } from "../parts/notice.tsx";
import { type ChosenSite, type SiteCard, SitePicker, SiteScreen } from "../parts/site-picker.tsx";
import { markOf, useReadMarks } from "../read-marks.ts";
import { navigate, useLocation, withQuery } from "../router.tsx";
import { incompleteReason, isRunActive } from "../runs.ts";
import { useApi, useList } from "../use-api.ts";
import { count } from "../words.ts";
import { ChangeFilters, MAX_PAGES, type PageChange, PageList, STATES } from "./change-list.tsx";
import { ChangedPage } from "./changed-page.tsx";
import { type IgnoredPart, IgnoredParts } from "./page/ignored-parts.tsx";

const FIRST_LIMIT = 100;

interface RunOfSite {
  readonly crawlId: number;
  readonly startedAt: string;
  readonly status: string;
}

interface ChangeFeed {
  readonly isComplete: boolean;
  readonly stopReason: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly pages: readonly PageChange[];
}

/** The last two finished runs, unless the URL names others. */
function runsToCompare(runs: readonly RunOfSite[], query: URLSearchParams): { from: number | undefined; to: number | undefined } {
  const finished = runs.filter(({ status }) => !isRunActive(status));
  const to = Number(query.get("to")) || (finished[0] ?? runs[0])?.crawlId;
  const from = Number(query.get("from")) || (to === undefined ? undefined : runs.find(({ crawlId }) => crawlId < to)?.crawlId);
  return { from, to };
}

export const Changes = () => <SiteScreen title="Changes" show={(chosen) => <SiteChanges key={chosen.site.id} {...chosen} />} />;

function SiteChanges({ sites, site }: ChosenSite) {
  const place = useLocation();
  const runs = useApi<List<RunOfSite>>(`/sites/${site.id}/history?limit=100`);
  const list = runs.data?.data ?? [];
  const { from, to } = runsToCompare(list, place.query);
  const wanted = place.query.get("change") ?? undefined;
  const limit = place.query.get("all") === null ? FIRST_LIMIT : MAX_PAGES;
  const path =
    from !== undefined && to !== undefined ? `/diff${queryText({ from, to, siteId: site.id, change: wanted, limit })}` : undefined;
  const { data: feed, error, isLoading, reload } = useApi<ChangeFeed>(path);
  const ignored = useList<IgnoredPart>(`/sites/${site.id}/ignored`);
  const reloadAll = () => {
    ignored.reload();
    reload();
  };
  const { read, mark } = useReadMarks();
  const markFor = (page: PageChange) => markOf(from ?? 0, to ?? 0, page.pageId);
  const isRead = (page: PageChange) => read.has(markFor(page));
  const hidesRead = place.query.get("unread") !== null;
  const pages = (feed?.pages ?? []).filter((page) => !hidesRead || !isRead(page));
  const found = pages.findIndex(({ pageId }) => String(pageId) === place.query.get("page"));
  // If all changes of a page are ignored, it leaves the list and the next one takes its position.
  const last = useRef(0);
  const at = found < 0 ? Math.max(0, Math.min(last.current, pages.length - 1)) : found;
  last.current = at;
  const go = (next: number) => {
    const page = pages[(next + pages.length) % pages.length];
    if (page) navigate(withQuery(place, { page: String(page.pageId) }), "replace");
  };
  useEffect(() =>
    onStepKeys(
      () => go(at - 1),
      () => go(at + 1),
    ),
  );
  const chosen = pages[at];
  return (
    <>
      <div class="bar">
        <SitePicker sites={sites} site={site} />
        <RunPicker label="From" name="from" value={from} runs={list.filter(({ crawlId }) => to === undefined || crawlId < to)} />
        <RunPicker label="To" name="to" value={to} runs={list} />
        {path && <Files site={site} path={path} from={from!} to={to!} />}
      </div>
      <ErrorMessage error={runs.error ?? error} />
      {feed && !feed.isComplete && <IncompleteNotice run={to!} feed={feed} />}
      {runs.data && list.length < 2 ? (
        <Empty command={`nuthatch crawl ${site.url}`}>Changes need two runs. Crawl it again:</Empty>
      ) : (
        <>
          <div class="bar chips">
            <ChangeFilters counts={feed?.counts} wanted={wanted} />
            <button type="button" class="quiet" disabled={pages.every(isRead)} onClick={() => mark(pages.map(markFor), true)}>
              Mark all as read
            </button>
            <label>
              <input
                type="checkbox"
                checked={hidesRead}
                onChange={() => navigate(withQuery(place, { unread: hidesRead ? "" : "true", page: "" }))}
              />
              unread only
            </label>
            <span class="faint small">[ and ], or k and j: the change before, and the next</span>
          </div>
          <div class="two wide">
            <PageList
              pages={pages}
              at={at}
              total={hidesRead ? 0 : countOf(feed, wanted)}
              isLoading={runs.isLoading || isLoading}
              isRead={isRead}
            />
            {chosen && (
              <ChangedPage
                page={chosen}
                siteId={site.id}
                onDone={reloadAll}
                isRead={isRead(chosen)}
                onRead={(isNow) => mark([markFor(chosen)], isNow)}
              />
            )}
          </div>
          <IgnoredParts siteId={site.id} list={ignored} onChange={reloadAll} />
        </>
      )}
    </>
  );
}

/** Number of listed pages. Unknown pages are listed only on request. */
const countOf = (feed: ChangeFeed | undefined, wanted: string | undefined) =>
  STATES.filter((state) => (wanted === undefined ? state !== "unknown" : state === wanted)).reduce(
    (sum, state) => sum + (feed?.counts[state] ?? 0),
    0,
  );

interface FilesProps {
  readonly site: SiteCard;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The same changes as a feed, a table and JSON. */
function Files({ site, path, from, to }: FilesProps) {
  const rows = `/api/v1/crawls/${to}/changes?against=${from}&format=`;
  return (
    <div class="actions tight">
      <a class="button quiet" href={`/api/v1/sites/${site.id}/changes.atom`}>
        Atom feed
      </a>
      <a class="button quiet" href={`${rows}csv`} download="">
        CSV
      </a>
      <a class="button quiet" href={`${rows}jsonl`} download="">
        JSONL
      </a>
      <ApiButton path={path} />
    </div>
  );
}

const IncompleteNotice = ({ run, feed: { stopReason, counts } }: { readonly run: number; readonly feed: ChangeFeed }) => (
  <p class="banner" role="status">
    Run {run} did not see everything (
    {stopReason === null ? "it is at work still" : (incompleteReason(stopReason) ?? "it looked at some pages only")}
    ).{" "}
    {(counts.unknown ?? 0) > 0 && (
      <>
        {count(counts.unknown!)} {counts.unknown === 1 ? "page was" : "pages were"} not reached: shown as <em>unknown</em>, not as gone.
      </>
    )}
  </p>
);

interface PickerProps {
  readonly label: string;
  readonly name: "from" | "to";
  readonly value: number | undefined;
  readonly runs: readonly RunOfSite[];
}

function RunPicker({ label, name, value, runs }: PickerProps) {
  const place = useLocation();
  // After selecting another later run, it is compared with the run before it.
  const pick = (id: string) => navigate(withQuery(place, { ...(name === "to" && { from: "" }), [name]: id, page: "" }));
  return (
    <label>
      {label}
      <select value={value ?? ""} onChange={(event) => pick(event.currentTarget.value)}>
        {runs.map(({ crawlId, startedAt }) => (
          <option key={crawlId} value={crawlId}>
            run {crawlId}, {new Date(startedAt).toLocaleString()}
          </option>
        ))}
      </select>
    </label>
  );
}

function onStepKeys(before: () => void, next: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "[" || event.key === "k") before();
    else if (event.key === "]" || event.key === "j") next();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
