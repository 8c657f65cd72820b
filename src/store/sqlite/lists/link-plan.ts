import type { Hash64 } from "../../../core/records.ts";
import type { LinkListFilter } from "../../lists.ts";
import { bound, type Condition, type Plan, where } from "../keyset.ts";
import { type Row, type Statements, toInt64 } from "../rows.ts";

const SCORE = { column: "s.score" };
const SITE = { column: "s.site_id" };
const LINK = { column: "s.link_id" };

/** Tables for filters that find rows by something other than the sort order. */
const BY_HASH = "link h CROSS JOIN site CROSS JOIN link_score s ON s.site_id = site.id AND s.link_id = h.id";
const BY_PAGE =
  "link_source ls CROSS JOIN page p ON p.id = ls.page_id CROSS JOIN link_score s ON s.site_id = p.site_id AND s.link_id = ls.link_id";
const BY_CARD = "link_card b CROSS JOIN link_score s ON s.site_id = b.site_id AND s.link_id = b.link_id";
const BY_RUN = "link_score s INDEXED BY link_score_found";
const BY_WORD = "link_keyword f INDEXED BY link_keyword_word CROSS JOIN link_score s ON s.site_id = f.site_id AND s.link_id = f.link_id";

type FewRows = Pick<Plan, "from" | "range">;

/** Sorting this many rows takes less time than finding them along the scores of a million links. */
const MAX_FEW_ROWS = 5000;

/** Links are read along their scores, unless another index shows that there are few. */
export function planLinks(sql: Statements, filter: LinkListFilter, sort: string): Plan {
  const { siteId, minScore } = filter;
  const ofSite = siteId === undefined ? [] : [where("s.site_id = ?", siteId)];
  const minScoreCondition = minScore === undefined ? [] : [bound("low", "s.score >= ?", minScore)];
  const keys = [...(sort === "score" ? [SCORE] : []), ...(siteId === undefined ? [SITE] : []), LINK];
  const rest = { keys, ...joinsFor(filter) };
  const rowConditions = rowConditionsOf(filter);
  const few = findFewRows(sql, filter);
  if (few)
    return {
      from: few.from,
      range: [...few.range, ...ofSite, ...minScoreCondition, ...rowConditions],
      rowConditions: [],
      few: "s",
      ...rest,
    };
  if (sort === "id") return { from: "link_score s", range: ofSite, rowConditions: [...minScoreCondition, ...rowConditions], ...rest };
  const index = siteId === undefined ? "link_score_all" : "link_score_site";
  return { from: `link_score s INDEXED BY ${index}`, range: [...ofSite, ...minScoreCondition], rowConditions, ...rest };
}

function findFewRows(
  sql: Statements,
  { hashes, pageId, isPinned, isMuted, siteId, firstRunId, isNew, words, isAny }: LinkListFilter,
): FewRows | undefined {
  if (hashes) return { from: BY_HASH, range: [hasAnyHash(hashes)] };
  if (pageId !== undefined) return { from: BY_PAGE, range: [where("ls.page_id = ?", pageId), where("ls.gone_run_id IS NULL")] };
  if (isPinned) return { from: BY_CARD, range: [where("b.is_pinned = 1")] };
  if (isMuted) return { from: BY_CARD, range: [where("b.is_muted = 1")] };
  const runId = firstRunId ?? (isNew && siteId !== undefined ? latestOf(sql, siteId) : undefined);
  const found = runId === undefined ? undefined : { from: BY_RUN, range: [where("s.first_run_id = ?", runId)] };
  if (found && isFew(sql, found)) return found;
  if (siteId === undefined || !words?.length || (isAny && words.length > 1)) return undefined;
  const byWord = words.map((word) => ({ from: BY_WORD, range: [where("f.site_id = ?", siteId), where(`f.word_id = ${WORD}`, word)] }));
  return byWord.find((one) => isFew(sql, one));
}

function isFew(sql: Statements, { from, range }: FewRows): boolean {
  const select = `SELECT count(*) AS rows FROM (SELECT 1 FROM ${from} WHERE ${range.map((one) => one.sql).join(" AND ")} LIMIT ${MAX_FEW_ROWS + 1})`;
  return Number((sql.get(select).get(...range.flatMap(({ values }) => values)) as Row).rows) <= MAX_FEW_ROWS;
}

function latestOf(sql: Statements, siteId: number): number {
  const row = sql.get("SELECT coalesce(max(run_id), 0) AS latest FROM run_site WHERE site_id = ?").get(siteId) as Row;
  return Number(row.latest);
}

const joinsFor = ({ types }: LinkListFilter) => (types ? { joins: "JOIN link l ON l.id = s.link_id" } : {});

const WORD = "(SELECT id FROM word WHERE word = ?)";

/** Not written as `EXISTS`, which SQLite would turn into a join after those of the row's columns. */
const isKeywordMatch = (word: string): Condition =>
  where(
    `(SELECT coalesce(lk.said, lk.match) FROM link_keyword lk INDEXED BY link_keyword_word
      WHERE lk.site_id = s.site_id AND lk.word_id = ${WORD} AND lk.link_id = s.link_id) > 0`,
    word,
  );

const hasEdit = (condition: string) =>
  `EXISTS (SELECT 1 FROM link_card c WHERE c.site_id = s.site_id AND c.link_id = s.link_id AND ${condition})`;

function rowConditionsOf(filter: LinkListFilter): Condition[] {
  const { words, isAny, firstRunId, isNew, types, isMuted, isPinned } = filter;
  const wanted = (words ?? []).map(isKeywordMatch);
  const either = where(`(${wanted.map(({ sql }) => sql).join(" OR ")})`, ...wanted.flatMap(({ values }) => values));
  const rowConditions: (Condition | false)[] = [
    ...(wanted.length > 1 && isAny ? [either] : wanted),
    firstRunId !== undefined && where("s.first_run_id = ?", firstRunId),
    isNew === true && where("s.first_run_id = (SELECT max(run_id) FROM run_site WHERE site_id = s.site_id)"),
    types !== undefined &&
      where(
        "link_type((SELECT content_type FROM page t WHERE t.hash = l.hash AND t.site_id = s.site_id), l.url) IN (SELECT value FROM json_each(?))",
        JSON.stringify(types),
      ),
    isMuted !== undefined && where(`${isMuted ? "" : "NOT "}${hasEdit("c.is_muted = 1")}`),
    isPinned !== undefined && where(`${isPinned ? "" : "NOT "}${hasEdit("c.is_pinned = 1")}`),
  ];
  return rowConditions.filter((condition) => condition !== false);
}

const hasAnyHash = (hashes: readonly Hash64[]): Condition =>
  where(`h.hash IN (${hashes.map(() => "?").join(", ")})`, ...hashes.map(toInt64));
