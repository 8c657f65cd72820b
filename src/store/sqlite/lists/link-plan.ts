import type { Hash64 } from "../../../records.ts";
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

type Few = Pick<Plan, "from" | "range">;

/** Sorting this many rows takes less time than finding them along the scores of a million links. */
const FEW = 5000;

/** Links are read along their scores, unless another index shows that there are few. */
export function planLinks(sql: Statements, filter: LinkListFilter, sort: string): Plan {
  const { siteId, minScore } = filter;
  const ofSite = siteId === undefined ? [] : [where("s.site_id = ?", siteId)];
  const worth = minScore === undefined ? [] : [bound("low", "s.score >= ?", minScore)];
  const keys = [...(sort === "score" ? [SCORE] : []), ...(siteId === undefined ? [SITE] : []), LINK];
  const rest = { keys, ...joinsFor(filter) };
  const sieve = sieveOf(filter);
  const few = fewIn(sql, filter);
  if (few) return { from: few.from, range: [...few.range, ...ofSite, ...worth, ...sieve], sieve: [], few: "s", ...rest };
  if (sort === "id") return { from: "link_score s", range: ofSite, sieve: [...worth, ...sieve], ...rest };
  const index = siteId === undefined ? "link_score_all" : "link_score_site";
  return { from: `link_score s INDEXED BY ${index}`, range: [...ofSite, ...worth], sieve, ...rest };
}

function fewIn(
  sql: Statements,
  { hashes, pageId, isPinned, isMuted, siteId, firstRunId, isNew, words, isAny }: LinkListFilter,
): Few | undefined {
  if (hashes) return { from: BY_HASH, range: [anyHash(hashes)] };
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

function isFew(sql: Statements, { from, range }: Few): boolean {
  const select = `SELECT count(*) AS rows FROM (SELECT 1 FROM ${from} WHERE ${range.map((one) => one.sql).join(" AND ")} LIMIT ${FEW + 1})`;
  return Number((sql.get(select).get(...range.flatMap(({ values }) => values)) as Row).rows) <= FEW;
}

function latestOf(sql: Statements, siteId: number): number {
  const row = sql.get("SELECT coalesce(max(run_id), 0) AS latest FROM run_site WHERE site_id = ?").get(siteId) as Row;
  return Number(row.latest);
}

const joinsFor = ({ types }: LinkListFilter) => (types ? { joins: "JOIN link l ON l.id = s.link_id" } : {});

const WORD = "(SELECT id FROM word WHERE word = ?)";

/** Not written as `EXISTS`, which SQLite would turn into a join after those of the row's columns. */
const applies = (word: string): Condition =>
  where(
    `(SELECT coalesce(lk.said, lk.match) FROM link_keyword lk INDEXED BY link_keyword_word
      WHERE lk.site_id = s.site_id AND lk.word_id = ${WORD} AND lk.link_id = s.link_id) > 0`,
    word,
  );

const cardHas = (condition: string) =>
  `EXISTS (SELECT 1 FROM link_card c WHERE c.site_id = s.site_id AND c.link_id = s.link_id AND ${condition})`;

function sieveOf(filter: LinkListFilter): Condition[] {
  const { words, isAny, firstRunId, isNew, types, isMuted, isPinned } = filter;
  const wanted = (words ?? []).map(applies);
  const either = where(`(${wanted.map(({ sql }) => sql).join(" OR ")})`, ...wanted.flatMap(({ values }) => values));
  const sieve: (Condition | false)[] = [
    ...(wanted.length > 1 && isAny ? [either] : wanted),
    firstRunId !== undefined && where("s.first_run_id = ?", firstRunId),
    isNew === true && where("s.first_run_id = (SELECT max(run_id) FROM run_site WHERE site_id = s.site_id)"),
    types !== undefined &&
      where(
        "link_type((SELECT content_type FROM page t WHERE t.hash = l.hash AND t.site_id = s.site_id), l.url) IN (SELECT value FROM json_each(?))",
        JSON.stringify(types),
      ),
    isMuted !== undefined && where(`${isMuted ? "" : "NOT "}${cardHas("c.is_muted = 1")}`),
    isPinned !== undefined && where(`${isPinned ? "" : "NOT "}${cardHas("c.is_pinned = 1")}`),
  ];
  return sieve.filter((condition) => condition !== false);
}

const anyHash = (hashes: readonly Hash64[]): Condition => where(`h.hash IN (${hashes.map(() => "?").join(", ")})`, ...hashes.map(toInt64));
