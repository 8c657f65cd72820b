import { setImmediate as othersFirst } from "node:timers/promises";
import type { Hash64 } from "../../../core/records.ts";
import type { DecisionGroup, DecisionListFilter, GroupedDecisions, ListedDecision } from "../../lists.ts";
import { bound, type Condition, isOneOf, KeysetList, type Plan, unindexed, where } from "../keyset.ts";
import { DECISION_COLUMNS, decisionFrom, WITH_PARENT } from "../reads.ts";
import { type Row, type Statements, toInt64 } from "../rows.ts";
import { beginsWith, pathOf } from "./pages.ts";

const shape = {
  columns: `${DECISION_COLUMNS}, d.page_id, (SELECT name FROM host WHERE id = d.host_id) AS host`,
  tables: WITH_PARENT,
  row: decisionOf,
};

export const openDecisionList = (sql: Statements) =>
  new KeysetList<DecisionListFilter, ListedDecision>(sql, { sorts: ["id"], plan: (filter) => planOf(sql, filter), ...shape });

/** Uses an index that contains only failures. */
export const openFailureList = (sql: Statements) =>
  new KeysetList<{ readonly runId: number }, ListedDecision>(sql, {
    sorts: ["hash"],
    plan: ({ runId }) => ({
      from: "decision d INDEXED BY decision_failed",
      keys: [{ column: "d.hash", isHash: true }],
      range: [where("d.run_id = ?", runId), where("d.verdict = 'failed'")],
      rowConditions: [],
    }),
    ...shape,
  });

function decisionOf(row: Row): ListedDecision {
  return Object.assign(decisionFrom(row), {
    host: String(row.host),
    pageId: row.page_id === null ? undefined : Number(row.page_id),
  });
}

function planOf(sql: Statements, filter: DecisionListFilter): Plan {
  const { runId, hashes } = filter;
  const keys = [{ column: "d.id" }];
  if (hashes)
    return { from: "decision d", keys, range: [where("d.run_id = ?", runId), hasHash(hashes)], rowConditions: rowConditionsOf(filter) };
  return {
    from: "decision d NOT INDEXED",
    keys,
    range: ledgerOf(sql, runId),
    rowConditions: [where("+d.run_id = ?", runId), ...rowConditionsOf(filter)],
  };
}

const hasHash = (hashes: readonly Hash64[]) => where(`d.hash IN (${hashes.map(() => "?").join(", ")})`, ...hashes.map(toInt64));

/** The rows of a run are contiguous, except for runs that ran at the same time. */
function ledgerOf(sql: Statements, runId: number): Condition[] {
  const select = `SELECT r.ledger_from AS first, (SELECT min(n.ledger_from) FROM run n WHERE n.started_at >= r.ended_at AND n.id > r.id) AS last
    FROM run r WHERE r.id = ?`;
  const row = sql.get(select).get(runId) as Row | undefined;
  if (!row) return [bound("high", "d.id < ?", 0)];
  return [bound("low", "d.id > ?", Number(row.first)), ...(row.last === null ? [] : [bound("high", "d.id <= ?", Number(row.last))])];
}

function rowConditionsOf({ verdict, reason, rule, host, path, contains, depth, kind }: DecisionListFilter): Condition[] {
  const rowConditions: (Condition | false | undefined)[] = [
    verdict?.length ? isOneOf("d.verdict", verdict) : undefined,
    reason?.length ? isReason(reason) : undefined,
    rule !== undefined && where("d.rule = ?", rule),
    host !== undefined && where("d.host_id = (SELECT id FROM host WHERE name = ?)", host),
    path !== undefined && beginsWith(pathOf("d.url"), path),
    contains !== undefined && where("instr(d.url, ?) > 0", contains),
    depth !== undefined && where("d.depth = ?", depth),
    kind !== undefined && where("d.kind = ?", kind),
  ];
  return rowConditions.filter((condition) => condition !== undefined && condition !== false);
}

/** `robots` matches `robots.disallow` and `robots.unreachable`. */
const isReason = (reasons: readonly string[]): Condition => {
  const list = JSON.stringify(reasons);
  const family = "substr(d.reason, 1, instr(d.reason || '.', '.') - 1)";
  return where(`(d.reason IN (SELECT value FROM json_each(?)) OR ${family} IN (SELECT value FROM json_each(?)))`, list, list);
};

const COLUMNS: Record<DecisionGroup, string> = {
  verdict: "d.verdict",
  reason: "d.reason",
  rule: "d.rule",
  host: "(SELECT name FROM host WHERE id = d.host_id)",
  path: `substr(${pathOf("d.url")}, 1, instr(substr(${pathOf("d.url")} || '/', 2), '/') + 1)`,
  depth: "d.depth",
  status: "d.status",
};

const SLICE = 20_000;
/** There can be as many rules and paths as URLs; beyond this number the rare groups are dropped. */
const MAX_GROUPS = 50_000;

/** Groups a ledger of possibly millions of rows, some thousand at a time; other requests run in between. */
export async function groupDecisions(
  sql: Statements,
  { hashes, ...filter }: DecisionListFilter,
  by: readonly DecisionGroup[],
  limit: number,
  signal: AbortSignal | undefined,
): Promise<GroupedDecisions[]> {
  const { range, rowConditions } = planOf(sql, filter);
  const [first] = range[0]!.values as [number];
  const { last } = sql.get("SELECT coalesce(max(id), 0) AS last FROM decision").get() as { last: number };
  const conditions = [...range.map(unindexed), ...rowConditions, ...(hashes ? [hasHash(hashes)] : [])];
  const statement = sql.uncached(groupingSql(conditions, by));
  const groups = new Map<string, GroupCount>();
  for (let from = first; from < last; from += SLICE) {
    const rows = statement.all(...conditions.flatMap(({ values }) => values), from, from + SLICE) as Row[];
    for (const row of rows) addToGroup(groups, row, by);
    await othersFirst();
    signal?.throwIfAborted();
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.example < b.example ? -1 : 1)).slice(0, limit);
}

function groupingSql(conditions: readonly Condition[], by: readonly DecisionGroup[]): string {
  const columns = by.map((name, index) => `${COLUMNS[name]} AS g${index}`).join(", ");
  return `SELECT ${columns}, count(*) AS rows, min(d.url) AS example FROM decision d NOT INDEXED
    WHERE ${conditions.map(({ sql }) => sql).join(" AND ")} AND d.id > ? AND d.id <= ? GROUP BY ${by.map((_, index) => index + 1).join(", ")}`;
}

interface GroupCount {
  readonly group: GroupedDecisions["group"];
  readonly example: string;
  count: number;
}

function addToGroup(groups: Map<string, GroupCount>, row: Row, by: readonly DecisionGroup[]): void {
  const values = by.map((_, index) => row[`g${index}`] as string | number | null);
  const name = JSON.stringify(values);
  const known = groups.get(name);
  if (known) known.count += Number(row.rows);
  else if (groups.size < MAX_GROUPS) {
    const group = Object.fromEntries(by.map((column, index) => [column, values[index]!]));
    groups.set(name, { group, count: Number(row.rows), example: String(row.example) });
  }
}
