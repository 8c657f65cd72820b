import { setImmediate as othersFirst } from "node:timers/promises";
import { type Cursor, CursorError, type List, type ListPart, type ListRequest } from "../lists.ts";
import type { Row, Statements } from "./rows.ts";

type Value = string | number | bigint | null;

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
  /** Whether it bounds the range of the first key from below or above. */
  readonly end?: "low" | "high";
}

export const where = (sql: string, ...values: Value[]): Condition => ({ sql, values });

/** A condition that bounds the range of the first key. */
export const bound = (end: "low" | "high", sql: string, value: number): Condition => ({ sql, values: [value], end });

/** A sort column. Hashes do not fit into a JavaScript number, so they are passed as text. */
export interface Key {
  readonly column: string;
  readonly isHash?: boolean;
}

/** How a list is read: along one index, from one end of a range towards the other. */
export interface Plan {
  /** The table, and the index that gives the order. */
  readonly from: string;
  /** Unique together. */
  readonly keys: readonly Key[];
  /** Conditions that the index can answer. */
  readonly range: readonly Condition[];
  /** Conditions that are checked row by row. */
  readonly rowConditions: readonly Condition[];
  /** Tables that the sieve needs when rows are only counted. */
  readonly joins?: string;
  /** Set if there are few rows, in another order: the alias of their table. They are sorted before other tables are joined. */
  readonly few?: string;
}

/** The contents of each row of a list. */
export interface Shape<Filter, T> {
  /** Columns besides the keys, which are named `k0`, `k1`… */
  readonly columns?: string;
  /** Tables joined to the plan's table, for the columns and the sieve. */
  readonly tables?: string;
  /** Returns undefined for a row that is skipped. */
  readonly row: (row: Row, filter: Filter) => T | undefined;
}

/** Rows that are checked before other requests get their turn. */
const SLICE = 4000;
/** Most sieves let most rows through, so the first slices are small, and each is this many times larger than the one before. */
const FIRST_SLICE = 100;
const GROWTH = 4;

interface ListSlice {
  readonly isDescending: boolean;
  readonly after: Cursor | undefined;
  readonly until?: Cursor | undefined;
}

/**
 * A list read in parts; each part continues at the cursor of the one before. With a sieve, a search for something rare would block the
 * thread for a scan of everything, so it checks some thousand rows at a time and lets other requests run in between.
 */
export class KeysetList<Filter, T> implements List<Filter, T> {
  readonly sorts: readonly string[];
  readonly #sql: Statements;
  readonly #plan: (filter: Filter, sort: string) => Plan;
  readonly #shape: Shape<Filter, T>;

  constructor(
    sql: Statements,
    options: Shape<Filter, T> & { readonly sorts: readonly string[]; readonly plan: (filter: Filter, sort: string) => Plan },
  ) {
    this.#sql = sql;
    this.sorts = options.sorts;
    this.#plan = options.plan;
    this.#shape = options;
  }

  async part(filter: Filter, { sort, after, limit, signal }: ListRequest): Promise<ListPart<T>> {
    const isDescending = sort.startsWith("-");
    const plan = this.#plan(filter, sort.replace(/^-/, ""));
    if (after && after.length !== plan.keys.length) throw new CursorError();
    const found: Row[] = [];
    for await (const slice of this.#slices(plan, { isDescending, after }, 2 * limit, signal)) {
      found.push(...this.#rows(plan, slice, limit + 1 - found.length));
      if (found.length > limit) break;
    }
    const next = found.length > limit ? cursorOf(plan, found[limit - 1]!) : undefined;
    const rows = found.slice(0, limit).flatMap((row) => this.#shape.row(row, filter) ?? []);
    return { rows, next };
  }

  async count(filter: Filter, signal?: AbortSignal): Promise<number> {
    const plan = this.#plan(filter, this.sorts[0]!);
    let count = 0;
    for await (const slice of this.#slices(plan, { isDescending: false, after: undefined }, SLICE, signal)) {
      const { sql, values } = selectFrom({ ...plan, tables: plan.joins }, slice, "count(*) AS rows", true);
      count += Number((this.#sql.recent(sql).get(...values) as Row).rows);
    }
    return count;
  }

  /** SQLite's query plan, for the tests. */
  explain(filter: Filter, sort: string, after?: Cursor): string[] {
    const plan = this.#plan(filter, sort.replace(/^-/, ""));
    const { sql, values } = this.#select(plan, { isDescending: sort.startsWith("-"), after }, 1);
    return (this.#sql.uncached(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as Row[]).map(({ detail }) => String(detail));
  }

  async *#slices(plan: Plan, slice: ListSlice, first: number, signal: AbortSignal | undefined): AsyncGenerator<ListSlice> {
    if (plan.rowConditions.length === 0) return yield slice;
    let size = Math.max(FIRST_SLICE, first);
    for (let { after } = slice; ; size *= GROWTH) {
      const until = this.#sliceEnd(plan, { ...slice, after }, Math.min(size, SLICE));
      yield { ...slice, after, until };
      if (!until) return;
      after = until;
      await othersFirst();
      signal?.throwIfAborted();
    }
  }

  /** The cursor one slice ahead. */
  #sliceEnd(plan: Plan, slice: ListSlice, size: number): Cursor | undefined {
    const { sql, values } = ordered(plan, slice, false);
    const row = this.#sql.recent(`${sql} LIMIT 1 OFFSET ?`).get(...values, size - 1) as Row | undefined;
    return row && cursorOf(plan, row);
  }

  #rows(plan: Plan, slice: ListSlice, limit: number): Row[] {
    const { sql, values } = this.#select(plan, slice, limit);
    return this.#sql.recent(sql).all(...values) as Row[];
  }

  #select(plan: Plan, slice: ListSlice, limit: number): { sql: string; values: Value[] } {
    if (plan.few === undefined) {
      const { sql, values } = ordered({ ...plan, ...this.#shape }, slice, true);
      return { sql: `${sql} LIMIT ?`, values: [...values, limit] };
    }
    const { sql, values } = selectFrom({ ...plan, tables: plan.joins }, slice, `${plan.few}.*`, true);
    const from = `(${sql} ${orderOf(plan, slice)} LIMIT ?) ${plan.few}`;
    const whole = ordered(
      { ...this.#shape, keys: plan.keys, from, range: [], rowConditions: [] },
      { isDescending: slice.isDescending, after: undefined },
      true,
    );
    return { sql: whole.sql, values: [...values, limit] };
  }
}

const cursorOf = ({ keys }: Plan, row: Row): Cursor => keys.map((_, index) => row[`k${index}`] as string | number);

/** A plan, with the columns of its rows besides the cursor. */
type PlanWithColumns = Plan & { readonly columns?: string | undefined; readonly tables?: string | undefined };

function ordered(plan: PlanWithColumns, slice: ListSlice, withRowConditions: boolean): { sql: string; values: Value[] } {
  const keys = plan.keys.map(({ column, isHash }, index) => `${isHash ? `CAST(${column} AS TEXT)` : column} AS k${index}`);
  const { sql, values } = selectFrom(plan, slice, [...keys, ...(plan.columns ? [plan.columns] : [])].join(", "), withRowConditions);
  return { sql: `${sql} ${orderOf(plan, slice)}`, values };
}

const orderOf = ({ keys }: Plan, { isDescending }: ListSlice) =>
  `ORDER BY ${keys.map(({ column }) => `${column}${isDescending ? " DESC" : ""}`).join(", ")}`;

function selectFrom(
  plan: PlanWithColumns,
  { isDescending, after, until }: ListSlice,
  columns: string,
  withRowConditions: boolean,
): { sql: string; values: Value[] } {
  const low = isDescending ? until : after;
  const high = isDescending ? after : until;
  const conditions = [
    ...plan.range.map((condition) =>
      (condition.end === "low" && low) || (condition.end === "high" && high) ? unindexed(condition) : condition,
    ),
    ...(after ? [pastCursor(plan, isDescending ? "<" : ">", after)] : []),
    ...(until ? [pastCursor(plan, isDescending ? ">=" : "<=", until)] : []),
    ...(withRowConditions ? plan.rowConditions : []),
  ];
  const clauses = conditions.length === 0 ? "" : ` WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}`;
  return {
    sql: `SELECT ${columns} FROM ${plan.from} ${plan.tables ?? ""}${clauses}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/**
 * SQLite seeks each end by one condition, the first it finds. The cursor is always the narrower bound, so the others are kept out of the
 * index by a plus sign.
 */
export const unindexed = ({ sql, values }: Condition): Condition => where(`+${sql}`, ...values);

function pastCursor({ keys }: Plan, sign: string, place: Cursor): Condition {
  const columns = keys.map(({ column }) => column).join(", ");
  const marks = keys.map(({ isHash }) => (isHash ? "CAST(? AS INTEGER)" : "?")).join(", ");
  return where(keys.length === 1 ? `${columns} ${sign} ${marks}` : `(${columns}) ${sign} (${marks})`, ...place);
}

/** `column IN (…)` for any number of values. */
export const isOneOf = (column: string, values: readonly (string | number)[]): Condition =>
  where(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
