import { withTimeUnits } from "../../../core/units.ts";
import type { ListedSite, SiteListFilter } from "../../lists.ts";
import type { Run } from "../../run.ts";
import type { SiteSettings } from "../../user-data.ts";
import { type Condition, isOneOf, KeysetList, where } from "../keyset.ts";
import type { Row, Statements } from "../rows.ts";
import type { Runs } from "../runs.ts";

/** Without runs that fetch single pages. */
const CRAWLS = "run_site rs JOIN run r ON r.id = rs.run_id WHERE rs.site_id = s.id AND r.kind = 'crawl'";
const ROW = `SELECT s.id, s.uid, s.url, s.created_at, c.name, c.tags, c.options, c.changed_at, n.stored, n.gone,
    (SELECT count(*) FROM ${CRAWLS}) AS runs, (SELECT max(r.id) FROM ${CRAWLS}) AS last
  FROM site s LEFT JOIN site_card c ON c.site_id = s.id LEFT JOIN page_count n ON n.site_id = s.id WHERE s.id = ?`;

export const openSiteList = (sql: Statements) =>
  new KeysetList<SiteListFilter, ListedSite>(sql, {
    sorts: ["id"],
    plan: (filter) => ({ from: "site s", keys: [{ column: "s.id" }], range: [], rowConditions: rowConditionsOf(filter), joins: JOIN }),
    row: ({ k0 }) => listedSite(sql, Number(k0)),
    tables: JOIN,
  });

const JOIN = "LEFT JOIN site_card c ON c.site_id = s.id";

function rowConditionsOf({ key, contains, tag }: SiteListFilter): Condition[] {
  return [
    ...(key === undefined ? [] : [where("s.key = ?", key)]),
    ...(contains === undefined ? [] : [where("(instr(s.url, ?) > 0 OR instr(lower(c.name), lower(?)) > 0)", contains, contains)]),
    ...(tag === undefined ? [] : [where("EXISTS (SELECT 1 FROM json_each(c.tags) WHERE value = ?)", tag)]),
  ];
}

export function listedSite(sql: Statements, id: number): ListedSite | undefined {
  const row = sql.get(ROW).get(id) as Row | undefined;
  if (!row) return undefined;
  return {
    id,
    uid: String(row.uid),
    url: String(row.url),
    createdAt: Number(row.created_at),
    ...siteSettingsFrom(row),
    changedAt: Number(row.changed_at ?? row.created_at),
    pages: Number(row.stored ?? 0) - Number(row.gone ?? 0),
    gone: Number(row.gone ?? 0),
    runs: Number(row.runs),
    lastRunId: row.last === null ? undefined : Number(row.last),
  };
}

const WORDS =
  "SELECT w.word, k.weight, k.links FROM keyword k JOIN word w ON w.id = k.word_id WHERE k.site_id = ? ORDER BY k.weight DESC, w.word";

export const keywordsOf = (sql: Statements, siteId: number) =>
  (sql.get(WORDS).all(siteId) as Row[]).map(({ word, weight, links }) => ({
    word: String(word),
    weight: Number(weight),
    links: Number(links),
  }));

type RunFilter = { readonly siteId?: number | undefined; readonly status?: readonly string[] | undefined };

export const openRunList = (sql: Statements, runs: Runs) =>
  new KeysetList<RunFilter, Run>(sql, {
    sorts: ["id"],
    plan: ({ siteId, status }) => {
      const field = (name: string) => `(SELECT ${name} FROM run WHERE id = rs.run_id)`;
      const ofStatus = [where(`${field("kind")} = 'crawl'`), ...(status?.length ? [isOneOf(field("status"), status)] : [])];
      if (siteId !== undefined)
        return { from: "run_site rs", keys: [{ column: "rs.run_id" }], range: [where("rs.site_id = ?", siteId)], rowConditions: ofStatus };
      const rowConditions = [where("r.kind = 'crawl'"), ...(status?.length ? [isOneOf("r.status", status)] : [])];
      return { from: "run r", keys: [{ column: "r.id" }], range: [], rowConditions };
    },
    row: ({ k0 }) => runs.get(Number(k0)),
  });

export const siteSettingsFrom = (row: Row): SiteSettings => ({
  name: String(row.name ?? ""),
  tags: JSON.parse(String(row.tags ?? "[]")),
  options: withTimeUnits(JSON.parse(String(row.options ?? "{}")), "ms"),
  changedAt: Number(row.changed_at ?? 0),
});
