import { randomUUID } from "node:crypto";
import type { DatabaseSyncInstance as Database, StatementSyncInstance as Statement } from "@photostructure/sqlite";
import type { Change, Found, Hash64, Page, PageMetadata, PageVerdict, Via } from "../../core/records.ts";
import { withRetries } from "../retries.ts";
import type { Dialect } from "./dialect.ts";

export type Row = Record<string, unknown>;

/** SQLite integers are signed 64-bit. */
export const toInt64 = (hash: Hash64): bigint => (BigInt(hash.hi | 0) << 32n) | BigInt(hash.lo);

/** UUIDv7, which sorts by time (RFC 9562 §5.7). Made from `randomUUID`, which keeps a buffer of random bytes, with the time in front. */
export function uuidv7(at: number): string {
  if (at !== last.at) {
    const time = at.toString(16).padStart(12, "0");
    last = { at, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return last.text + randomUUID().slice(15);
}

/** All pages of a batch are settled at the same time, so the time part is cached. */
let last = { at: Number.NaN, text: "" };

export type Value = string | number | bigint | null | Uint8Array;

/** Replaces names by numbered parameters, in the order of their first use. */
function numberParameters(sql: string): { positional: string; names: string[] } {
  const names: string[] = [];
  const positional = sql.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return { positional, names };
}

/** Drops numbers that equal the default order: for each value the driver searches the numbered parameters for a name. */
function dropDefaultNumbers(positional: string): string {
  let last = 0;
  return positional.replace(/\?(\d+)/g, (numbered, place: string) => {
    if (Number(place) <= last) return numbered;
    last += 1;
    return "?";
  });
}

/** A statement with `:names`. The driver binds by position three times as fast as by name, so the names are translated once. */
export class NamedStatement {
  readonly #statement: Statement;
  readonly #names: readonly string[];

  constructor(db: Database, sql: string) {
    const { positional, names } = numberParameters(sql);
    this.#statement = db.prepare(positional);
    this.#names = names;
  }

  #values(given: Readonly<Record<string, Value>>): Value[] {
    return this.#names.map((name) => given[name] ?? null);
  }

  run(given: Readonly<Record<string, Value>>): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.#statement.run(...this.#values(given));
  }

  get(given: Readonly<Record<string, Value>>): Row | undefined {
    return this.#statement.get(...this.#values(given)) as Row | undefined;
  }

  all(given: Readonly<Record<string, Value>>): Row[] {
    return this.#statement.all(...this.#values(given)) as Row[];
  }
}

const MAX_RECENT = 100;

/** Prepares each statement once, when first used. */
export class Statements {
  readonly dialect: Dialect;
  readonly #db: Database;
  readonly #prepared = new Map<string, Statement>();
  readonly #named = new Map<string, NamedStatement>();
  readonly #positional = new Map<string, Statement>();
  readonly #asArrays = new Map<string, Statement>();
  readonly #recent = new Map<string, Statement>();
  readonly #iterated = new WeakMap<Iterable<Row>, Statement>();

  constructor(db: Database, dialect: Dialect) {
    this.#db = db;
    this.dialect = dialect;
  }

  get(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  named(sql: string): NamedStatement {
    let statement = this.#named.get(sql);
    if (!statement) {
      statement = new NamedStatement(this.#db, sql);
      this.#named.set(sql, statement);
    }
    return statement;
  }

  /** For statements run on every visit: `:names` are allowed, and the values are passed in the order of the names' first use. */
  positional(sql: string): Statement {
    let statement = this.#positional.get(sql);
    if (!statement) {
      statement = this.#db.prepare(dropDefaultNumbers(numberParameters(sql).positional));
      this.#positional.set(sql, statement);
    }
    return statement;
  }

  /** Returns rows as arrays in column order, for rows that are read all the time. The driver takes twice as long for an object. */
  asArrays(sql: string): Statement {
    let statement = this.#asArrays.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      this.#asArrays.set(sql, statement);
    }
    return statement;
  }

  /** For SQL that depends on a request: the most recent statements are kept. */
  recent(sql: string): Statement {
    const statement = this.#recent.get(sql) ?? this.#db.prepare(sql);
    this.#recent.delete(sql);
    this.#recent.set(sql, statement);
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
    return statement;
  }

  uncached(sql: string): Statement {
    return this.#db.prepare(sql);
  }

  /**
   * For reads that yield row by row; two may run at the same time. The driver's iterator does not reference its statement, which would be
   * garbage-collected while it runs.
   */
  each(sql: string, ...values: Parameters<Statement["iterate"]>): Iterable<Row> {
    const statement = this.#db.prepare(sql);
    const rows = statement.iterate(...values) as IterableIterator<Row>;
    this.#iterated.set(rows, statement);
    return rows;
  }
}

/** All or nothing. The connection is synchronous, so nothing runs in between. `work` may run again if the database rolled it back. */
export function inTransaction<T>(db: Database, work: () => T, begin: "BEGIN IMMEDIATE" | "BEGIN EXCLUSIVE" = "BEGIN IMMEDIATE"): T {
  return withRetries(() => runOnce(db, work, begin));
}

/** For removing rows that others may be about to reference: nobody else writes meanwhile. In SQLite there is only one writer anyway. */
export const inExclusiveTransaction = <T>(db: Database, work: () => T): T => inTransaction(db, work, "BEGIN EXCLUSIVE");

function runOnce<T>(db: Database, work: () => T, begin: string): T {
  db.exec(begin);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (cause) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw cause;
  }
}

const iso = (at: unknown): string => new Date(Number(at)).toISOString();

export const PAGE_COLUMNS = `p.id, p.uid, p.site_id, p.run_id, p.seq, p.url, p.status, p.content_type, p.depth, p.parent_url, p.via,
  p.fetched_at, p.duration, p.bytes, p.from_cache, p.change, p.previous_at, v.text_hash, v.links_hash,
  v.metadata, v.noindex, v.canonical, v.link_count, m.verdict, pc.note, pc.tags, pc.metadata AS said,
  EXISTS (SELECT 1 FROM rendered_version WHERE version_id = p.version_id) AS is_rendered,
  (SELECT url FROM page WHERE id = p.duplicate_of) AS duplicate_url, (SELECT url FROM page WHERE id = p.near_duplicate_of) AS near_url`;

/** The current version of a page, with its metadata and the users' corrections. */
export const OF_PAGE = `LEFT JOIN page_version v ON v.id = p.version_id
  LEFT JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id LEFT JOIN page_card pc ON pc.page_id = p.id`;
export const PAGE_TABLES = `page p ${OF_PAGE}`;

/** Files of earlier versions name the field `language` instead of `lang`. */
export function metadataFrom(text: unknown): PageMetadata {
  if (typeof text !== "string") return {};
  const said = JSON.parse(text) as PageMetadata & { language?: Found<string> };
  if (!said.language) return said;
  const { language, ...metadata } = said;
  return metadata.lang ? metadata : { ...metadata, lang: language };
}

type Overrides = Readonly<Record<string, string | readonly string[]>>;

/** Values that users corrected. */
export const overridesFrom = (said: unknown): Overrides => (typeof said === "string" ? JSON.parse(said) : {});

function withOverrides(metadata: PageMetadata, overrides: Overrides): PageMetadata {
  const said = Object.entries(overrides).map(([field, value]) => [field, { value, source: "manual", confidence: 1 }]);
  return said.length === 0 ? metadata : { ...metadata, ...Object.fromEntries(said) };
}

export function pageFrom(row: Row): Page {
  const overrides = overridesFrom(row.said);
  return {
    schemaVersion: 1,
    id: Number(row.id),
    uid: String(row.uid),
    siteId: Number(row.site_id),
    crawlId: Number(row.run_id),
    seq: Number(row.seq),
    url: String(row.url),
    status: Number(row.status),
    contentType: row.content_type as string | null,
    depth: Number(row.depth),
    parentUrl: row.parent_url as string | null,
    discoveredVia: row.via as Via,
    fetchedAt: iso(row.fetched_at),
    durationMs: Number(row.duration),
    bytes: Number(row.bytes),
    fromCache: row.from_cache === 1,
    rendered: row.is_rendered === 1,
    change: row.change as Change,
    previousFetchedAt: row.previous_at === null ? null : iso(row.previous_at),
    hash: { text: (row.text_hash as string) ?? "", links: (row.links_hash as string) ?? "" },
    metadata: withOverrides(metadataFrom(row.metadata), overrides),
    verdict: (row.verdict as PageVerdict | null) ?? null,
    noindex: row.noindex === 1,
    canonicalUrl: (overrides.canonical as string | undefined) ?? (row.canonical as string) ?? null,
    duplicateOf: (row.duplicate_url as string) ?? null,
    nearDuplicateOf: (row.near_url as string) ?? null,
    linkCount: Number(row.link_count ?? 0),
    note: String(row.note ?? ""),
    tags: JSON.parse(String(row.tags ?? "[]")),
  };
}

/** True if the latest crawl of the site could not determine the page's state; the page itself keeps what was known before. */
export const IS_UNKNOWN = `EXISTS (SELECT 1 FROM change c WHERE c.page_id = p.id AND c.status = 'unknown' AND c.run_id >= p.run_id AND c.run_id =
  (SELECT max(s.run_id) FROM run_site s JOIN run r ON r.id = s.run_id WHERE s.site_id = p.site_id AND r.kind = 'crawl'))`;
