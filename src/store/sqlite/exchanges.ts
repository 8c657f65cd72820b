import type { Exchange, ExchangeRange, ExchangeStore, PageResponse, StoredExchange, Truncated } from "../exchanges.ts";
import { saveBody } from "./bodies.ts";
import type { Row, Statements } from "./rows.ts";

const SAVE = `INSERT INTO exchange (run_id, site_id, url, at, status, address, request, response, body_hash, truncated)
  VALUES (:run, :site, :url, :at, :status, :address, :request, :response, :body, :truncated)`;

const IN_RANGE = "(:site IS NULL OR site_id = :site) AND (:run IS NULL OR run_id = :run)";

const ORIGINAL = `SELECT * FROM exchange WHERE body_hash = :body AND url = :url AND status BETWEEN 200 AND 299
  AND (:before IS NULL OR id < :before) AND ${IN_RANGE} ORDER BY id LIMIT 1`;

/**
 * A rendered page is not a response of its server. If a page was found unchanged later, its validators are those of the latest response,
 * whose body may differ in noise, so they are left out.
 */
const PAGE_RESPONSES = `SELECT p.url, v.fetched_at AS at, p.status, p.content_type, v.body_hash,
    iif(p.fetched_at = v.fetched_at, p.etag, NULL) AS etag, iif(p.fetched_at = v.fetched_at, p.last_modified, NULL) AS last_modified
  FROM page p JOIN page_version v ON v.id = p.version_id
  WHERE p.is_gone = 0 AND (:site IS NULL OR p.site_id = :site) AND (:run IS NULL OR p.run_id = :run)
    AND NOT EXISTS (SELECT 1 FROM exchange e WHERE e.body_hash = v.body_hash AND e.url = p.url AND e.status BETWEEN 200 AND 299
      AND (:run IS NULL OR e.run_id = :run))
    AND NOT EXISTS (SELECT 1 FROM rendered_version WHERE version_id = v.id)
  ORDER BY p.id`;

/** Call within a transaction. A body that is not stored is not referenced. */
export function saveExchange(sql: Statements, runId: number, exchange: Exchange): void {
  const { siteId, body, address, request, response, truncated, ...plain } = exchange;
  const isStored = body !== undefined && saveBody(sql, body);
  sql.named(SAVE).run({
    ...plain,
    run: runId,
    site: siteId,
    address: address ?? null,
    request: Buffer.from(request, "latin1"),
    response: Buffer.from(response, "latin1"),
    body: isStored ? body.hash : null,
    truncated: truncated ?? null,
  });
}

export function openExchanges(sql: Statements): ExchangeStore {
  const given = ({ siteId, runId }: ExchangeRange) => ({ site: siteId ?? null, run: runId ?? null });
  return {
    async *all(range) {
      for (const row of sql.each(`SELECT * FROM exchange WHERE ${IN_RANGE} ORDER BY id`, given(range))) yield exchangeFrom(row);
    },
    findOriginal: async ({ url, bodyHash }, range, before) => {
      const row = sql.named(ORIGINAL).get({ ...given(range), url, body: bodyHash, before: before ?? null });
      return row && exchangeFrom(row);
    },
    async *pageResponses(range) {
      for (const row of sql.each(PAGE_RESPONSES, given(range))) yield pageResponseFrom(row);
    },
  };
}

const latin1 = (value: unknown) => Buffer.from(value as Uint8Array).toString("latin1");

const exchangeFrom = (row: Row): StoredExchange => ({
  id: Number(row.id),
  runId: Number(row.run_id),
  siteId: Number(row.site_id),
  url: String(row.url),
  at: Number(row.at),
  status: Number(row.status),
  address: (row.address as string | null) ?? undefined,
  request: latin1(row.request),
  response: latin1(row.response),
  bodyHash: (row.body_hash as string | null) ?? undefined,
  truncated: (row.truncated as Truncated | null) ?? undefined,
});

const pageResponseFrom = (row: Row): PageResponse => ({
  url: String(row.url),
  at: Number(row.at),
  status: Number(row.status),
  contentType: (row.content_type as string | null) ?? undefined,
  etag: (row.etag as string | null) ?? undefined,
  lastModified: (row.last_modified as string | null) ?? undefined,
  bodyHash: (row.body_hash as string | null) ?? undefined,
});
