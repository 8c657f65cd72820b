import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Page } from "../../records.ts";
import type { Heard, HeardAgain, HeardMore, HostNews, PageNews, Settled, SettledVisit, Settlement, VersionToKeep } from "../store.ts";
import { LEASE, type SqliteBacklog } from "./backlog.ts";
import { inTransaction, PAGE_COLUMNS, pageFrom, type Row, type Statements, toInt64, uuidv7 } from "./rows.ts";

const END_VISIT = `UPDATE decision SET verdict = :verdict, reason = :reason, rule = :rule, depth = :depth, status = :status,
  attempts = :attempts, is_out = 0, target = :target, page_id = coalesce(:page, page_id), at = :at, seq = :seq WHERE id = :id`;

/** A URL known only from pages that said nofollow is as good as new when another page names it. */
const HEAR = `INSERT INTO decision
  (run_id, hash, host_id, site_id, kind, url, key, depth, hops, via, parent_id, level, priority, verdict, reason, rule, at)
  VALUES (:run, :hash, :host, :site, :kind, :url, :key, :depth, :hops, :via, :parent, :level, :priority, :verdict, :reason, :rule, :at)
  ON CONFLICT (run_id, hash) DO UPDATE SET depth = :depth, hops = :hops, via = :via, parent_id = :parent, level = :level,
    priority = :priority, verdict = :verdict, reason = :reason, rule = :rule, at = :at, mentions = mentions + 1
  WHERE decision.reason = 'meta.nofollow' AND :reason <> 'meta.nofollow'
  RETURNING id`;

const HEAR_AGAIN = `UPDATE decision SET depth = :depth, level = :level, priority = :priority, mentions = :mentions,
  verdict = iif(:requeue, 'queued', verdict), reason = iif(:requeue, 'ok', reason), rule = iif(:requeue, '', rule) WHERE id = :id`;

/** What failed before, or crashed, stays where it was sunk to. */
const HEAR_MORE = `UPDATE decision SET mentions = ?, level = iif(verdict = 'queued' AND priority > -1e8, ?, level),
  priority = iif(verdict = 'queued' AND priority > -1e8, ?, priority) WHERE run_id = ? AND hash = ? RETURNING id, verdict`;

const HOST_NEWS = `UPDATE host SET next_at = iif(owner = :owner, :next, max(next_at, :next)), delay = :delay, cause = :cause,
  failures = :failures, owner = iif(:free, NULL, :owner), until = :until
  WHERE name = :host AND (owner IS NULL OR owner = :owner) RETURNING wanted_by IS NOT NULL AND wanted_by <> :owner AS wanted`;

const NEW_PAGE = `INSERT INTO page (uid, site_id, hash, host_id, url, depth, via, parent_url, status, content_type, change, run_id, seq,
    first_run_id, first_seen_at, fetched_at, changed_at, duration, bytes, etag, last_modified, moved_to, reader,
    duplicate_of, near_duplicate_of)
  VALUES (:uid, :site, :hash, (SELECT host_id FROM decision WHERE id = :decision), :url, :depth, :via, :parent, :status, :type, :change, :run, :seq,
    :run, :at, :at, :at, :duration, :bytes, :etag, :modified, :moved, :reader, :twin, :near) RETURNING id`;

const SEEN_PAGE = `UPDATE page SET depth = :depth, via = :via, parent_url = :parent, status = :status,
  content_type = coalesce(:type, content_type), change = :change, run_id = :run, seq = :seq, previous_at = fetched_at, fetched_at = :at,
  changed_at = iif(:change IN ('same', 'unlinked'), changed_at, :at), duration = :duration, bytes = iif(:cached, bytes, :bytes), from_cache = :cached,
  etag = iif(:cached, coalesce(:etag, etag), :etag), last_modified = iif(:cached, coalesce(:modified, last_modified), :modified),
  moved_to = :moved, is_gone = (:change = 'gone'), reader = :reader,
  duplicate_of = iif(:isNewVersion, :twin, duplicate_of), near_duplicate_of = iif(:isNewVersion, :near, near_duplicate_of) WHERE id = :id`;

const NEW_VERSION = `INSERT INTO page_version (page_id, number, run_id, fetched_at, type, charset, metadata, canonical, noindex, nofollow,
    text_hash, links_hash, simhash, word_count, link_count, body_hash, link_index, links)
  VALUES (:page, 1 + coalesce((SELECT max(number) FROM page_version WHERE page_id = :page), 0), :run, :at, :type, :charset, :metadata,
    :canonical, :noindex, :nofollow, :text, :links, :simhash, :words, :linkCount, :body, :index, :packed) RETURNING id`;

const PAGE = `SELECT ${PAGE_COLUMNS} FROM page p LEFT JOIN page_version v ON v.id = p.version_id WHERE p.id = ?`;

const CHANGE = `INSERT OR REPLACE INTO change (run_id, page_id, status, at, from_version, to_version, detail) VALUES (?, ?, ?, ?, ?, ?, ?)`;

export interface SettleContext {
  readonly db: Database;
  readonly sql: Statements;
  readonly backlog: SqliteBacklog;
}

/** Everything a batch of visits taught us, in one transaction: this single fact makes `kill -9` harmless. */
export function settle(context: SettleContext, settlement: Settlement): Settled {
  return inTransaction(context.db, () => {
    const { sql } = context;
    context.backlog.recordGoingOut();
    let seq = Number((sql.get("SELECT seq FROM run WHERE id = ?").get(settlement.runId) as Row).seq);
    const pageIds: (number | undefined)[] = [];
    const pages = settlement.visits.map((visit) => {
      if (!visit.isRetry) seq += 1;
      const settled = settleVisit(context, settlement, visit, seq);
      pageIds.push(settled.pageId);
      return settled.page;
    });
    const heardIds = settlement.heard.map((heard) => hear(sql, settlement, heard));
    for (const again of settlement.again) hearAgain(sql, again);
    const waitingIds = settlement.more.map((more) => hearMore(sql, settlement.runId, more));
    for (const host of settlement.hosts) hostNews(context, settlement, host);
    sql
      .get("UPDATE run SET seq = ?, counters = ?, state = ?, alive_at = ? WHERE id = ?")
      .run(seq, JSON.stringify(settlement.counters), JSON.stringify(settlement.state), settlement.at, settlement.runId);
    return { heardIds, pageIds, waitingIds, pages };
  });
}

function settleVisit(
  context: SettleContext,
  { runId, at }: Settlement,
  visit: SettledVisit,
  seq: number,
): { pageId?: number; page?: () => Page } {
  const pageId = visit.page ? settlePage(context, { runId, at, seq, visit, news: visit.page }) : undefined;
  context.sql.named(END_VISIT).run({
    id: visit.candidate.id,
    verdict: visit.verdict,
    reason: visit.reason,
    rule: visit.rule,
    depth: visit.depth,
    status: visit.status ?? null,
    attempts: visit.attempts,
    target: visit.target ?? null,
    page: pageId ?? null,
    at,
    seq: visit.isRetry ? null : seq,
  });
  const { change, movedTo, version } = visit.page ?? {};
  if (pageId === undefined || change === "gone" || (change === "unknown" && !version) || movedTo !== undefined) return {};
  return { pageId, page: () => pageFrom(context.sql.get(PAGE).get(pageId) as Row) };
}

interface PageToSettle {
  readonly runId: number;
  readonly at: number;
  readonly seq: number;
  readonly visit: SettledVisit;
  readonly news: PageNews;
}

function settlePage(context: SettleContext, { runId, at, seq, visit, news }: PageToSettle): number {
  const { sql } = context;
  const { candidate, remembered } = visit;
  const common = {
    depth: visit.depth,
    via: candidate.via,
    parent: candidate.parent ?? null,
    status: news.status,
    type: news.contentType ?? null,
    change: news.change,
    run: runId,
    seq,
    at,
    duration: Math.round(news.duration),
    bytes: news.bytes,
    etag: news.etag ?? null,
    modified: news.lastModified ?? null,
    moved: news.movedTo ?? null,
    reader: news.reader,
    twin: news.duplicateOf ?? null,
    near: news.nearDuplicateOf ?? null,
  };
  let pageId = remembered?.pageId;
  if (news.change === "unknown" && !news.version && pageId !== undefined) {
    // Nothing was learned about the page itself: what we know of it stays as it is.
    sql.get(CHANGE).run(runId, pageId, news.change, at, remembered?.versionId ?? null, null, visit.rule);
    return pageId;
  }
  if (pageId === undefined) {
    const identity = { uid: uuidv7(at), site: candidate.siteId, hash: toInt64(candidate.hash), url: candidate.url, decision: candidate.id };
    pageId = Number((sql.named(NEW_PAGE).get({ ...common, ...identity }) as Row).id);
  } else sql.named(SEEN_PAGE).run({ ...common, cached: news.fromCache ? 1 : 0, isNewVersion: news.version ? 1 : 0, id: pageId });
  const versionId = news.version ? keepVersion(context, { pageId, runId, at }, news.version) : undefined;
  if (news.change !== "same") {
    const detail = news.movedTo === undefined ? visit.rule : `moved to ${news.movedTo}`;
    sql.get(CHANGE).run(runId, pageId, news.change, at, remembered?.versionId ?? null, versionId ?? null, detail);
  }
  return pageId;
}

interface VersionPlace {
  readonly pageId: number;
  readonly runId: number;
  readonly at: number;
}

function keepVersion(context: SettleContext, place: VersionPlace, version: VersionToKeep): number {
  const { sql } = context;
  const { body, fingerprint } = version;
  if (body.data) {
    const known = sql.get("SELECT 1 FROM body WHERE hash = ?").get(body.hash);
    if (!known)
      sql.get("INSERT INTO body (hash, size, coding, data) VALUES (?, ?, ?, ?)").run(body.hash, body.size, body.coding, body.data);
  }
  const { id } = sql.named(NEW_VERSION).get({
    page: place.pageId,
    run: place.runId,
    at: place.at,
    type: version.type,
    charset: version.charset,
    metadata: JSON.stringify(version.metadata),
    canonical: version.canonical ?? null,
    noindex: version.noindex ? 1 : 0,
    nofollow: version.nofollow ? 1 : 0,
    text: fingerprint.text,
    links: fingerprint.links,
    simhash: fingerprint.simhash,
    words: version.wordCount,
    linkCount: version.linkCount,
    body: body.hash,
    index: version.linkIndex,
    packed: version.packedLinks,
  }) as Row;
  const versionId = Number(id);
  sql
    .get("UPDATE page SET version_id = ?, text_hash = ?, links_hash = ?, simhash = ? WHERE id = ?")
    .run(versionId, fingerprint.text, fingerprint.links, fingerprint.simhash, place.pageId);
  keepLinks(sql, place, versionId, version);
  return versionId;
}

function keepLinks(sql: Statements, place: VersionPlace, versionId: number, version: VersionToKeep): void {
  const find = sql.get("SELECT id FROM link WHERE hash = ?");
  const add = sql.get("INSERT INTO link (hash, url) VALUES (?, ?) RETURNING id");
  const relate = sql.get(`INSERT INTO link_source (page_id, link_id, version_id, position, text, first_run_id) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (page_id, link_id) DO UPDATE SET position = iif(version_id = excluded.version_id, position, excluded.position),
      text = iif(version_id = excluded.version_id AND text <> '', text, excluded.text), version_id = excluded.version_id`);
  for (const link of version.links) {
    const hash = toInt64(link.hash);
    const row = (find.get(hash) ?? add.get(hash, link.url)) as Row;
    relate.run(place.pageId, row.id as number, versionId, link.position, link.text, place.runId);
  }
  sql.get("DELETE FROM link_source WHERE page_id = ? AND version_id <> ?").run(place.pageId, versionId);
}

function hostId(sql: Statements, name: string): number {
  const known = sql.get("SELECT id FROM host WHERE name = ?").get(name) as Row | undefined;
  return Number((known ?? (sql.get("INSERT INTO host (name) VALUES (?) RETURNING id").get(name) as Row)).id);
}

function hear(sql: Statements, { runId, at }: Settlement, heard: Heard): number {
  const row = sql.named(HEAR).get({
    run: runId,
    hash: toInt64(heard.hash),
    host: hostId(sql, heard.host),
    site: heard.siteId,
    kind: heard.kind,
    url: heard.url,
    key: heard.key === heard.url ? null : heard.key,
    depth: heard.depth,
    hops: heard.hops,
    via: heard.via,
    parent: heard.parentId ?? null,
    level: heard.level,
    priority: heard.priority,
    verdict: heard.verdict,
    reason: heard.reason,
    rule: heard.rule,
    at,
  }) as Row | undefined;
  return Number(row?.id ?? 0);
}

function hearAgain(sql: Statements, again: HeardAgain): void {
  const { id, depth, level, priority, mentions } = again;
  sql.named(HEAR_AGAIN).run({ id, depth, level, priority, mentions, requeue: again.requeue ? 1 : 0 });
  if (again.isNearer)
    sql.get("UPDATE page SET depth = ? WHERE id = (SELECT page_id FROM decision WHERE id = ?) AND depth > ?").run(depth, id, depth);
}

function hearMore(sql: Statements, runId: number, { hash, mentions, level, priority }: HeardMore): number | undefined {
  const row = sql.get(HEAR_MORE).get(mentions, level, priority, runId, toInt64(hash)) as Row | undefined;
  return row?.verdict === "queued" ? Number(row.id) : undefined;
}

function hostNews({ sql, backlog }: SettleContext, { at }: Settlement, host: HostNews): void {
  const isKept = backlog.keeps(host.host);
  const row = sql.named(HOST_NEWS).get({
    host: host.host,
    next: at + Math.ceil(host.wait),
    delay: Math.ceil(Math.max(host.delay, host.wait)),
    cause: host.cause,
    failures: host.failures,
    free: host.isIdle && !isKept ? 1 : 0,
    owner: backlog.owner,
    until: at + LEASE,
  }) as Row | undefined;
  if (!isKept || row?.wanted !== 1) return;
  backlog.letGo(host.host);
  if (host.isIdle) sql.get("UPDATE host SET owner = NULL WHERE name = ? AND owner = ?").run(host.host, backlog.owner);
}
