/** Screen 5, the inspector: all that is known of one page, and where it came from. */
import { api, type List, queryText } from "../api.ts";
import type { Params } from "../app.tsx";
import { Diff } from "../parts/diff.tsx";
import { Facts } from "../parts/facts.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Trouble } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Time } from "../parts/time.tsx";
import { type PageDiff, type PageRow, titleOf } from "../records.ts";
import { Link } from "../router.tsx";
import { useApi, useList } from "../use-api.ts";
import { bytes, count } from "../words.ts";
import { PageMetadata } from "./page-metadata.tsx";
import { PageScreenshot } from "./page-screenshot.tsx";

export function PageScreen({ params: { id } }: { readonly params: Params }) {
  const { data: page, error, reload } = useApi<PageRow>(`/pages/${id}`);
  if (!page) return <Trouble error={error} />;
  return (
    <>
      <h1>{titleOf(page)}</h1>
      <p>
        <Pill state={page.gone ? "gone" : page.change} />{" "}
        {page.verdict && page.verdict !== "ok" && <Pill state="failed">{page.verdict}</Pill>}{" "}
        <a href={page.url} rel="noreferrer noopener" target="_blank">
          {page.url}
        </a>
      </p>
      <Tabs
        label="What is known of it"
        tabs={[
          { id: "overview", name: "Overview", show: () => <Overview page={page} onChange={reload} /> },
          { id: "metadata", name: "Metadata", show: () => <PageMetadata id={page.id} /> },
          { id: "markdown", name: "Markdown", show: () => <Text id={page.id} /> },
          { id: "links", name: `Links out (${page.linkCount})`, show: () => <Outlinks id={page.id} /> },
          { id: "inlinks", name: "Links in", show: () => <Inlinks id={page.id} /> },
          { id: "versions", name: "Versions", show: () => <Versions id={page.id} /> },
          ...(page.rendered ? [{ id: "screenshot", name: "Screenshot", show: () => <PageScreenshot id={page.id} /> }] : []),
          { id: "decisions", name: "Decisions", show: () => <Decisions page={page} /> },
          { id: "raw", name: "Raw", show: () => <Raw id={page.id} /> },
          { id: "json", name: "JSON", show: () => <pre>{JSON.stringify(page, null, 2)}</pre> },
        ]}
      />
    </>
  );
}

function Overview({ page, onChange }: { readonly page: PageRow; readonly onChange: () => void }) {
  const say = (body: object) => api(`/pages/${page.id}`, { method: "PATCH", body }).then(onChange);
  return (
    <>
      <Facts
        facts={[
          ["Status", page.status],
          ["Type", page.contentType ?? "unknown"],
          ["Size", bytes(page.bytes)],
          ["Took", `${count(page.durationMs)} ms${page.fromCache ? " (not modified)" : ""}`],
          ["Last seen", <Time key="at" at={page.fetchedAt} />],
          ["Before that", <Time key="before" at={page.previousFetchedAt} />],
          ["Run", <Link key="run" to={`/crawls/${page.crawlId}`}>{`run ${page.crawlId}`}</Link>],
          ["Canonical", page.canonicalUrl ?? "–"],
          ["Same as", page.duplicateOf ?? page.nearDuplicateOf ?? "–"],
          ["Indexed", page.noindex ? "asks not to be" : "yes"],
        ]}
      />
      <h2>How we got here</h2>
      <Chain page={page} />
      <p>
        <button type="button" onClick={() => void say({ muted: !page.muted })}>
          {page.muted ? "Unmute" : "Mute"}
        </button>
      </p>
    </>
  );
}

/** From the page back to the seed, one parent at a time. */
function Chain({ page, steps = 0 }: { readonly page: PageRow; readonly steps?: number }) {
  const { data } = useApi<List<PageRow>>(
    page.parentUrl === null ? undefined : `/pages${queryText({ siteId: page.siteId, url: page.parentUrl })}`,
  );
  const parent = data?.data[0];
  return (
    <ol class="chain">
      <li>
        <Link to={`/pages/${page.id}`}>{page.url}</Link>{" "}
        <span class="faint">
          depth {page.depth}, by {page.discoveredVia}
        </span>
      </li>
      {parent && steps < 20 && parent.id !== page.id && (
        <li>
          <Chain page={parent} steps={steps + 1} />
        </li>
      )}
    </ol>
  );
}

interface Content {
  readonly text: string;
  readonly totalChars: number;
  readonly nextStart: number | null;
}

function Text({ id }: { readonly id: number }) {
  const { data, error } = useApi<Content>(`/pages/${id}/content?format=markdown&maxChars=200000`);
  if (!data) return <Trouble error={error} />;
  return (
    <Markdown
      text={data.text}
      note={data.nextStart === null ? "" : `the first ${count(data.nextStart)} of ${count(data.totalChars)} characters`}
    />
  );
}

function Raw({ id }: { readonly id: number }) {
  const { data, error } = useApi<Content>(`/pages/${id}/content?format=html&maxChars=200000`);
  return data ? <pre>{data.text}</pre> : <Trouble error={error} />;
}

interface OutLink {
  readonly position: number;
  readonly url: string;
  readonly text: string;
  readonly heading: string;
  readonly rel: string;
  readonly score: number;
}

function Outlinks({ id }: { readonly id: number }) {
  const path = `/pages/${id}/links`;
  return (
    <Table
      label="Links out"
      path={path}
      list={useList<OutLink>(path)}
      keyOf={({ position }) => position}
      empty={<p class="empty">It leads nowhere.</p>}
      columns={[
        { name: "Text", cell: ({ text }) => text },
        { name: "To", cell: ({ url }) => url },
        { name: "Under", cell: ({ heading }) => heading },
        { name: "Rel", cell: ({ rel }) => rel },
        { name: "Score", isNumber: true, cell: ({ score }) => (score === 0 ? "" : score.toFixed(2)) },
      ]}
    />
  );
}

interface Inlink {
  readonly pageId: number;
  readonly page: string;
  readonly text: string;
  readonly heading: string;
}

function Inlinks({ id }: { readonly id: number }) {
  const path = `/pages/${id}/inlinks`;
  return (
    <Table
      label="Links in"
      path={path}
      list={useList<Inlink>(path)}
      keyOf={({ pageId, text }) => `${pageId} ${text}`}
      empty={<p class="empty">Links are kept as rows with keywords or --save links; no page with such links leads here.</p>}
      columns={[
        { name: "Page", cell: ({ pageId, page }) => <Link to={`/pages/${pageId}`}>{page}</Link> },
        { name: "Text", cell: ({ text }) => text },
        { name: "Under", cell: ({ heading }) => heading },
      ]}
    />
  );
}

interface VersionRow {
  readonly version: number;
  readonly crawlId: number;
  readonly fetchedAt: string;
  readonly wordCount: number;
  readonly linkCount: number;
  readonly hasBody: boolean;
}

function Versions({ id }: { readonly id: number }) {
  const path = `/pages/${id}/versions`;
  const list = useList<VersionRow>(path);
  const [now, before] = list.rows;
  const { data: diff } = useApi<PageDiff>(now && before ? `/pages/${id}/diff` : undefined);
  return (
    <>
      <Table
        label="Versions"
        path={path}
        list={list}
        keyOf={({ version }) => version}
        empty={<p class="empty">No version is stored.</p>}
        columns={[
          { name: "Version", isNumber: true, cell: ({ version }) => version },
          { name: "First seen", cell: ({ fetchedAt }) => <Time at={fetchedAt} /> },
          { name: "Run", cell: ({ crawlId }) => <Link to={`/crawls/${crawlId}`}>{`run ${crawlId}`}</Link> },
          { name: "Words", isNumber: true, cell: ({ wordCount }) => count(wordCount) },
          { name: "Links", isNumber: true, cell: ({ linkCount }) => count(linkCount) },
          { name: "Body", cell: ({ hasBody }) => (hasBody ? "stored" : "not stored") },
        ]}
      />
      {diff && <Diff diff={diff} />}
    </>
  );
}

interface Decision {
  readonly id: number;
  readonly verdict: string;
  readonly reason: string;
  readonly sentence: string;
  readonly rule: string;
  readonly at: string;
}

function Decisions({ page }: { readonly page: PageRow }) {
  const path = `/crawls/${page.crawlId}/decisions${queryText({ url: page.url })}`;
  return (
    <Table
      label="Decisions"
      path={path}
      list={useList<Decision>(path)}
      keyOf={({ id }) => id}
      empty={<p class="empty">The ledger of that run is not kept.</p>}
      columns={[
        { name: "Verdict", cell: ({ verdict }) => <Pill state={verdict} /> },
        { name: "Why", cell: ({ sentence }) => sentence },
        { name: "Rule", cell: ({ rule }) => rule },
        { name: "When", cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}
