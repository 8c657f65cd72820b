import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { printOf } from "../../dedupe/index.ts";
import type { Page } from "../../records.ts";
import type { IndexedPage } from "../search.ts";
import type { Heard, HeardAgain, HeardMore, HostNews, LinksAhead, PageNews, Settled, SettledVisit, Settlement } from "../settlement.ts";
import { LEASE, type SqliteBacklog } from "./backlog.ts";
import { keepBody } from "./bodies.ts";
import { keepExchange } from "./exchanges.ts";
import { keepHomes } from "./homes.ts";
import { onPage } from "./link-reads.ts";
import { LinkRows } from "./link-rows.ts";
import { keepHint } from "./looks.ts";
import { keepRead } from "./metadata.ts";
import type { OldVersions } from "./old-versions.ts";
import { keepRendered } from "./rendering.ts";
import { inTransaction, pageFrom, type Row, type Statements, toInt64, uuidv7 } from "./rows.ts";
import { endVisit, insertHeard, insertPage, insertVersion, updatePage } from "./settle-rows.ts";
import { CHANGE, COUNT_MORE, HEAR_AGAIN, HEAR_ANEW, HEAR_MORE, HOST_NEWS, PAGE, REREAD } from "./settle-statements.ts";
import type { WaitingWords } from "./waiting-words.ts";

export interface SettleContext {
  readonly db: Database;
  readonly sql: Statements;
  readonly backlog: SqliteBacklog;
  readonly old?: OldVersions;
  readonly words?: WaitingWords;
}

/** Everything a batch of visits taught us, in one transaction: this single fact makes `kill -9` harmless. */
export function settle(context: SettleContext, settlement: Settlement): Settled {
  context.words?.makeRoom();
  const { settled, words } = inTransaction(context.db, () => {
    const settling = new Settling(context, settlement);
    return { settled: settling.settle(), words: settling.words };
  });
  context.words?.add(words);
  return settled;
}

/** One transaction. There is no other writer meanwhile, so it can assign row ids itself, and look up each host id once. */
class Settling {
  readonly #sql: Statements;
  readonly #backlog: SqliteBacklog;
  readonly #old: OldVersions | undefined;
  readonly #settlement: Settlement;
  readonly #hostIds = new Map<string, number>();
  readonly #newPage: () => number;
  readonly #newVersion: () => number;
  #links: LinkRows | undefined;
  #notUnfollowed = 0;
  /** Words of the stored pages, for the index. */
  readonly words: IndexedPage[] = [];

  constructor({ sql, backlog, old }: SettleContext, settlement: Settlement) {
    this.#sql = sql;
    this.#old = old;
    this.#backlog = backlog;
    this.#settlement = settlement;
    this.#newPage = sql.ways.numbers.begin(sql, "page");
    this.#newVersion = sql.ways.numbers.begin(sql, "page_version");
  }

  settle(): Settled {
    const { runId, at, visits, heard, again, more, hosts, counters, state } = this.#settlement;
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
    const heardIds = heard.map((one) => this.#hear(one));
    for (const one of again) this.#hearAgain(one);
    const waitingIds = more.map((one) => this.#hearMore(one));
    for (const host of hosts) this.#hostNews(host);
    this.#sql
      .get("UPDATE run SET seq = ?, counters = ?, state = ?, out = ?, alive_at = ? WHERE id = ?")
      .run(seq, JSON.stringify(counters), JSON.stringify(state), this.#backlog.out, at, runId);
    keepHomes(this.#sql, this.#settlement);
    if (this.#settlement.memory !== undefined) this.#keep(this.#settlement.memory);
    for (const news of this.#settlement.hints ?? []) keepHint(this.#sql, news);
    for (const exchange of this.#settlement.exchanges ?? []) keepExchange(this.#sql, runId, exchange);
    if (this.#settlement.links) this.#keepAhead(this.#settlement.links);
    this.#links?.flush();
    const notUnfollowed = this.#notUnfollowed;
    return {
      heardIds,
      notUnfollowed,
      pageIds,
      seqs,
      waitingIds,
      pages,
      found: this.#links?.found ?? [],
      linksOf: (pageId) => onPage(this.#sql, pageId),
    };
  }

  #keepAhead({ page, links, linkIndex, part }: LinksAhead): void {
    const rows = this.#linkRows();
    const { runId } = this.#settlement;
    if (page) rows.keep({ ...page, runId, versionId: 0, isFirst: false, linkIndex }, links, part);
    else for (const link of links) rows.linkId(link);
  }

  #keep(memory: unknown): void {
    this.#sql
      .get("INSERT OR REPLACE INTO meta (key, value) VALUES ('memory.' || ?, ?)")
      .run(String(this.#settlement.runId), JSON.stringify(memory));
  }

  #settleVisit(visit: SettledVisit, seq: number): { pageId?: number; page?: () => Page } {
    const pageId = visit.page ? this.#settlePage(visit, visit.page, seq) : undefined;
    this.#backlog.cameBack(visit.candidate.id);
    endVisit(this.#sql, visit, { page: pageId ?? null, at: this.#settlement.at, seq: visit.isRetry ? null : seq });
    if (visit.respelt !== undefined) this.#respell(visit.candidate, visit.respelt);
    const { change, movedTo, version } = visit.page ?? {};
    const hasNothing = change !== "gone" && ((change === "unknown" && !version) || movedTo !== undefined);
    if (pageId === undefined || hasNothing) return {};
    const sql = this.#sql;
    return { pageId, page: () => pageFrom(sql.get(PAGE).get(pageId) as Row) };
  }

  #respell({ id, key, hops }: SettledVisit["candidate"], url: string): void {
    this.#sql.get("UPDATE decision SET url = ?, key = ?, hops = ? WHERE id = ?").run(url, key === url ? null : key, hops + 1, id);
  }

  #settlePage(visit: SettledVisit, news: PageNews, seq: number): number {
    const { runId, at } = this.#settlement;
    const { candidate, remembered } = visit;
    const before = remembered?.versionId ?? null;
    if (news.change === "unknown" && !news.version && remembered) {
      // Nothing was learned about the page itself, so its stored state stays.
      this.#sql.get(CHANGE).get(runId, remembered.pageId, news.change, at, before, null, visit.rule);
      return remembered.pageId;
    }
    const isNew = remembered === undefined;
    const id = isNew ? this.#newPage() : remembered.pageId;
    const version = news.version ? (news.isReread ? before : this.#newVersion()) : null;
    const values = {
      id,
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
      version,
      print: news.version ? toInt64(printOf(news.version.fingerprint)) : null,
      pageType: news.version?.metadata.type?.value ?? null,
      cached: news.fromCache ? 1 : 0,
      history: news.history ?? null,
      uid: isNew ? uuidv7(at) : null,
      site: candidate.siteId,
      hash: isNew ? toInt64(candidate.hash) : null,
      host: isNew ? this.#hostId(candidate.host) : null,
      url: candidate.url,
    };
    if (isNew) insertPage(this.#sql, values);
    else updatePage(this.#sql, values, news.change === "same" && version === null);
    const page = { pageId: id, siteId: remembered?.siteId ?? candidate.siteId };
    if (version !== null) this.#keepVersion(version, page, news, isNew);
    if (version !== null && news.version?.read) keepRead(this.#sql, { pageId: id, versionId: version }, news.version.read, at);
    if (version !== null && news.version?.words) this.words.push({ pageId: id, versionId: version, words: news.version.words });
    const shown = version ?? before;
    if (news.rendered && shown !== null) keepRendered(this.#sql, shown, news.rendered);
    if (news.change === "gone") this.#linkRows().forget({ ...page, runId });
    if (news.change !== "same") {
      const detail = news.movedTo === undefined ? (news.detail ?? visit.rule) : `moved to ${news.movedTo}`;
      this.#sql.get(CHANGE).get(runId, id, news.change, at, before, version, detail);
    }
    return id;
  }

  #keepVersion(id: number, { pageId, siteId }: { pageId: number; siteId: number }, news: PageNews, isFirst: boolean): void {
    const sql = this.#sql;
    const { runId, at } = this.#settlement;
    const version = news.version!;
    const { body, fingerprint } = version;
    if (body.data && !news.isReread) keepBody(sql, body);
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
    if (news.isReread) sql.named(REREAD).run(values);
    else insertVersion(sql, values);
    this.#old?.drop(pageId, 1 + Number(last?.number ?? 0), this.#settlement.keepVersions ?? Number.POSITIVE_INFINITY);
    if (!this.#settlement.judge && version.links.length === 0) {
      if (!isFirst) sql.get("DELETE FROM link_source WHERE page_id = ?").run(pageId);
      return;
    }
    if (this.#settlement.linksWritten?.has(pageId)) return;
    const page = { pageId, siteId, runId, versionId: id, isFirst, linkIndex: version.linkIndex };
    this.#linkRows().keep(page, version.links);
  }

  #linkRows(): LinkRows {
    this.#links ??= new LinkRows(this.#sql, this.#settlement.judge);
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
  #hear(heard: Heard): number {
    const { runId, at } = this.#settlement;
    const values = {
      run: runId,
      hash: toInt64(heard.hash),
      host: this.#hostId(heard.host),
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
    };
    const { changes, lastInsertRowid } = insertHeard(this.#sql, values);
    if (changes === 1) return Number(lastInsertRowid);
    const id = Number(this.#sql.named(HEAR_ANEW).get(values)?.id ?? 0);
    if (id !== 0 || heard.reason === "meta.nofollow") this.#notUnfollowed += 1;
    return id;
  }

  #hearAgain(again: HeardAgain): void {
    const { id, depth, level, priority, mentions } = again;
    this.#sql.named(HEAR_AGAIN).run({ id, depth, level, priority, mentions, requeue: again.requeue ? 1 : 0 });
    if (again.isNearer)
      this.#sql.get("UPDATE page SET depth = ? WHERE id = (SELECT page_id FROM decision WHERE id = ?) AND depth > ?").run(depth, id, depth);
  }

  #hearMore({ hash, mentions, place }: HeardMore): number | undefined {
    const { runId } = this.#settlement;
    const row = (
      place
        ? this.#sql.get(HEAR_MORE).get(mentions, place.level, place.priority, runId, toInt64(hash))
        : this.#sql.get(COUNT_MORE).get(mentions, runId, toInt64(hash))
    ) as Row | undefined;
    return row?.verdict === "queued" ? Number(row.id) : undefined;
  }

  #hostNews(host: HostNews): void {
    const { at } = this.#settlement;
    const backlog = this.#backlog;
    const isKept = backlog.keeps(host.host);
    const row = this.#sql.named(HOST_NEWS).get({
      host: host.host,
      next: at + Math.ceil(host.wait),
      delay: Math.ceil(Math.max(host.delay, host.wait)),
      cause: host.cause,
      failures: host.failures,
      free: host.isIdle && !isKept ? 1 : 0,
      owner: backlog.owner,
      until: at + LEASE,
    });
    if (!isKept || row?.wanted !== 1) return;
    backlog.letGo(host.host);
    if (host.isIdle) this.#sql.get("UPDATE host SET owner = NULL WHERE name = ? AND owner = ?").run(host.host, backlog.owner);
  }
}
