/** Screen 5, the table: all stored pages, with filters. */
import { queryText } from "../api.ts";
import { Filters } from "../parts/filters.tsx";
import { Empty } from "../parts/notice.tsx";
import { Pill } from "../parts/pill.tsx";
import { type ChosenSite, type SiteCard, SitePicker, SiteScreen } from "../parts/site-picker.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { type PageRow, titleOf } from "../records.ts";
import { Link, navigate, useLocation } from "../router.tsx";
import { useList } from "../use-api.ts";
import { bytes, count, pathOf } from "../words.ts";
import { FoundPages } from "./crawl/found-pages.tsx";
import { AddPage } from "./page/page-actions.tsx";

const FILTERS = ["q", "contains", "host", "status", "type", "change", "depth", "lang", "topic", "missing", "verdict", "sort"];

/** Filters available for a search by relevance. */
const SEARCH_FILTERS = ["lang", "topic"];

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

export const Pages = () => <SiteScreen title="Pages" show={(chosen) => <SitePages key={chosen.site.id} {...chosen} />} />;

function SitePages({ sites, site }: ChosenSite) {
  const place = useLocation();
  const wanted: Record<string, string | undefined> = Object.fromEntries(FILTERS.map((name) => [name, place.query.get(name) ?? undefined]));
  const { q, sort, ...filters } = wanted;
  const isFiltered = Object.entries(filters).some(([name, value]) => value !== undefined && !SEARCH_FILTERS.includes(name));
  return (
    <>
      <div class="bar">
        <SitePicker sites={sites} site={site} />
        <Filters
          filters={[
            { name: "q", label: "Words", placeholder: '"a phrase" -not' },
            { name: "contains", label: "Address", placeholder: "part of it" },
            { name: "status", label: "Status", placeholder: "404 or 4xx" },
            { name: "change", label: "Change", choices: ["new", "changed", "same", "gone", "unlinked", "unknown"] },
            { name: "type", label: "Type", placeholder: "html" },
            { name: "host", label: "Host" },
            { name: "depth", label: "Depth", isNumber: true },
            { name: "lang", label: "Language", placeholder: "en" },
            { name: "topic", label: "Topic" },
            { name: "missing", label: "Missing", choices: ["title", "description", "image", "author", "publishedAt", "topics"] },
            { name: "verdict", label: "Is a", choices: ["soft-404", "bot-wall", "consent-wall", "login-wall", "script-shell", "parked"] },
          ]}
          first={2}
        />
      </div>
      {q !== undefined && !isFiltered && sort === undefined ? (
        <FoundPages siteId={site.id} q={q} lang={filters.lang} topic={filters.topic} />
      ) : (
        <PageTable site={site} wanted={q === undefined ? wanted : { ...filters, q }} />
      )}
    </>
  );
}

interface PageTableProps {
  readonly site: SiteCard;
  readonly wanted: Readonly<Record<string, string | undefined>>;
}

function PageTable({ site, wanted }: PageTableProps) {
  const place = useLocation();
  const path = `/pages${queryText({ siteId: site.id, ...wanted })}`;
  const list = useList<PageRow>(path);
  const isFiltered = Object.values(wanted).some((value) => value !== undefined);
  return (
    <>
      <AddPage siteId={site.id} onDone={list.reload} />
      {wanted.q !== undefined && <p class="faint">With other filters, pages stand in the order of their numbers, not of relevance.</p>}
      <Table
        label="Pages"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        path={path}
        onOpen={({ id }) => navigate(`/pages/${id}`)}
        empty={
          isFiltered ? (
            <Empty>
              No pages match these filters. <Link to={`${place.path}?siteId=${site.id}`}>Clear them</Link>
            </Empty>
          ) : (
            <Empty command={`nuthatch crawl ${site.url}`}>No pages yet. A crawl brings some:</Empty>
          )
        }
      />
    </>
  );
}
