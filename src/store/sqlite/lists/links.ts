import { linkType } from "../../link-type.ts";
import type { LinkListFilter, ListedLink, ListedSource } from "../../lists.ts";
import { KeysetList, where } from "../keyset.ts";
import type { Row, Statements } from "../rows.ts";
import { planLinks } from "./link-plan.ts";

const MAX_PAGES = 1000;
const MAX_SOURCES = 5;

const SOURCE = "p.id, p.url, p.run_id, ls.text, ls.title, ls.heading, ls.context, ls.position, ls.first_run_id";
/** With a single site the page's site need not be checked, which is slow for links in menus: they are on every page. */
const ON_ANY_SITE = "FROM link_source ls WHERE ls.link_id = s.link_id AND ls.gone_run_id IS NULL";
const CURRENT_SOURCES = `FROM link_source ls CROSS JOIN page p ON p.id = ls.page_id
  WHERE ls.link_id = s.link_id AND ls.gone_run_id IS NULL AND p.site_id = s.site_id`;
const MATCHES = `SELECT json_group_array(json_array(w.word, coalesce(lk.said, lk.match), coalesce(k.weight, 0.25), lk.comment))
  FROM link_keyword lk CROSS JOIN word w ON w.id = lk.word_id LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
  WHERE lk.site_id = s.site_id AND lk.link_id = s.link_id AND coalesce(lk.said, lk.match) > 0 AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL)`;

/**
 * `s` is the score, `l` the link, `c` the card, and `t` the stored page it points to. Lists within a row are returned as JSON: a query for
 * each row would cost more than everything else.
 */
const COLUMNS = `s.site_id, s.link_id, s.score, s.first_run_id, l.url, t.id AS page_id, t.content_type, c.note, c.is_pinned, c.is_muted, c.score AS said_score,
  (SELECT max(run_id) FROM run_site WHERE site_id = s.site_id) AS latest,
  (${MATCHES}) AS matches,
  (SELECT json_group_array(json_array(id, url, run_id, text, title, heading, context, position, first_run_id))
    FROM (SELECT ${SOURCE} ${CURRENT_SOURCES} ORDER BY ls.page_id LIMIT ${MAX_SOURCES})) AS sources,
  CASE WHEN (SELECT count(*) FROM site) = 1 THEN (SELECT count(*) FROM (SELECT 1 ${ON_ANY_SITE} LIMIT ${MAX_PAGES}))
    ELSE (SELECT count(*) FROM (SELECT 1 ${CURRENT_SOURCES} LIMIT ${MAX_PAGES})) END AS pages`;
/** Left joins, so that nothing is looked up for rows that the sieve drops. */
const TABLES = `LEFT JOIN link l ON l.id = s.link_id LEFT JOIN link_card c ON c.site_id = s.site_id AND c.link_id = s.link_id
  LEFT JOIN page t ON t.hash = l.hash AND t.site_id = s.site_id`;

export const openLinkList = (sql: Statements) =>
  new KeysetList<LinkListFilter, ListedLink>(sql, {
    sorts: ["score", "id"],
    plan: (filter, sort) => planLinks(sql, filter, sort),
    columns: COLUMNS,
    tables: TABLES,
    row: linkFrom,
  });

export function listedLink(sql: Statements, siteId: number, linkId: number): ListedLink | undefined {
  const select = `SELECT ${COLUMNS} FROM link_score s ${TABLES} WHERE s.site_id = ? AND s.link_id = ?`;
  const row = sql.get(select).get(siteId, linkId) as Row | undefined;
  return row && linkFrom(row);
}

type Match = readonly [word: string, match: number, weight: number, comment: string | null];

const byWeightedMatch = (a: Match, b: Match): number => b[1] * b[2] - a[1] * a[2] || (a[0] < b[0] ? -1 : 1);

function linkFrom(row: Row): ListedLink | undefined {
  if (row.url === null) return undefined;
  const matches = (JSON.parse(String(row.matches)) as Match[]).sort(byWeightedMatch);
  const comments = new Set(matches.flatMap(([, , , comment]) => comment ?? []));
  const sources = (JSON.parse(String(row.sources)) as SourceValues[]).map(sourceOf);
  return {
    id: Number(row.link_id),
    siteId: Number(row.site_id),
    url: String(row.url),
    score: Number(row.score),
    keywords: matches.map(([word, match, weight]) => ({ word, match, weight })),
    text: sources[0]?.text ?? "",
    type: linkType((row.content_type as string | null) ?? undefined, String(row.url)),
    pages: Number(row.pages),
    isNew: row.first_run_id === row.latest,
    firstRunId: Number(row.first_run_id),
    comment: comments.size === 0 ? undefined : [...comments].join("; "),
    pageId: row.page_id === null ? undefined : Number(row.page_id),
    note: String(row.note ?? ""),
    isPinned: row.is_pinned === 1,
    isMuted: row.is_muted === 1,
    scoreOverride: row.said_score === null ? undefined : Number(row.said_score),
    sources,
  };
}

/** The site where the link has the highest score. */
export function siteOfLink(sql: Statements, linkId: number): number | undefined {
  const row = sql
    .get("SELECT s.site_id FROM site JOIN link_score s ON s.site_id = site.id AND s.link_id = ? ORDER BY s.score DESC LIMIT 1")
    .get(linkId) as Row | undefined;
  return row && Number(row.site_id);
}

/** In the column order of `SOURCE`. */
type SourceValues = readonly [
  pageId: number,
  page: string,
  lastRunId: number,
  text: string,
  title: string,
  heading: string,
  context: string,
  position: number,
  firstRunId: number,
];

const sourceOf = ([pageId, page, lastRunId, text, title, heading, context, position, firstRunId]: SourceValues): ListedSource => ({
  ...{ pageId, page, text, title, heading, context, position, firstRunId, lastRunId },
});

const PAGE = "CROSS JOIN page p ON p.id = ls.page_id";

export const openSourceList = (sql: Statements) =>
  new KeysetList<{ readonly siteId: number; readonly linkId: number }, ListedSource>(sql, {
    sorts: ["page"],
    plan: ({ siteId, linkId }) => ({
      from: "link_source ls INDEXED BY link_source_link",
      keys: [{ column: "ls.page_id" }],
      range: [where("ls.link_id = ?", linkId), where("ls.gone_run_id IS NULL")],
      rowConditions: [where("p.site_id = ?", siteId)],
      joins: PAGE,
    }),
    columns: SOURCE,
    tables: PAGE,
    row: sourceFrom,
  });

const sourceFrom = (row: Row): ListedSource => ({
  pageId: Number(row.id),
  page: String(row.url),
  text: String(row.text),
  title: String(row.title),
  heading: String(row.heading),
  context: String(row.context),
  position: Number(row.position),
  firstRunId: Number(row.first_run_id),
  lastRunId: Number(row.run_id),
});
