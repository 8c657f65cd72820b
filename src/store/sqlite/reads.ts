import { fingerprintHash } from "../../analysis/dedupe/index.ts";
import type { Hash64, Page, Reason, Remembered, Verdict, Via } from "../../core/records.ts";
import type { Decision, Duplicate, LedgerRow, PageChange, PageFilter, PossibleDuplicate, Version } from "../store.ts";
import { IS_UNKNOWN, metadataFrom, PAGE_COLUMNS, PAGE_TABLES, pageFrom, type Row, type Statements, toInt64 } from "./rows.ts";

const PAGES = `SELECT ${PAGE_COLUMNS} FROM ${PAGE_TABLES}`;
const textOrUndefined = (value: unknown): string | undefined => (value === null || value === undefined ? undefined : String(value));

/** The stored state of a page, looked up in the run's sites. */
export function findStored(sql: Statements, siteIds: readonly number[], hash: Hash64, reader: string): Remembered | undefined {
  const rows = sql
    .get(`SELECT p.id, p.site_id, p.version_id, p.etag, p.last_modified, v.links_hash, v.text_hash, v.simhash, p.reader, p.is_gone, p.moved_to,
       p.content_type, p.history, v.body_hash, v.fetched_at, p.change, v.noindex, v.nofollow, r.engine FROM page p LEFT JOIN page_version v ON v.id = p.version_id
     LEFT JOIN rendered_version r ON r.version_id = p.version_id WHERE p.hash = ?`)
    .all(toInt64(hash)) as Row[];
  const row = rows.find((page) => siteIds.includes(Number(page.site_id)));
  if (!row) return undefined;
  const hasVersion = row.version_id !== null;
  return {
    pageId: Number(row.id),
    siteId: Number(row.site_id),
    versionId: hasVersion ? Number(row.version_id) : undefined,
    etag: textOrUndefined(row.etag),
    lastModified: textOrUndefined(row.last_modified),
    fingerprint: hasVersion ? { links: String(row.links_hash), text: String(row.text_hash), simhash: String(row.simhash) } : undefined,
    isCurrent: row.reader === reader && hasVersion && (row.is_gone === 0 || row.moved_to !== null),
    movedTo: textOrUndefined(row.moved_to),
    isGone: row.is_gone === 1 && row.moved_to === null,
    isUnlinked: row.change === "unlinked",
    noindex: row.noindex === 1,
    nofollow: row.nofollow === 1,
    readAt: hasVersion ? Number(row.fetched_at) : undefined,
    bodyHash: textOrUndefined(row.body_hash),
    contentType: textOrUndefined(row.content_type),
    ...(row.engine !== null && { isRendered: true }),
    history: (row.history as Uint8Array | null) ?? undefined,
  };
}

/**
 * Another page of the site with the same text and links that has not moved. Its depth in this run means that its links were processed
 * there, so it is not given for a nofollow page.
 */
export function findDuplicate(sql: Statements, runId: number, { siteId, hash, fingerprint }: PossibleDuplicate): Duplicate | undefined {
  const row = sql
    .get(
      `SELECT p.id, p.url, d.depth FROM page p JOIN page_version v ON v.id = p.version_id
       LEFT JOIN decision d ON d.run_id = ? AND d.hash = p.hash AND d.verdict IN ('fetched', 'not-modified') AND d.via <> 'probe' AND v.nofollow = 0
       WHERE p.print = ? AND v.text_hash = ? AND v.links_hash = ? AND p.site_id = ? AND p.hash <> ? AND p.is_gone = 0 AND p.moved_to IS NULL
       ORDER BY p.id LIMIT 1`,
    )
    .get(runId, toInt64(fingerprintHash(fingerprint)), fingerprint.text, fingerprint.links, siteId, toInt64(hash)) as Row | undefined;
  return row && { pageId: Number(row.id), url: String(row.url), depthInRun: row.depth === null ? undefined : Number(row.depth) };
}

const KNOWN_URLS = `SELECT max(id) AS last, group_concat(printf('%016x%04x%02x', hash, min(depth, 65535), min(mentions, 255)), '') AS digits
  FROM (SELECT id, hash, depth, mentions FROM decision WHERE +run_id = ? AND id > ? AND reason <> 'meta.nofollow' ORDER BY id LIMIT 16384)`;
const DIGITS = 22;

/**
 * Returns thousands of rows as one string of hex digits, because a restart reads them all and handing over a row costs ten times as much
 * as finding it. Rows come in disk order; the plus sign keeps SQLite from using the index.
 */
export function forEachKnownUrl(sql: Statements, runId: number, onEach: (hash: Hash64, depth: number, mentions: number) => void): void {
  const select = sql.uncached(KNOWN_URLS);
  const number = (digits: string, from: number, to: number) => Number.parseInt(digits.slice(from, to), 16);
  const { first } = sql.get("SELECT ledger_from AS first FROM run WHERE id = ?").get(runId) as Row;
  for (let row = select.get(runId, Number(first)) as Row; row.last !== null; row = select.get(runId, Number(row.last)) as Row) {
    const digits = String(row.digits);
    for (let at = 0; at < digits.length; at += DIGITS) {
      const hash = { hi: number(digits, at, at + 8), lo: number(digits, at + 8, at + 16) };
      onEach(hash, number(digits, at + 16, at + 20), number(digits, at + 20, at + 22));
    }
  }
}

export const LEDGER_ROW = "id, url, verdict, reason, rule, page_id, depth, mentions, target";

export function ledgerRow(sql: Statements, runId: number, hash: Hash64): LedgerRow | undefined {
  const row = sql.get(`SELECT ${LEDGER_ROW} FROM decision WHERE run_id = ? AND hash = ?`).get(runId, toInt64(hash)) as Row | undefined;
  return row && ledgerRowFrom(row);
}

export function ledgerRowFrom(row: Row): LedgerRow {
  return {
    id: Number(row.id),
    url: String(row.url),
    verdict: row.verdict as Verdict,
    reason: row.reason as Reason,
    rule: String(row.rule),
    pageId: row.page_id === null ? undefined : Number(row.page_id),
    depth: Number(row.depth),
    mentions: Number(row.mentions),
    target: textOrUndefined(row.target),
  };
}

function valueIn(field: string): string {
  return `coalesce(json_extract(pc.metadata, '$.${field}'), json_extract(v.metadata, '$.${field}.value'))`;
}

/** Sort orders of pages: the columns of the page table, and the order of settling. */
const SORTS: Readonly<Record<string, string>> = {
  id: "p.id",
  url: "p.url",
  status: "p.status",
  contentType: "p.content_type",
  depth: "p.depth",
  change: "p.change",
  title: valueIn("title"),
  titleSource: "json_extract(v.metadata, '$.title.source')",
  description: valueIn("description"),
  image: valueIn("image"),
  author: valueIn("author"),
  publishedAt: valueIn("publishedAt"),
  modifiedAt: valueIn("modifiedAt"),
  lang: `coalesce(${valueIn("lang")}, ${valueIn("language")})`,
  siteName: valueIn("siteName"),
  topics: valueIn("topics"),
  wordCount: `CAST(${valueIn("wordCount")} AS REAL)`,
  verdict: "m.verdict",
  fetched: "p.fetched_at",
  fetchedAt: "p.fetched_at",
  durationMs: "p.duration",
  bytes: "p.bytes",
  linkCount: "v.link_count",
  parentUrl: "p.parent_url",
  discoveredVia: "p.via",
  duplicateOf: "duplicate_url",
  canonicalUrl: "coalesce(json_extract(pc.metadata, '$.canonical'), v.canonical)",
  noindex: "v.noindex",
  crawlId: "p.run_id",
  seq: "p.seq",
  note: "pc.note",
  tags: "pc.tags",
};

/** True if neither the page nor a user gives a value. */
export const LACKS = `(json_extract(v.metadata, '$.' || ? || '.value') IS NULL
  AND NOT EXISTS (SELECT 1 FROM page_card pc WHERE pc.page_id = p.id AND json_extract(pc.metadata, '$.' || ?) IS NOT NULL))`;

export const pageSorts: readonly string[] = Object.keys(SORTS);

/** The run visited the page; later runs may have visited it, too. */
const IS_VISITED =
  "EXISTS (SELECT 1 FROM decision d WHERE d.run_id = ? AND d.hash = p.hash AND d.page_id = p.id AND d.verdict IN ('fetched', 'not-modified'))";

/** The page exists, and no other site has visited the same URL since. */
const IS_THERE = `p.is_gone = 0 AND NOT EXISTS (SELECT 1 FROM page o WHERE o.hash = p.hash AND o.site_id <> p.site_id
  AND o.version_id IS NOT NULL AND (o.fetched_at, o.id) > (p.fetched_at, p.id))`;

const WITH_UNKNOWN = PAGES.replace("SELECT ", `SELECT CASE WHEN ${IS_UNKNOWN} THEN 1 ELSE 0 END AS is_unknown, `);

function pageCondition(filter: PageFilter): { readonly where: string; readonly values: readonly (string | number)[] } {
  const where: string[] = ["p.version_id IS NOT NULL"];
  const values: (string | number)[] = [];
  const add = (clause: string, ...given: (string | number)[]) => {
    where.push(clause);
    values.push(...given);
  };
  if (filter.siteId !== undefined) add("p.site_id = ?", filter.siteId);
  if (filter.afterSeq !== undefined) add("p.seq > ?", filter.afterSeq);
  if (filter.runId !== undefined && filter.afterSeq !== undefined) add("p.run_id = ?", filter.runId);
  else if (filter.runId !== undefined) add(`(p.run_id = ? OR ${IS_VISITED})`, filter.runId, filter.runId);
  if (filter.url !== undefined) add("instr(p.url, ?) > 0", filter.url);
  const wantsUnknown = filter.change?.includes("unknown") ?? false;
  if (filter.change?.length) {
    const isOne = `p.change IN (${filter.change.map(() => "?").join(", ")})`;
    add(wantsUnknown ? `(${isOne} OR ${IS_UNKNOWN})` : isOne, ...filter.change);
  }
  if (filter.isThere) add(IS_THERE);
  if (filter.isGone !== undefined) add(`p.is_gone = ${filter.isGone ? 1 : 0}`);
  if (filter.since !== undefined) add("v.fetched_at >= ?", filter.since);
  if (filter.missing?.length) {
    add(`v.type = 'html' AND (${filter.missing.map(() => LACKS).join(" OR ")})`, ...filter.missing.flatMap((field) => [field, field]));
  }
  return { where: where.join(" AND "), values };
}

export function countPages(sql: Statements, filter: PageFilter): number {
  const { where, values } = pageCondition(filter);
  return Number((sql.uncached(`SELECT count(*) AS pages FROM ${PAGE_TABLES} WHERE ${where}`).get(...values) as Row).pages);
}

export function* pages(sql: Statements, filter: PageFilter): Generator<Page> {
  const { where, values } = pageCondition(filter);
  const sort = filter.sort ?? "id";
  // Missing values come first in ascending order, in every database.
  const direction = sort.startsWith("-") ? "DESC NULLS LAST" : "NULLS FIRST";
  const column = SORTS[sort.replace(/^-/, "")] ?? "p.id";
  const order = column === "p.id" ? `p.id${sort.startsWith("-") ? " DESC" : ""}` : `${column} ${direction}, p.id`;
  const wantsUnknown = filter.change?.includes("unknown") ?? false;
  const select = `${wantsUnknown ? WITH_UNKNOWN : PAGES} WHERE ${where} ORDER BY ${order} LIMIT ?`;
  for (const row of sql.each(select, ...values, filter.limit ?? -1)) {
    const page = pageFrom(row);
    yield wantsUnknown && Number(row.is_unknown) === 1 ? { ...page, change: "unknown" } : page;
  }
}

export function page(sql: Statements, by: { id: number } | { hash: Hash64 }): Page | undefined {
  const row =
    "id" in by
      ? sql.get(`${PAGES} WHERE p.id = ?`).get(by.id)
      : sql.get(`${PAGES} WHERE p.hash = ? ORDER BY p.fetched_at DESC`).get(toInt64(by.hash));
  return row ? pageFrom(row as Row) : undefined;
}

/** Without their links, which are larger than all other columns together. */
const VERSIONS = `SELECT id, number, run_id, fetched_at, metadata, text_hash, links_hash, simhash, body_hash, word_count, link_count, charset, type,
    engine, picture_hash FROM page_version LEFT JOIN rendered_version ON version_id = id WHERE page_id = ? ORDER BY number DESC`;

export function versions(sql: Statements, pageId: number): Version[] {
  return (sql.get(VERSIONS).all(pageId) as Row[]).map((row) => ({
    id: Number(row.id),
    number: Number(row.number),
    runId: Number(row.run_id),
    fetchedAt: Number(row.fetched_at),
    metadata: metadataFrom(row.metadata),
    fingerprint: { links: String(row.links_hash), text: String(row.text_hash), simhash: String(row.simhash) },
    bodyHash: row.body_hash as string | null,
    wordCount: Number(row.word_count),
    linkCount: Number(row.link_count),
    charset: String(row.charset),
    type: String(row.type),
    renderedBy: row.engine as string | null,
    hasScreenshot: row.picture_hash !== null,
  }));
}

export const DECISION_COLUMNS = `d.id, d.run_id, d.url, d.key, d.kind, d.verdict, d.reason, d.rule, d.depth, d.via, d.parent_id, d.mentions,
  d.attempts, d.status, d.priority, d.at, d.seq, parent.url AS parent_url`;
export const WITH_PARENT = "LEFT JOIN decision parent ON parent.id = d.parent_id";
const DECISIONS = `SELECT ${DECISION_COLUMNS} FROM decision d ${WITH_PARENT}`;

export function decisionFrom(row: Row): Decision {
  return {
    id: Number(row.id),
    runId: Number(row.run_id),
    url: String(row.url),
    key: textOrUndefined(row.key) ?? String(row.url),
    kind: String(row.kind),
    verdict: row.verdict as Verdict,
    reason: row.reason as Reason,
    rule: String(row.rule),
    depth: Number(row.depth),
    via: row.via as Via,
    parentUrl: row.parent_url as string | null,
    parentId: row.parent_id as number | null,
    mentions: Number(row.mentions),
    attempts: Number(row.attempts),
    status: row.status as number | null,
    priority: Number(row.priority),
    at: Number(row.at),
    seq: row.seq as number | null,
  };
}

export interface DecisionFilter {
  readonly siteId?: number | undefined;
  readonly runId?: number | undefined;
  readonly hash?: Hash64 | undefined;
  readonly verdict?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly limit?: number | undefined;
}

export function* decisions(sql: Statements, filter: DecisionFilter): Generator<Decision> {
  const where: string[] = ["1"];
  const values: (string | number | bigint)[] = [];
  const add = (clause: string, ...given: (string | number | bigint)[]) => {
    where.push(clause);
    values.push(...given);
  };
  if (filter.runId !== undefined) add("d.run_id = ?", filter.runId);
  if (filter.siteId !== undefined) add("d.site_id = ?", filter.siteId);
  if (filter.hash !== undefined) add("d.hash = ?", toInt64(filter.hash));
  if (filter.verdict?.length) add(`d.verdict IN (${filter.verdict.map(() => "?").join(", ")})`, ...filter.verdict);
  if (filter.reason !== undefined) add("(d.reason = ? OR d.reason LIKE ? || '.%')", filter.reason, filter.reason);
  const select = `${DECISIONS} WHERE ${where.join(" AND ")} ORDER BY d.run_id DESC, d.id LIMIT ?`;
  for (const row of sql.each(select, ...values, filter.limit ?? -1)) yield decisionFrom(row);
}

export function decision(sql: Statements, id: number): Decision | undefined {
  const row = sql.get(`${DECISIONS} WHERE d.id = ?`).get(id) as Row | undefined;
  return row && decisionFrom(row);
}

export function* changes(sql: Statements, runId: number, siteId?: number): Generator<PageChange> {
  const select = `SELECT c.run_id, c.page_id, c.status, c.at, c.from_version, c.to_version, c.detail, p.url, m.verdict, coalesce(pc.metadata ->> '$.title', v.metadata ->> '$.title.value') AS title,
      coalesce(pc.note, '') AS note, coalesce(pc.tags, '[]') AS tags FROM change c LEFT JOIN page_card pc ON pc.page_id = c.page_id
    JOIN page p ON p.id = c.page_id LEFT JOIN page_version v ON v.id = p.version_id
    LEFT JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id WHERE c.run_id = ?1 AND (?2 IS NULL OR p.site_id = ?2)
    UNION ALL SELECT run_id, page_id, status, at, NULL, NULL, detail, url, NULL, title, '', '[]' FROM removed_change
    WHERE run_id = ?1 AND (?2 IS NULL OR site_id = ?2) ORDER BY status, url`;
  for (const row of sql.each(select, runId, siteId ?? null)) {
    yield {
      runId: Number(row.run_id),
      pageId: Number(row.page_id),
      url: String(row.url),
      change: row.status as PageChange["change"],
      title: row.title as string | null,
      at: Number(row.at),
      fromVersion: row.from_version as number | null,
      toVersion: row.to_version as number | null,
      detail: String(row.detail),
      verdict: row.verdict as PageChange["verdict"],
      note: String(row.note),
      tags: JSON.parse(String(row.tags)),
    };
  }
}
