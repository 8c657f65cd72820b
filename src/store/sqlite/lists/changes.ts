import type { Change, PageVerdict } from "../../../records.ts";
import type { ChangeListFilter, ListedChange } from "../../lists.ts";
import { bound, type Condition, isOneOf, KeysetList, type Plan, where } from "../keyset.ts";
import type { Row, Statements } from "../rows.ts";

/** Of the page p: what links to it are worth. */
export const SCORE =
  "coalesce((SELECT s.score FROM link l JOIN link_score s ON s.link_id = l.id AND s.site_id = p.site_id WHERE l.hash = p.hash), 0)";
const numberOf = (version: string) => `(SELECT number FROM page_version WHERE id = c.${version})`;
const VERDICT = "(SELECT m.verdict FROM page_metadata m WHERE m.page_id = p.id AND m.version_id = p.version_id)";

const ROW = `SELECT c.run_id, c.page_id, c.status, c.at, c.detail, ${numberOf("from_version")} AS before, ${numberOf("to_version")} AS now, p.site_id, p.url,
    v.metadata ->> '$.title.value' AS title, ${VERDICT} AS verdict, ${SCORE} AS score
  FROM change c JOIN page p ON p.id = c.page_id LEFT JOIN page_version v ON v.id = p.version_id WHERE c.run_id = ? AND c.page_id = ?`;

export const openChangeList = (sql: Statements) =>
  new KeysetList<ChangeListFilter, ListedChange>(sql, {
    sorts: ["crawl"],
    plan: planOf,
    row: ([runId, pageId]) => changeFrom(sql.get(ROW).get(Number(runId), Number(pageId)) as Row | undefined),
  });

function planOf({ siteId, after, until, change, minScore, isAnyVerdict, isMuted }: ChangeListFilter): Plan {
  const sieve: (Condition | false | undefined)[] = [
    siteId !== undefined && where("p.site_id = ?", siteId),
    change?.length ? isOneOf("c.status", change) : undefined,
    !isAnyVerdict && where(`coalesce(${VERDICT}, 'ok') = 'ok'`),
    !isMuted && where("NOT EXISTS (SELECT 1 FROM page_card pc WHERE pc.page_id = c.page_id AND pc.is_muted = 1)"),
    minScore !== undefined && minScore > 0 && where(`${SCORE} >= ?`, minScore),
  ];
  return {
    from: "change c",
    keys: [{ column: "c.run_id" }, { column: "c.page_id" }],
    range: [bound("low", "c.run_id > ?", after), bound("high", "c.run_id <= ?", until)],
    sieve: sieve.filter((condition) => condition !== undefined && condition !== false),
    joins: "CROSS JOIN page p ON p.id = c.page_id",
  };
}

const known = <T>(value: unknown): T | undefined => (value === null ? undefined : (value as T));

function changeFrom(row: Row | undefined): ListedChange | undefined {
  if (!row) return undefined;
  return {
    runId: Number(row.run_id),
    pageId: Number(row.page_id),
    siteId: Number(row.site_id),
    url: String(row.url),
    change: row.status as Change,
    title: known<string>(row.title),
    at: Number(row.at),
    fromVersion: known<number>(row.before),
    toVersion: known<number>(row.now),
    detail: String(row.detail),
    verdict: known<PageVerdict>(row.verdict),
    score: Number(row.score),
  };
}
