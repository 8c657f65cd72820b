/** Screen 4: what changed between two runs, the most important first, and how. */
import { useEffect } from "preact/hooks";
import { type List, queryText } from "../api.ts";
import { Diff } from "../parts/diff.tsx";
import { Empty, Trouble } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { SitePicker, useSite } from "../parts/site-picker.tsx";
import type { PageDiff } from "../records.ts";
import { Link, navigate, usePlace, withQuery } from "../router.tsx";
import { useApi } from "../use-api.ts";
import { count } from "../words.ts";

const STATES = ["new", "changed", "gone", "unlinked", "unknown"];

interface RunRow {
  readonly crawlId: number;
  readonly startedAt: string;
  readonly stopReason: string | null;
}

interface ChangeFeed {
  readonly isComplete: boolean;
  readonly stopReason: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly pages: readonly {
    readonly pageId: number;
    readonly url: string;
    readonly title: string | null;
    readonly change: string;
    readonly score: number;
    readonly words: number;
    readonly detail: string;
  }[];
}

export function Changes() {
  const place = usePlace();
  const { sites, site } = useSite();
  const runs = useApi<List<RunRow>>(site && `/sites/${site.id}/history?limit=100`);
  const list = runs.data?.data ?? [];
  const to = place.query.get("to") ?? String(list[0]?.crawlId ?? "");
  const from = place.query.get("from") ?? String(list.find(({ crawlId }) => String(crawlId) < to)?.crawlId ?? list[1]?.crawlId ?? "");
  const wanted = place.query.get("change");
  const path = from !== "" && to !== "" && from !== to ? `/diff${queryText({ from, to })}` : undefined;
  const { data: feed, error } = useApi<ChangeFeed>(path);
  const pages = (feed?.pages ?? []).filter(({ change }) => (wanted === null ? change !== "unknown" : change === wanted));
  const at = Math.max(
    0,
    pages.findIndex(({ pageId }) => String(pageId) === place.query.get("page")),
  );
  const chosen = pages[at];
  const go = (next: number) => {
    const page = pages[(next + pages.length) % pages.length];
    if (page) navigate(withQuery(place, { page: String(page.pageId) }), "replace");
  };
  useEffect(() =>
    onBrackets(
      () => go(at - 1),
      () => go(at + 1),
    ),
  );
  return (
    <>
      <h1>Changes</h1>
      <div class="bar">
        <SitePicker sites={sites} site={site} />
        <RunPicker label="From" name="from" value={from} runs={list} />
        <RunPicker label="To" name="to" value={to} runs={list} />
        {STATES.map((state) => (
          <Link
            key={state}
            class="chip"
            to={withQuery(place, { change: wanted === state ? "" : state, page: "" })}
            aria-current={wanted === state ? "page" : undefined}
          >
            <Pill state={state}>{`${state} ${count(feed?.counts[state] ?? 0)}`}</Pill>
          </Link>
        ))}
        {site && <a href={`/api/v1/sites/${site.id}/changes.atom`}>Atom</a>}
      </div>
      <Trouble error={error} />
      {feed && !feed.isComplete && (
        <p class="banner" role="status">
          {count(feed.counts.unknown ?? 0)} pages were not reached in run {to}: they are shown as unknown, not as gone.
        </p>
      )}
      {runs.data && list.length < 2 ? (
        <Empty command={`nuthatch crawl ${site?.url ?? "https://example.org"}`}>Changes need two runs. Crawl it again:</Empty>
      ) : (
        <div class="two wide">
          <ol class="choices" aria-label="Changed pages">
            {pages.map((page, index) => (
              <li key={page.pageId} class={index === at ? "at" : ""}>
                <Link to={withQuery(place, { page: String(page.pageId) })} aria-current={index === at ? "page" : undefined}>
                  <Pill state={page.change} /> {page.title ?? page.url}
                </Link>
                <div class="faint small">
                  {page.words > 0 && `${count(page.words)} words · `}
                  {page.score > 0 && `score ${page.score.toFixed(2)} · `}
                  {page.url}
                </div>
              </li>
            ))}
            {pages.length === 0 && <li class="empty">Nothing.</li>}
          </ol>
          {chosen ? <Chosen page={chosen} /> : <p class="empty">Choose a page; [ and ] go to the one before and the next.</p>}
        </div>
      )}
    </>
  );
}

function Chosen({ page }: { readonly page: ChangeFeed["pages"][number] }) {
  const { data, error } = useApi<PageDiff>(page.change === "changed" ? `/pages/${page.pageId}/diff` : undefined);
  return (
    <section aria-label={page.title ?? page.url}>
      <h2>
        <Link to={`/pages/${page.pageId}`}>{page.title ?? page.url}</Link>
      </h2>
      <p>
        <Pill state={page.change} /> <span class="faint">{page.detail}</span>
      </p>
      <Trouble error={error} />
      {data && <Diff diff={data} />}
    </section>
  );
}

function RunPicker({
  label,
  name,
  value,
  runs,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly runs: readonly RunRow[];
}) {
  const place = usePlace();
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => navigate(withQuery(place, { [name]: event.currentTarget.value, page: "" }))}>
        {runs.map(({ crawlId, startedAt }) => (
          <option key={crawlId} value={crawlId}>
            run {crawlId}, {new Date(startedAt).toLocaleString()}
          </option>
        ))}
      </select>
    </label>
  );
}

function onBrackets(before: () => void, next: () => void): () => void {
  const listen = ({ key, target }: KeyboardEvent) => {
    if ((target as Element).closest("input, textarea, select")) return;
    if (key === "[") before();
    else if (key === "]") next();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
