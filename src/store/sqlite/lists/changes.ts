import type { Change, PageVerdict } from "../../../core/records.ts";
import { type ChangeListFilter, type Cursor, CursorError, type ListedChange, type ListPart, type ListRequest } from "../../lists.ts";
import { bound, type Condition, isOneOf, KeysetList, type Plan, where } from "../keyset.ts";
import type { Row, Statements } from "../rows.ts";

/** The score of the links to page `p`. */
export const SCORE =
  "coalesce((SELECT s.score FROM link l JOIN link_score s ON s.link_id = l.id AND s.site_id = p.site_id WHERE l.hash = p.hash), 0)";
const numberOf = (version: string) => `(SELECT number FROM page_version WHERE id = c.${version})`;
const VERDICT = "(SELECT m.verdict FROM page_metadata m WHERE m.page_id = p.id AND m.version_id = p.version_id)";

const COLUMNS = `c.run_id, c.page_id, c.status, c.at, c.detail, ${numberOf("from_version")} AS before, ${numberOf("to_version")} AS now, p.site_id, p.url,
  coalesce((SELECT pc.metadata ->> '$.title' FROM page_card pc WHERE pc.page_id = p.id), v.metadata ->> '$.title.value') AS title, ${VERDICT} AS verdict, ${SCORE} AS score`;
const PAGE = "CROSS JOIN page p ON p.id = c.page_id";

type ChangePart = ListPart<ListedChange>;

const IS_WANTED = `FROM removed_change WHERE run_id > :after AND run_id <= :until AND (:site IS NULL OR site_id = :site)
  AND (:change IS NULL OR status IN (SELECT value FROM json_each(:change))) AND :least <= 0`;
const REMOVED_COUNT = `SELECT count(*) AS rows ${IS_WANTED}`;
const REMOVED = (
  isDown: boolean,
) => `SELECT run_id, page_id, status, at, detail, NULL AS before, NULL AS now, site_id, url, title, NULL AS verdict, 0 AS score
  ${IS_WANTED} AND (:run IS NULL OR (run_id, page_id) ${isDown ? "<" : ">"} (:run, :page))
  ORDER BY run_id${isDown ? " DESC" : ""}, page_id${isDown ? " DESC" : ""} LIMIT :limit`;

const valuesOf = ({ siteId, after, until, change, minScore }: ChangeListFilter) => ({
  site: siteId ?? null,
  after,
  until,
  change: change?.length ? JSON.stringify(change) : null,
  least: minScore ?? 0,
});

/** Changes have a run and a page, but no site: the changes of one site are read run by run, to avoid a scan over all sites. */
export class ChangeList extends KeysetList<ChangeListFilter, ListedChange> {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    super(sql, {
      sorts: ["crawl"],
      plan: planOf,
      columns: COLUMNS,
      tables: `${PAGE} LEFT JOIN page_version v ON v.id = p.version_id`,
      row: changeFrom,
    });
    this.#sql = sql;
  }

  /** Merges the changes of pages that were pruned since, in the same order. */
  override async part(filter: ChangeListFilter, request: ListRequest): Promise<ChangePart> {
    const { after, limit, sort } = request;
    const isDown = sort.startsWith("-");
    const { rows, next } = await this.#partOfStored(filter, request);
    const removed = this.#removed(filter, isDown, after, limit + 1);
    if (removed.length === 0) return { rows, next };
    const all = [...rows, ...removed].sort((a, b) => (isDown ? -1 : 1) * (a.runId - b.runId || a.pageId - b.pageId));
    const last = all.length > limit || next ? all[Math.min(limit, all.length) - 1] : undefined;
    return { rows: all.slice(0, limit), next: last && [last.runId, last.pageId] };
  }

  #removed(filter: ChangeListFilter, isDown: boolean, cursor: Cursor | undefined, limit: number): ListedChange[] {
    const [run, page] = cursor ?? [];
    const given = {
      ...valuesOf(filter),
      run: run === undefined ? null : Number(run),
      page: page === undefined ? null : Number(page),
      limit,
    };
    return this.#sql.named(REMOVED(isDown)).all(given).map(changeFrom);
  }

  async #partOfStored(filter: ChangeListFilter, request: ListRequest): Promise<ChangePart> {
    if (filter.siteId === undefined) return super.part(filter, request);
    const { after, limit, sort } = request;
    const rows: ListedChange[] = [];
    for (const runId of this.#runsOf(filter, sort, after)) {
      const from = Number(after?.[0]) === runId ? after : undefined;
      const part = await super.part(
        { ...filter, after: runId - 1, until: runId },
        { ...request, after: from, limit: limit + 1 - rows.length },
      );
      rows.push(...part.rows);
      if (rows.length > limit) break;
    }
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return { rows: rows.slice(0, limit), next: last && [last.runId, last.pageId] };
  }

  override async count(filter: ChangeListFilter, signal?: AbortSignal): Promise<number> {
    const removed = Number(this.#sql.named(REMOVED_COUNT).get(valuesOf(filter))!.rows);
    if (filter.siteId === undefined) return removed + (await super.count(filter, signal));
    let count = removed;
    for (const runId of this.#runsOf(filter, "crawl")) count += await super.count({ ...filter, after: runId - 1, until: runId }, signal);
    return count;
  }

  #runsOf({ siteId, after, until }: ChangeListFilter, sort: string, cursor?: Cursor): number[] {
    if (cursor && cursor.length !== 2) throw new CursorError();
    const isDown = sort.startsWith("-");
    const from = cursor && Number(cursor[0]);
    const select = `SELECT run_id FROM run_site WHERE site_id = ? AND run_id > ? AND run_id <= ? ORDER BY run_id${isDown ? " DESC" : ""}`;
    const low = isDown || from === undefined ? after : Math.max(after, from - 1);
    const high = isDown && from !== undefined ? Math.min(until, from) : until;
    return (this.#sql.get(select).all(siteId!, low, high) as Row[]).map((row) => Number(row.run_id));
  }
}

function planOf({ siteId, after, until, change, minScore, isAnyVerdict, isMuted }: ChangeListFilter): Plan {
  const rowConditions: (Condition | false | undefined)[] = [
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
    rowConditions: rowConditions.filter((condition) => condition !== undefined && condition !== false),
    joins: PAGE,
  };
}

const orUndefined = <T>(value: unknown): T | undefined => (value === null ? undefined : (value as T));

function changeFrom(row: Row): ListedChange {
  return {
    runId: Number(row.run_id),
    pageId: Number(row.page_id),
    siteId: Number(row.site_id),
    url: String(row.url),
    change: row.status as Change,
    title: orUndefined<string>(row.title),
    at: Number(row.at),
    fromVersion: orUndefined<number>(row.before),
    toVersion: orUndefined<number>(row.now),
    detail: String(row.detail),
    verdict: orUndefined<PageVerdict>(row.verdict),
    score: Number(row.score),
  };
}
