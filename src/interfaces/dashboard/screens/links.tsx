/** Screen 3: the best links, with weights that can be tried at once. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { api, queryText } from "../api.ts";
import { Filters } from "../parts/filters.tsx";
import { Fold } from "../parts/fold.tsx";
import { Empty, ErrorMessage } from "../parts/notice.tsx";
import { type ChosenSite, SitePicker, SiteScreen } from "../parts/site-picker.tsx";
import { type Column, Table } from "../parts/table.tsx";
import type { LinkRow } from "../records.ts";
import { Link, useLocation } from "../router.tsx";
import { useApi, useList } from "../use-api.ts";
import { count, pathOf } from "../words.ts";
import { KeywordPanel, type Weights } from "./keyword-panel.tsx";
import { LinkDetails } from "./link-details.tsx";
import { contributions } from "./link-score.ts";

const scoreOf = (keywords: LinkRow["keywords"], weights: Weights) =>
  contributions(keywords, weights).reduce((sum, { worth }) => sum + worth, 0);

export const Links = () => <SiteScreen title="High-value links" show={(chosen) => <SiteLinks key={chosen.site.id} {...chosen} />} />;

function SiteLinks({ sites, site }: ChosenSite) {
  const { query } = useLocation();
  const keywords = useApi<{ data: readonly { word: string; weight: number; links: number }[] }>(`/sites/${site.id}/keywords`);
  const stored = useMemo(() => new Map((keywords.data?.data ?? []).map(({ word, weight }) => [word, weight])), [keywords.data]);
  const [weights, setWeights] = useState<Weights>(stored);
  useEffect(() => setWeights(stored), [stored]);
  const isUnsaved = [...weights].some(([word, weight]) => stored.get(word) !== weight) || weights.size !== stored.size;
  const filters = Object.fromEntries(["keyword", "minScore", "new", "type", "muted"].map((name) => [name, query.get(name) ?? undefined]));
  const path = `/links${queryText({ siteId: site.id, limit: 200, ...filters })}`;
  const list = useList<LinkRow>(path);
  const [open, setOpen] = useState<LinkRow>();
  const [error, setError] = useState<Error>();
  const rows = useMemo(
    () =>
      isUnsaved
        ? [...list.rows].map((row) => ({ ...row, score: scoreOf(row.keywords, weights) })).sort((a, b) => b.score - a.score)
        : list.rows,
    [list.rows, weights, isUnsaved],
  );
  const save = () =>
    api(`/sites/${site.id}/keywords`, { method: "PUT", body: [...weights].map(([word, weight]) => ({ word, weight })) }).then(() => {
      keywords.reload();
      list.reload();
    }, setError);
  return (
    <>
      <div class="bar">
        <SitePicker sites={sites} site={site} />
        <Filters
          filters={[
            { name: "keyword", label: "Keyword" },
            { name: "minScore", label: "At least", isNumber: true, placeholder: "any" },
            { name: "type", label: "Type", placeholder: "pdf" },
            { name: "new", label: "New", choices: ["true"] },
            { name: "muted", label: "Muted", choices: ["true", "false"] },
          ]}
          first={1}
        />
      </div>
      <ErrorMessage error={error} />
      <div class="two">
        <Fold name="Keywords" note={isUnsaved ? "tried, not saved" : String(weights.size)}>
          <KeywordPanel
            keywords={keywords.data?.data ?? []}
            weights={weights}
            isUnsaved={isUnsaved}
            onTry={setWeights}
            onSave={() => void save()}
            onDiscard={() => setWeights(stored)}
          />
        </Fold>
        <Table
          label="Links"
          columns={columnsFor(weights)}
          list={{ ...list, rows }}
          keyOf={({ id }) => id}
          path={path}
          onOpen={setOpen}
          empty={<Empty command={`nuthatch crawl ${site.url} -k budget`}>No link fits. Keywords tell what matters:</Empty>}
        />
      </div>
      {open && <LinkDetails link={open} weights={weights} onClose={() => setOpen(undefined)} onChange={list.reload} />}
    </>
  );
}

const columnsFor = (weights: Weights): readonly Column<LinkRow>[] => [
  { name: "Score", cell: (link) => <ScoreBar link={link} weights={weights} /> },
  {
    name: "Link",
    cell: ({ text, url, new: isNew, pinned, pageId }) => (
      <>
        {pinned && <span title="pinned">📌 </span>}
        {pageId === null ? <strong>{text || pathOf(url)}</strong> : <Link to={`/pages/${pageId}`}>{text || pathOf(url)}</Link>}{" "}
        {isNew && <span class="badge new">new</span>}
        <div class="faint small">{url}</div>
      </>
    ),
  },
  {
    name: "Keywords",
    cell: ({ keywords }) =>
      Object.entries(keywords).map(([word, match]) => (
        <span key={word} class="badge">
          {word} {match.toFixed(2)}
        </span>
      )),
  },
  { name: "On pages", isNumber: true, cell: ({ pages }) => count(pages) },
  { name: "Type", cell: ({ type }) => <span class="nowrap">{type}</span> },
  { name: "Since run", isNumber: true, cell: ({ firstCrawlId }) => firstCrawlId },
];

/** A score of 0–2, with the share of each keyword. */
function ScoreBar({ link, weights }: { readonly link: LinkRow; readonly weights: Weights }) {
  const parts = contributions(link.keywords, weights);
  const label = `${link.score.toFixed(2)}: ${parts.map(({ word, worth }) => `${word} ${worth.toFixed(2)}`).join(", ")}`;
  return (
    <span class="score" title={label}>
      <svg viewBox="0 0 100 10" width="100" height="10" role="img" aria-label={label}>
        <title>{label}</title>
        <rect class="rail" width="100" height="10" />
        {parts.map(({ word, worth }, at) => {
          const x = parts.slice(0, at).reduce((sum, part) => sum + part.worth * 50, 0);
          return <rect key={word} class={`part-${at % 4}`} x={x} width={worth * 50} height="10" />;
        })}
      </svg>{" "}
      {link.score.toFixed(2)}
    </span>
  );
}
