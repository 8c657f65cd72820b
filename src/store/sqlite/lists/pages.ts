import type { Hash64 } from "../../../core/records.ts";
import type { ListedPage, PageListFilter } from "../../lists.ts";
import { type Condition, isOneOf, KeysetList, type Plan, where } from "../keyset.ts";
import { LACKS } from "../reads.ts";
import { IS_UNKNOWN, OF_PAGE, overridesFrom, PAGE_COLUMNS, pageFrom, type Row, type Statements, toInt64 } from "../rows.ts";

const COLUMNS = `${PAGE_COLUMNS}, p.is_gone, pc.is_muted`;

export const openPageList = (sql: Statements) =>
  new KeysetList<PageListFilter, ListedPage>(sql, {
    sorts: ["id", "seen"],
    plan: (filter, sort) => planOf(sql, filter, sort),
    columns: COLUMNS,
    tables: OF_PAGE,
    row: pageOf,
  });

export function listedPage(sql: Statements, id: number): ListedPage | undefined {
  const row = sql.get(`SELECT ${COLUMNS} FROM page p ${OF_PAGE} WHERE p.id = ?`).get(id) as Row | undefined;
  return row && pageOf(row);
}

function pageOf(row: Row): ListedPage | undefined {
  if (row.metadata === null) return undefined;
  return Object.assign(pageFrom(row), { isGone: row.is_gone === 1, overrides: overridesFrom(row.said), isMuted: row.is_muted === 1 });
}

const ID = { column: "p.id" };
/** The index may contain the words of an earlier version. */
const INDEXED = where("p.version_id = (SELECT version_id FROM page_search WHERE page_id = p.id)");
const STORED = where("p.version_id IS NOT NULL");

function planOf(sql: Statements, filter: PageListFilter, sort: string): Plan {
  const { siteId, runId, hashes, query } = filter;
  const rowConditions = rowConditionsOf(filter);
  const ofSite = siteId === undefined ? [] : [where("p.site_id = ?", siteId)];
  const ofRun = runId === undefined ? [] : [where("p.run_id = ?", runId)];
  const rest = { rowConditions, ...joinsFor(filter) };
  if (hashes) return { from: "page p", keys: [ID], range: [hasAnyHash(hashes), ...ofSite, ...ofRun, STORED], ...rest };
  if (query) {
    const range = [where("page_text MATCH ?", sql.dialect.words.match(query))];
    const from = "page_text f CROSS JOIN page p ON p.id = f.rowid";
    return { from, keys: [{ column: "f.rowid" }], range, ...rest, rowConditions: [...ofSite, ...ofRun, INDEXED, ...rowConditions] };
  }
  if (sort === "seen") {
    const keys = [...(runId === undefined ? [{ column: "p.run_id" }] : []), { column: "p.seq" }, ID];
    return { from: "page p INDEXED BY page_seen", keys, range: ofRun, ...rest, rowConditions: [...ofSite, STORED, ...rowConditions] };
  }
  if (siteId === undefined)
    return { from: "page p NOT INDEXED", keys: [ID], range: [STORED], ...rest, rowConditions: [...ofRun, ...rowConditions] };
  return { from: "page p INDEXED BY page_stored", keys: [ID], range: ofSite, ...rest, rowConditions: [STORED, ...ofRun, ...rowConditions] };
}

const hasAnyHash = (hashes: readonly Hash64[]): Condition =>
  where(`p.hash IN (${hashes.map(() => "?").join(", ")})`, ...hashes.map(toInt64));

const VERSION = "JOIN page_version v ON v.id = p.version_id";

/** The corrected value, or else the page's own. */
const correctedOf = (field: string) =>
  `coalesce((SELECT pc.metadata ->> '$.${field}' FROM page_card pc WHERE pc.page_id = p.id), v.metadata ->> '$.${field}.value')`;

function joinsFor({ lang, topic, publishedAfter, missing }: PageListFilter): { joins?: string } {
  return lang !== undefined || topic !== undefined || publishedAfter !== undefined || missing?.length ? { joins: VERSION } : {};
}

/** The URL after the host; the third slash is the first of the path. */
export const pathOf = (url: string) => `substr(${url}, instr(substr(${url}, 9), '/') + 8)`;

export const beginsWith = (text: string, start: string): Condition => where(`substr(${text}, 1, length(?)) = ?`, start, start);

const verdictOf = "coalesce((SELECT m.verdict FROM page_metadata m WHERE m.page_id = p.id AND m.version_id = p.version_id), 'ok')";
const hasEdit = (condition: string) => `EXISTS (SELECT 1 FROM page_card pc WHERE pc.page_id = p.id AND ${condition})`;

function rowConditionsOf(filter: PageListFilter): Condition[] {
  const { contains, host, path, status, type, change, depth, lang, topic, publishedAfter, missing, verdict, tag, isMuted, isGone } = filter;
  const rowConditions: (Condition | undefined | false)[] = [
    contains !== undefined && where("instr(p.url, ?) > 0", contains),
    host !== undefined && where("p.host_id = (SELECT id FROM host WHERE name = ?)", host),
    path !== undefined && beginsWith(pathOf("p.url"), path),
    status?.length && isStatus("p.status", status),
    type !== undefined && where("instr(lower(coalesce(p.content_type, '')), ?) > 0", type.toLowerCase()),
    change?.length && hasChange(change),
    depth !== undefined && where("p.depth = ?", depth),
    lang !== undefined && where(`(${correctedOf("lang")} || '-') LIKE ? || '-%' ESCAPE '\\'`, lang.replace(/[%_\\]/g, "\\$&")),
    topic !== undefined &&
      where("EXISTS (SELECT 1 FROM json_each(v.metadata, '$.topics.value') t WHERE t.value ->> '$.name' = ?)", topic.toLowerCase()),
    publishedAfter !== undefined && where(`${correctedOf("publishedAt")} >= ?`, publishedAfter),
    missing?.length && lacks(missing),
    verdict?.length && isOneOf(verdictOf, verdict),
    tag !== undefined && where(hasEdit("EXISTS (SELECT 1 FROM json_each(pc.tags) WHERE value = ?)"), tag),
    isGone !== undefined && where(`p.is_gone = ${isGone ? 1 : 0}`),
    isMuted !== undefined && where(`${isMuted ? "" : "NOT "}${hasEdit("pc.is_muted = 1")}`),
  ].map((condition) => condition || undefined);
  return rowConditions.filter((condition) => condition !== undefined && condition !== false);
}

export const isStatus = (column: string, status: readonly number[]): Condition => {
  const codes = JSON.stringify(status);
  return where(`(${column} IN (SELECT value FROM json_each(?)) OR ${column} / 100 IN (SELECT value FROM json_each(?)))`, codes, codes);
};

function hasChange(changes: readonly string[]): Condition {
  const { sql, values } = isOneOf("p.change", changes);
  return changes.includes("unknown") ? where(`(${sql} OR ${IS_UNKNOWN})`, ...values) : where(sql, ...values);
}

/** Only HTML pages can have these fields. */
function lacks(fields: readonly string[]): Condition {
  return where(`(v.type = 'html' AND (${fields.map(() => LACKS).join(" OR ")}))`, ...fields.flatMap((field) => [field, field]));
}
