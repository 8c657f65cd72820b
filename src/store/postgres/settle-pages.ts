import { printOf } from "../../dedupe/index.ts";
import type { IndexedPage } from "../search.ts";
import type { PageNews, SettledVisit, Settlement, VersionToKeep } from "../settlement.ts";
import { LinkRows } from "../sqlite/link-rows.ts";
import { keepRead } from "../sqlite/metadata.ts";
import type { OldVersions } from "../sqlite/old-versions.ts";
import { keepRendered } from "../sqlite/rendering.ts";
import { type Statements, toInt64, uuidv7 } from "../sqlite/rows.ts";
import { REREAD } from "../sqlite/settle-statements.ts";
import { arrayOf } from "./columns.ts";
import * as statements from "./page-statements.ts";
import type { Presence } from "./presence.ts";

/** A page that a visit changed, with its ids. */
interface Told {
  readonly visit: SettledVisit;
  readonly news: PageNews;
  readonly id: number;
  readonly isNew: boolean;
  readonly versionId: number | undefined;
  readonly seq: number | undefined;
  readonly depth: number;
}

export interface PageContext {
  readonly sql: Statements;
  readonly presence: Presence;
  readonly old: OldVersions;
}

/** Nothing was learned about the page itself, so its stored state stays. */
const isUnknown = ({ change, version }: PageNews, { remembered }: SettledVisit): boolean =>
  change === "unknown" && !version && remembered !== undefined;

export const needsPage = ({ page, remembered }: SettledVisit): boolean => page !== undefined && remembered === undefined;
export const needsVersion = ({ page }: SettledVisit): boolean => page?.version !== undefined && !page.isReread;

/**
 * The part of a settlement that writes pages. Done last, because its triggers lock the site's count rows, for which all settlements of the
 * site wait.
 */
export class PageWork {
  readonly #context: PageContext;
  readonly #settlement: Settlement;
  readonly #told: Told[] = [];
  #links: LinkRows | undefined;
  /** Words of the stored pages, for the index. */
  readonly words: IndexedPage[] = [];

  constructor(context: PageContext, settlement: Settlement) {
    this.#context = context;
    this.#settlement = settlement;
  }

  get links(): LinkRows | undefined {
    return this.#links;
  }

  /** Returns the page id, if the visit has a page. */
  add(
    visit: SettledVisit,
    numbers: { seq: number | undefined; depth: number; page: () => number; version: () => number },
  ): number | undefined {
    const { page: news, remembered } = visit;
    if (!news) return undefined;
    const isNew = remembered === undefined;
    const id = isNew ? numbers.page() : remembered.pageId;
    const versionId = news.version ? (news.isReread ? remembered?.versionId : numbers.version()) : undefined;
    this.#told.push({ visit, news, id, isNew, versionId, seq: numbers.seq, depth: numbers.depth });
    return id;
  }

  write(nearer: readonly { id: number; depth: number }[], hostIds: ReadonlyMap<string, number>): void {
    const { presence } = this.#context;
    const { runId, at } = this.#settlement;
    this.#keepBodies();
    const met = this.#told.filter(({ news, visit }) => !isUnknown(news, visit));
    const seen = met.filter(({ isNew }) => !isNew);
    if (nearer.length > 0) presence.send(statements.LOCK_PAGES, [arrayOf([...nearer, ...seen].map(({ id }) => id))]);
    const fresh = met.filter(({ isNew }) => isNew).map((told) => ({ ...this.#newsOf(told), ...this.#birthOf(told, hostIds) }));
    if (fresh.length > 0) presence.send(statements.NEW_PAGES, [...statements.newPages.values(fresh), runId, at]);
    const again = seen.map((told) => ({ ...this.#newsOf(told), history: told.news.history, is_cached: told.news.fromCache }));
    if (again.length > 0) presence.send(statements.SEEN_PAGES, [...statements.seenPages.values(again), runId, at]);
    if (nearer.length > 0) presence.send(statements.NEARER, statements.nearer.values(nearer));
    this.#keepVersions(met.filter(({ news }) => news.version));
    for (const told of met) this.#keepRest(told);
    this.#tellChanges();
    this.#links?.flush();
  }

  #newsOf({ visit, news, id, versionId, seq, depth }: Told) {
    const { candidate } = visit;
    return {
      id,
      depth,
      via: candidate.via,
      parent_url: candidate.parent,
      status: news.status,
      content_type: news.contentType,
      change: news.change,
      seq: seq ?? 0,
      duration: Math.round(news.duration),
      bytes: news.bytes,
      etag: news.etag,
      last_modified: news.lastModified,
      moved_to: news.movedTo,
      reader: news.reader,
      duplicate_of: news.duplicateOf,
      near_duplicate_of: news.nearDuplicateOf,
      version_id: versionId,
      print: news.version && toInt64(printOf(news.version.fingerprint)),
      page_type: news.version?.metadata.type?.value,
    };
  }

  #birthOf({ visit: { candidate } }: Told, hostIds: ReadonlyMap<string, number>) {
    const { siteId, hash, host, url } = candidate;
    return { uid: uuidv7(this.#settlement.at), site_id: siteId, hash: toInt64(hash), host_id: hostIds.get(host)!, url };
  }

  #keepBodies(): void {
    const { presence, sql } = this.#context;
    const found = new Map(
      this.#told.flatMap(({ news }) => {
        const body = news.isReread ? undefined : news.version?.body;
        return body?.data ? [[body.hash, { ...body, data: body.data }] as const] : [];
      }),
    );
    if (found.size === 0) return;
    const { bodies } = sql.ways;
    if (bodies?.isInUse) {
      bodies.keep([...found.values()]);
      return;
    }
    for (const { hash } of presence.ask(statements.KNOWN_BODIES, [arrayOf([...found.keys()])])) found.delete(String(hash));
    if (found.size > 0) presence.send(statements.NEW_BODIES, statements.bodies.values([...found.values()]));
  }

  #keepVersions(told: readonly Told[]): void {
    const { presence, sql, old } = this.#context;
    const { runId, at, keepVersions = Number.POSITIVE_INFINITY } = this.#settlement;
    const earlier = told.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const last = new Map<number, number>();
    const rows = earlier.length > 0 ? presence.ask(statements.LAST_VERSIONS, [arrayOf(earlier)]) : [];
    for (const row of rows) last.set(Number(row.page_id), Number(row.number));
    const numberOf = (id: number) => 1 + (last.get(id) ?? 0);
    const fresh = told.filter(({ news }) => !news.isReread).map((one) => ({ ...valuesOf(one), number: numberOf(one.id) }));
    if (fresh.length > 0) presence.send(statements.NEW_VERSIONS, [...statements.versions.values(fresh), runId, at]);
    for (const one of told) {
      if (one.news.isReread) sql.named(REREAD).run(rereadOf(one));
      if (numberOf(one.id) > keepVersions) old.drop(one.id, numberOf(one.id), keepVersions);
      this.#keepLinks(one);
    }
  }

  #keepLinks({ visit, news, id, isNew, versionId }: Told): void {
    const { links, linkIndex } = news.version!;
    const { runId, judge } = this.#settlement;
    if (!judge && links.length === 0) {
      if (!isNew) this.#context.presence.send("DELETE FROM link_source WHERE page_id = $1", [id]);
      return;
    }
    const siteId = visit.remembered?.siteId ?? visit.candidate.siteId;
    this.#linkRows().keep({ pageId: id, siteId, runId, versionId: versionId!, isFirst: isNew, linkIndex }, links);
  }

  #keepRest({ visit, news, id, versionId }: Told): void {
    const { sql } = this.#context;
    const { runId, at } = this.#settlement;
    const { version } = news;
    if (versionId !== undefined && version?.read) keepRead(sql, { pageId: id, versionId }, version.read, at);
    if (versionId !== undefined && version?.words) this.words.push({ pageId: id, versionId, words: version.words });
    const shown = versionId ?? visit.remembered?.versionId;
    if (news.rendered && shown !== undefined) keepRendered(sql, shown, news.rendered);
    const siteId = visit.remembered?.siteId ?? visit.candidate.siteId;
    if (news.change === "gone") this.#linkRows().forget({ pageId: id, siteId, runId });
  }

  #tellChanges(): void {
    const { runId, at } = this.#settlement;
    const rows = this.#told.flatMap(({ visit, news, id, versionId }) => {
      if (news.change === "same") return [];
      const detail = news.movedTo === undefined || isUnknown(news, visit) ? (news.detail ?? visit.rule) : `moved to ${news.movedTo}`;
      return [{ page_id: id, status: news.change, from_version: visit.remembered?.versionId, to_version: versionId, detail }];
    });
    if (rows.length > 0) this.#context.presence.send(statements.CHANGES, [...statements.changes.values(rows), runId, at]);
  }

  #linkRows(): LinkRows {
    this.#links ??= new LinkRows(this.#context.sql, this.#settlement.judge);
    return this.#links;
  }
}

function valuesOf({ id, versionId, news }: Told) {
  const { fingerprint, metadata, body, ...version } = news.version as VersionToKeep;
  return {
    id: versionId,
    page_id: id,
    type: version.type,
    charset: version.charset,
    metadata: JSON.stringify(metadata),
    canonical: version.canonical,
    noindex: Number(version.noindex),
    nofollow: Number(version.nofollow),
    text_hash: fingerprint.text,
    links_hash: fingerprint.links,
    simhash: fingerprint.simhash,
    word_count: version.wordCount,
    link_count: version.linkCount,
    body_hash: body.hash,
    link_index: version.linkIndex,
    links: version.packedLinks,
  };
}

function rereadOf(told: Told) {
  const { id, page_id, canonical, text_hash, links_hash, word_count, link_count, link_index, links, ...same } = valuesOf(told);
  const { type, charset, metadata, noindex, nofollow, simhash } = same;
  const plain = {
    type,
    charset,
    metadata,
    noindex,
    nofollow,
    simhash,
    canonical: canonical ?? null,
    extracted: told.news.version?.read ? 1 : 0,
  };
  const counts = { words: word_count, linkCount: link_count, text: text_hash, links: links_hash };
  return { ...plain, ...counts, id: id!, page: page_id, index: link_index, packed: links };
}
