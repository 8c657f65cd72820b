/** Screen 5, the inspector: everything known about one page, with sources. */
import { queryText } from "../../api.ts";
import type { Params } from "../../app.tsx";
import { ErrorMessage } from "../../parts/notice.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Table } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Time } from "../../parts/time.tsx";
import { Title } from "../../parts/title.tsx";
import { type PageRow, titleOf } from "../../records.ts";
import { Link } from "../../router.tsx";
import { useApi, useList } from "../../use-api.ts";
import { PageActions } from "./page-actions.tsx";
import { PageMetadata } from "./page-metadata.tsx";
import { Overview } from "./page-overview.tsx";
import { PageScreenshot } from "./page-screenshot.tsx";
import { PageText, RawBody } from "./page-text.tsx";
import { Versions } from "./page-versions.tsx";

export function PageScreen({ params: { id } }: { readonly params: Params }) {
  const { data: page, error, reload } = useApi<PageRow>(`/pages/${id}`);
  if (!page) return <ErrorMessage error={error} />;
  return (
    <>
      <div class="head">
        <Title tab={titleOf(page)}>{titleOf(page)}</Title>
        <PageActions page={page} onChange={reload} />
      </div>
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
          { id: "markdown", name: "Markdown", show: () => <PageText id={page.id} /> },
          { id: "links", name: `Links out (${page.linkCount})`, show: () => <Outlinks id={page.id} /> },
          { id: "inlinks", name: "Links in", show: () => <Inlinks id={page.id} /> },
          { id: "versions", name: "Versions", show: () => <Versions id={page.id} siteId={page.siteId} /> },
          ...(page.rendered ? [{ id: "screenshot", name: "Screenshot", show: () => <PageScreenshot id={page.id} /> }] : []),
          { id: "decisions", name: "Decisions", show: () => <Decisions page={page} /> },
          { id: "raw", name: "Raw", show: () => <RawBody id={page.id} size={page.bytes} /> },
          { id: "json", name: "JSON", show: () => <pre>{JSON.stringify(page, null, 2)}</pre> },
        ]}
      />
    </>
  );
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
