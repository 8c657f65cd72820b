/** Screen 5, the table: every stored page, by whatever can be said of one. */
import { queryText } from "../api.ts";
import { Filters } from "../parts/filters.tsx";
import { Empty } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { SitePicker, useSite } from "../parts/site-picker.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { type PageRow, titleOf } from "../records.ts";
import { Link, navigate, usePlace } from "../router.tsx";
import { useList } from "../use-api.ts";
import { bytes, count, pathOf } from "../words.ts";
import { AddPage } from "./page-actions.tsx";

const FILTERS = ["q", "contains", "host", "status", "type", "change", "depth", "lang", "topic", "missing", "verdict", "sort"];

const columns: readonly Column<PageRow>[] = [
  {
    name: "Page",
    cell: (page) => (
      <>
        <Link to={`/pages/${page.id}`}>{titleOf(page)}</Link>
        <div class="faint small">{pathOf(page.url)}</div>
      </>
    ),
  },
  { name: "Status", cell: ({ status }) => <span class={status < 400 ? "" : "bad-text"}>{status}</span> },
  { name: "Change", cell: ({ change }) => <Pill state={change} /> },
  { name: "Type", cell: ({ contentType }) => (contentType ?? "").split(";")[0] },
  { name: "Depth", isNumber: true, cell: ({ depth }) => depth },
  { name: "Language", cell: ({ metadata }) => String(metadata.lang?.value ?? "") },
  {
    name: "Words",
    isNumber: true,
    cell: ({ metadata }) => (typeof metadata.wordCount?.value === "number" ? count(metadata.wordCount.value) : ""),
  },
  { name: "Size", isNumber: true, cell: (page) => bytes(page.bytes) },
  { name: "Seen", sort: "seen", cell: ({ fetchedAt }) => <Time at={fetchedAt} /> },
];

export function Pages() {
  const { query } = usePlace();
  const { sites, site } = useSite();
  const wanted: Record<string, string | undefined> = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? undefined]));
  // What is found by its words is in the order of the pages' numbers.
  if (wanted.q !== undefined) delete wanted.sort;
  const path = site && `/pages${queryText({ siteId: site.id, ...wanted })}`;
  const list = useList<PageRow>(path);
  return (
    <>
      <h1>Pages</h1>
      <div class="bar">
        <SitePicker sites={sites} site={site} />
        <Filters
          filters={[
            { name: "q", label: "Words", placeholder: '"a phrase" -not' },
            { name: "contains", label: "Address", placeholder: "part of it" },
            { name: "status", label: "Status", placeholder: "404 or 4xx" },
            { name: "type", label: "Type", placeholder: "html" },
            { name: "host", label: "Host" },
            { name: "depth", label: "Depth", isNumber: true },
            { name: "change", label: "Change", choices: ["new", "changed", "same", "gone", "unlinked", "unknown"] },
            { name: "lang", label: "Language", placeholder: "en" },
            { name: "topic", label: "Topic" },
            { name: "missing", label: "Missing", choices: ["title", "description", "image", "author", "publishedAt", "topics"] },
            { name: "verdict", label: "Is a", choices: ["soft-404", "bot-wall", "consent-wall", "login-wall", "script-shell", "parked"] },
          ]}
        />
      </div>
      {site && <AddPage siteId={site.id} onDone={list.reload} />}
      <Table
        label="Pages"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        path={path ?? "/pages"}
        onOpen={({ id }) => navigate(`/pages/${id}`)}
        empty={<Empty command="nuthatch crawl https://example.org">No page fits. A crawl brings some:</Empty>}
      />
    </>
  );
}
