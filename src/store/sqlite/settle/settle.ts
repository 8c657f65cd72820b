import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { fingerprintHash } from "../../../analysis/dedupe/index.ts";
import type { Page } from "../../../core/records.ts";
import type { IndexedPage } from "../../search.ts";
import type {
  HostUpdate,
  LinksPart,
  MentionUpdate,
  NewUrl,
  PageUpdate,
  SettledVisit,
  Settlement,
  SettleResult,
  UpdatedRow,
} from "../../settlement.ts";
import { LEASE_MS, type SqliteBacklog } from "../backlog.ts";
import { saveBody } from "../bodies.ts";
import { saveExchange } from "../exchanges.ts";
import { onPage } from "../link-reads.ts";
import { saveReadMetadata } from "../metadata.ts";
import { saveRendered } from "../rendering.ts";
import { inTransaction, pageFrom, type Row, type Statements, toInt64, uuidv7 } from "../rows.ts";
import { saveExtraSeeds } from "./extra-seeds.ts";
import type { IndexQueue } from "./index-queue.ts";
import { type LinkIds, LinkRows } from "./link-rows.ts";
import { saveHint } from "./observations.ts";
import type { OldVersions } from "./old-versions.ts";
import { endVisit, insertPage, insertUrl, insertVersion, updatePage } from "./settle-rows.ts";
import { CHANGE, PAGE, REPLACE_NOFOLLOW, REREAD, UPDATE_COUNT, UPDATE_HOST, UPDATE_MENTIONS, UPDATE_URL } from "./settle-statements.ts";

export interface SettleContext {
  readonly db: Database;
  readonly sql: Statements;
  readonly backlog: SqliteBacklog;
  readonly old?: OldVersions;
  readonly words?: IndexQueue;
}

/** Ids of the links of a page that was settled in part, while no other connection has written to the file. */
interface KnownLinkIds {
  readonly dataVersion: number;
  readonly ids: LinkIds;
}

const knownLinkIds = new WeakMap<Database, KnownLinkIds>();

/** Everything a batch of visits taught us, in one transaction: this single fact makes `kill -9` harmless. */
export function settle(context: SettleContext, settlement: Settlement): SettleResult {
  const { db, sql } = context;
  context.words?.flushIfFull();
  const known = knownLinkIds.get(db);
  knownLinkIds.delete(db);
  const { settled, words, linkIds } = inTransaction(db, () => {
    const dataVersion = known || settlement.links ? Number((sql.get("PRAGMA data_version").get() as Row).data_version) : 0;
    // A copy, because the transaction may be rolled back and repeated.
    const ids: LinkIds = new Map(known?.dataVersion === dataVersion ? known.ids : []);
    const settling = new Settling(context, settlement, ids);
    return { settled: settling.settle(), words: settling.words, linkIds: { dataVersion, ids } };
  });
  if (settlement.links) knownLinkIds.set(db, linkIds);
  context.words?.add(words);
  return settled;
}

/** One transaction. There is no other writer meanwhile, so it can assign row ids itself, and look up each host id once. */
class Settling {
  readonly #sql: Statements;
  readonly #backlog: SqliteBacklog;
  readonly #oldVersions: OldVersions | undefined;
  readonly #settlement: Settlement;
  readonly #hostIds = new Map<string, number>();
  readonly #newPage: () => number;
  readonly #newVersion: () => number;
  #links: LinkRows | undefined;
  readonly #linkIds: LinkIds;
  #notUnfollowed = 0;
  /** Words of the stored pages, for the index. */
  readonly words: IndexedPage[] = [];

  constructor({ sql, backlog, old: oldVersions }: SettleContext, settlement: Settlement, linkIds: LinkIds) {
    this.#sql = sql;
    this.#linkIds = linkIds;
    this.#oldVersions = oldVersions;
    this.#backlog = backlog;
    this.#settlement = settlement;
    this.#newPage = sql.dialect.ids.start(sql, "page");
    this.#newVersion = sql.dialect.ids.start(sql, "page_version");
  }

  settle(): SettleResult {
    const { runId, at, visits, heard: added, again: updated, more, hosts, counters, state } = this.#settlement;
    // Ids of 0 and below stand for requests outside a run: only their hosts are updated.
    let seq = runId <= 0 ? 0 : Number((this.#sql.get("SELECT seq FROM run WHERE id = ?").get(runId) as Row).seq);
    const pageIds: (number | undefined)[] = [];
    const seqs: (number | undefined)[] = [];
    const pages = visits.map((visit) => {
      if (!visit.isRetry) seq += 1;
      const settled = this.#settleVisit(visit, seq);
      pageIds.push(settled.pageId);
      seqs.push(visit.isRetry ? undefined : seq);
      return settled.page;
    });
    const heardIds = added.map((one) => this.#insertUrl(one));
    for (const one of updated) this.#updateUrl(one);
    const waitingIds = more.map((one) => this.#countMention(one));
    for (const host of hosts) this.#updateHost(host);
    this.#sql
      .get("UPDATE run SET seq = ?, counters = ?, state = ?, out = ?, alive_at = ? WHERE id = ?")
      .run(seq, JSON.stringify(counters), JSON.stringify(state), this.#backlog.inFlight, at, runId);
    saveExtraSeeds(this.#sql, this.#settlement);
    if (this.#settlement.memory !== undefined) this.#saveMemory(this.#settlement.memory);
    for (const update of this.#settlement.hints ?? []) saveHint(this.#sql, update);
    for (const exchange of this.#settlement.exchanges ?? []) saveExchange(this.#sql, runId, exchange);
    if (this.#settlement.links) this.#storeLinksPart(this.#settlement.links);
    this.#links?.flush();
    const notUnfollowed = this.#notUnfollowed;
    return {
      heardIds,
      notUnfollowed,
      pageIds,
      seqs,
      queuedIds: waitingIds,
      pages,
      newLinks: this.#links?.newLinks ?? [],
      linksOf: (pageId) => onPage(this.#sql, pageId),
    };
  }

  #storeLinksPart({ page, links, linkIndex, part }: LinksPart): void {
    const rows = this.#linkRows();
    const { runId } = this.#settlement;
    if (page) rows.store({ ...page, runId, versionId: 0, isFirst: false, linkIndex }, links, part);
    else rows.storeUrls(links);
  }

  #saveMemory(memory: unknown): void {
    this.#sql
      .get("INSERT OR REPLACE INTO meta (key, value) VALUES ('memory.' || ?, ?)")
      .run(String(this.#settlement.runId), JSON.stringify(memory));
  }

  #settleVisit(visit: SettledVisit, seq: number): { pageId?: number; page?: () => Page } {
    const pageId = visit.page ? this.#settlePage(visit, visit.page, seq) : undefined;
    this.#backlog.visitEnded(visit.candidate.id);
    endVisit(this.#sql, visit, { page: pageId ?? null, at: this.#settlement.at, seq: visit.isRetry ? null : seq });
    if (visit.respelt !== undefined) this.#changeSpelling(visit.candidate, visit.respelt);
    const { change, movedTo, version } = visit.page ?? {};
    const hasNothing = change !== "gone" && ((change === "unknown" && !version) || movedTo !== undefined);
    if (pageId === undefined || hasNothing) return {};
    const sql = this.#sql;
    return { pageId, page: () => pageFrom(sql.get(PAGE).get(pageId) as Row) };
  }

  #changeSpelling({ id, key, hops }: SettledVisit["candidate"], url: string): void {
    this.#sql.get("UPDATE decision SET url = ?, key = ?, hops = ? WHERE id = ?").run(url, key === url ? null : key, hops + 1, id);
  }

  #settlePage(visit: SettledVisit, update: PageUpdate, seq: number): number {
    const { runId, at } = this.#settlement;
    const { candidate, remembered } = visit;
    const before = remembered?.versionId ?? null;
    if (update.change === "unknown" && !update.version && remembered) {
      // Nothing was learned about the page itself, so its stored state stays.
      this.#sql.get(CHANGE).get(runId, remembered.pageId, update.change, at, before, null, visit.rule);
      return remembered.pageId;
    }
    const isNew = remembered === undefined;
    const id = isNew ? this.#newPage() : remembered.pageId;
    const version = update.version ? (update.isReread ? before : this.#newVersion()) : null;
    const values = {
      id,
      depth: visit.depth,
      via: candidate.via,
      parent: candidate.parent ?? null,
      status: update.status,
      type: update.contentType ?? null,
      change: update.change,
      run: runId,
      seq,
      at,
      duration: Math.round(update.duration),
      bytes: update.bytes,
      etag: update.etag ?? null,
      modified: update.lastModified ?? null,
      moved: update.movedTo ?? null,
      reader: update.reader,
      twin: update.duplicateOf ?? null,
      near: update.nearDuplicateOf ?? null,
      version,
      print: update.version ? toInt64(fingerprintHash(update.version.fingerprint)) : null,
      pageType: update.version?.metadata.type?.value ?? null,
      cached: update.fromCache ? 1 : 0,
      history: update.history ?? null,
      uid: isNew ? uuidv7(at) : null,
      site: candidate.siteId,
      hash: isNew ? toInt64(candidate.hash) : null,
      host: isNew ? this.#hostId(candidate.host) : null,
      url: candidate.url,
    };
    if (isNew) insertPage(this.#sql, values);
    else updatePage(this.#sql, values, update.change === "same" && version === null);
    const page = { pageId: id, siteId: remembered?.siteId ?? candidate.siteId };
    if (version !== null) this.#storeVersion(version, page, update, isNew);
    if (version !== null && update.version?.read) saveReadMetadata(this.#sql, { pageId: id, versionId: version }, update.version.read, at);
    if (version !== null && update.version?.words) this.words.push({ pageId: id, versionId: version, words: update.version.words });
    const shown = version ?? before;
    if (update.rendered && shown !== null) saveRendered(this.#sql, shown, update.rendered);
    if (update.change === "gone") this.#linkRows().markAllGone({ ...page, runId });
    if (update.change !== "same") {
      const detail = update.movedTo === undefined ? (update.detail ?? visit.rule) : `moved to ${update.movedTo}`;
      this.#sql.get(CHANGE).get(runId, id, update.change, at, before, version, detail);
    }
    return id;
  }

  #storeVersion(id: number, { pageId, siteId }: { pageId: number; siteId: number }, update: PageUpdate, isFirst: boolean): void {
    const sql = this.#sql;
    const { runId, at } = this.#settlement;
    const version = update.version!;
    const { body, fingerprint } = version;
    if (body.data && !update.isReread) saveBody(sql, body);
    const last = isFirst ? undefined : (sql.get("SELECT max(number) AS number FROM page_version WHERE page_id = ?").get(pageId) as Row);
    const values = {
      id,
      page: pageId,
      number: 1 + Number(last?.number ?? 0),
      run: runId,
      at,
      type: version.type,
      charset: version.charset,
      metadata: JSON.stringify(version.metadata),
      extracted: version.read ? 1 : 0,
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
    };
    if (update.isReread) sql.named(REREAD).run(values);
    else insertVersion(sql, values);
    this.#oldVersions?.drop(pageId, 1 + Number(last?.number ?? 0), this.#settlement.keepVersions ?? Number.POSITIVE_INFINITY);
    if (!this.#settlement.judge && version.links.length === 0) {
      if (!isFirst) sql.get("DELETE FROM link_source WHERE page_id = ?").run(pageId);
      return;
    }
    if (this.#settlement.linksWritten?.has(pageId)) return;
    const page = { pageId, siteId, runId, versionId: id, isFirst, linkIndex: version.linkIndex };
    this.#linkRows().store(page, version.links);
  }

  #linkRows(): LinkRows {
    this.#links ??= new LinkRows(this.#sql, this.#settlement.judge, this.#linkIds);
    return this.#links;
  }

  #hostId(name: string): number {
    let id = this.#hostIds.get(name);
    if (id !== undefined) return id;
    const find = this.#sql.get("SELECT id FROM host WHERE name = ?");
    const add = this.#sql.get("INSERT INTO host (name) VALUES (?) ON CONFLICT DO NOTHING RETURNING id");
    id = Number(((find.get(name) ?? add.get(name) ?? find.get(name)) as Row).id);
    this.#hostIds.set(name, id);
    return id;
  }

  /** The row id; 0 if the URL was known. */
  #insertUrl(added: NewUrl): number {
    const { runId, at } = this.#settlement;
    const values = {
      run: runId,
      hash: toInt64(added.hash),
      host: this.#hostId(added.host),
      site: added.siteId,
      kind: added.kind,
      url: added.url,
      key: added.key === added.url ? null : added.key,
      depth: added.depth,
      hops: added.hops,
      via: added.via,
      parent: added.parentId ?? null,
      level: added.level,
      priority: added.priority,
      verdict: added.verdict,
      reason: added.reason,
      rule: added.rule,
      at,
    };
    const { changes, lastInsertRowid } = insertUrl(this.#sql, values);
    if (changes === 1) return Number(lastInsertRowid);
    const id = Number(this.#sql.named(REPLACE_NOFOLLOW).get(values)?.id ?? 0);
    if (id !== 0 || added.reason === "meta.nofollow") this.#notUnfollowed += 1;
    return id;
  }

  #updateUrl(updated: UpdatedRow): void {
    const { id, depth, level, priority, mentions } = updated;
    this.#sql.named(UPDATE_URL).run({ id, depth, level, priority, mentions, requeue: updated.requeue ? 1 : 0 });
    if (updated.isNearer)
      this.#sql.get("UPDATE page SET depth = ? WHERE id = (SELECT page_id FROM decision WHERE id = ?) AND depth > ?").run(depth, id, depth);
  }

  #countMention({ hash, mentions, place }: MentionUpdate): number | undefined {
    const { runId } = this.#settlement;
    const row = (
      place
        ? this.#sql.get(UPDATE_MENTIONS).get(mentions, place.level, place.priority, runId, toInt64(hash))
        : this.#sql.get(UPDATE_COUNT).get(mentions, runId, toInt64(hash))
    ) as Row | undefined;
    return row?.verdict === "queued" ? Number(row.id) : undefined;
  }

  #updateHost(host: HostUpdate): void {
    const { at } = this.#settlement;
    const backlog = this.#backlog;
    const isKept = backlog.keepsLease(host.host);
    const row = this.#sql.named(UPDATE_HOST).get({
      host: host.host,
      next: at + Math.ceil(host.wait),
      delay: Math.ceil(Math.max(host.delay, host.wait)),
      cause: host.cause,
      failures: host.failures,
      free: host.isIdle && !isKept ? 1 : 0,
      owner: backlog.owner,
      until: at + LEASE_MS,
    });
    if (!isKept || row?.wanted !== 1) return;
    backlog.dropLease(host.host);
    if (host.isIdle) this.#sql.get("UPDATE host SET owner = NULL WHERE name = ? AND owner = ?").run(host.host, backlog.owner);
  }
}
