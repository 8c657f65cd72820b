import { fingerprintHash } from "../../../analysis/dedupe/index.ts";
import type { IndexedPage } from "../../search.ts";
import type { PageUpdate, SettledVisit, Settlement, VersionToStore } from "../../settlement.ts";
import { saveReadMetadata } from "../../sqlite/metadata.ts";
import { saveRendered } from "../../sqlite/rendering.ts";
import { type Statements, toInt64, uuidv7 } from "../../sqlite/rows.ts";
import { LinkRows } from "../../sqlite/settle/link-rows.ts";
import type { OldVersions } from "../../sqlite/settle/old-versions.ts";
import { REREAD } from "../../sqlite/settle/settle-statements.ts";
import { arrayOf } from "../columns.ts";
import * as statements from "../page-statements.ts";
import type { WorkerSession } from "../worker-session.ts";

/** A page that a visit changed, with its ids. */
interface ChangedPage {
  readonly visit: SettledVisit;
  readonly update: PageUpdate;
  readonly id: number;
  readonly isNew: boolean;
  readonly versionId: number | undefined;
  readonly seq: number | undefined;
  readonly depth: number;
}

export interface PageContext {
  readonly sql: Statements;
  readonly session: WorkerSession;
  readonly old: OldVersions;
}

/** Nothing was learned about the page itself, so its stored state stays. */
const isUnknown = ({ change, version }: PageUpdate, { remembered }: SettledVisit): boolean =>
  change === "unknown" && !version && remembered !== undefined;

export const needsPage = ({ page, remembered }: SettledVisit): boolean => page !== undefined && remembered === undefined;
export const needsVersion = ({ page }: SettledVisit): boolean => page?.version !== undefined && !page.isReread;

/**
 * The part of a settlement that writes pages. Done last, because its triggers lock the site's count rows, for which all settlements of the
 * site wait.
 */
export class PageWriter {
  readonly #context: PageContext;
  readonly #settlement: Settlement;
  readonly #changed: ChangedPage[] = [];
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
    const { page: update, remembered } = visit;
    if (!update) return undefined;
    const isNew = remembered === undefined;
    const id = isNew ? numbers.page() : remembered.pageId;
    const versionId = update.version ? (update.isReread ? remembered?.versionId : numbers.version()) : undefined;
    this.#changed.push({ visit, update, id, isNew, versionId, seq: numbers.seq, depth: numbers.depth });
    return id;
  }

  write(smallerDepths: readonly { id: number; depth: number }[], hostIds: ReadonlyMap<string, number>): void {
    const { session } = this.#context;
    const { runId, at } = this.#settlement;
    this.#storeBodies();
    const visited = this.#changed.filter(({ update, visit }) => !isUnknown(update, visit));
    const existing = visited.filter(({ isNew }) => !isNew);
    if (smallerDepths.length > 0) session.execute(statements.LOCK_PAGES, [arrayOf([...smallerDepths, ...existing].map(({ id }) => id))]);
    const inserted = visited
      .filter(({ isNew }) => isNew)
      .map((changed) => ({ ...this.#updateValues(changed), ...this.#newPageValues(changed, hostIds) }));
    if (inserted.length > 0) session.execute(statements.INSERT_PAGES, [...statements.newPages.values(inserted), runId, at]);
    const updated = existing.map((changed) => ({
      ...this.#updateValues(changed),
      history: changed.update.history,
      is_cached: changed.update.fromCache,
    }));
    if (updated.length > 0) session.execute(statements.UPDATE_PAGES, [...statements.visitedPages.values(updated), runId, at]);
    if (smallerDepths.length > 0) session.execute(statements.REDUCE_DEPTHS, statements.smallerDepths.values(smallerDepths));
    this.#keepVersions(visited.filter(({ update }) => update.version));
    for (const changed of visited) this.#storeRest(changed);
    this.#insertChanges();
    this.#links?.flush();
  }

  #updateValues({ visit, update, id, versionId, seq, depth }: ChangedPage) {
    const { candidate } = visit;
    return {
      id,
      depth,
      via: candidate.via,
      parent_url: candidate.parent,
      status: update.status,
      content_type: update.contentType,
      change: update.change,
      seq: seq ?? 0,
      duration: Math.round(update.duration),
      bytes: update.bytes,
      etag: update.etag,
      last_modified: update.lastModified,
      moved_to: update.movedTo,
      reader: update.reader,
      duplicate_of: update.duplicateOf,
      near_duplicate_of: update.nearDuplicateOf,
      version_id: versionId,
      print: update.version && toInt64(fingerprintHash(update.version.fingerprint)),
      page_type: update.version?.metadata.type?.value,
    };
  }

  #newPageValues({ visit: { candidate } }: ChangedPage, hostIds: ReadonlyMap<string, number>) {
    const { siteId, hash, host, url } = candidate;
    return { uid: uuidv7(this.#settlement.at), site_id: siteId, hash: toInt64(hash), host_id: hostIds.get(host)!, url };
  }

  #storeBodies(): void {
    const { session, sql } = this.#context;
    const found = new Map(
      this.#changed.flatMap(({ update }) => {
        const body = update.isReread ? undefined : update.version?.body;
        return body?.data ? [[body.hash, { ...body, data: body.data }] as const] : [];
      }),
    );
    if (found.size === 0) return;
    const { bodies } = sql.dialect;
    if (bodies?.isInUse) {
      bodies.save([...found.values()]);
      return;
    }
    for (const { hash } of session.query(statements.KNOWN_BODIES, [arrayOf([...found.keys()])])) found.delete(String(hash));
    if (found.size > 0) session.execute(statements.INSERT_BODIES, statements.bodies.values([...found.values()]));
  }

  #keepVersions(changed: readonly ChangedPage[]): void {
    const { session, sql, old } = this.#context;
    const { runId, at, keepVersions = Number.POSITIVE_INFINITY } = this.#settlement;
    const earlier = changed.filter(({ isNew }) => !isNew).map(({ id }) => id);
    const last = new Map<number, number>();
    const rows = earlier.length > 0 ? session.query(statements.LAST_VERSIONS, [arrayOf(earlier)]) : [];
    for (const row of rows) last.set(Number(row.page_id), Number(row.number));
    const numberOf = (id: number) => 1 + (last.get(id) ?? 0);
    const inserted = changed.filter(({ update }) => !update.isReread).map((one) => ({ ...valuesOf(one), number: numberOf(one.id) }));
    if (inserted.length > 0) session.execute(statements.INSERT_VERSIONS, [...statements.versions.values(inserted), runId, at]);
    for (const one of changed) {
      if (one.update.isReread) sql.named(REREAD).run(rereadOf(one));
      if (numberOf(one.id) > keepVersions) old.drop(one.id, numberOf(one.id), keepVersions);
      this.#storeLinks(one);
    }
  }

  #storeLinks({ visit, update, id, isNew, versionId }: ChangedPage): void {
    const { links, linkIndex } = update.version!;
    const { runId, judge } = this.#settlement;
    if (!judge && links.length === 0) {
      if (!isNew) this.#context.session.execute("DELETE FROM link_source WHERE page_id = $1", [id]);
      return;
    }
    const siteId = visit.remembered?.siteId ?? visit.candidate.siteId;
    this.#linkRows().store({ pageId: id, siteId, runId, versionId: versionId!, isFirst: isNew, linkIndex }, links);
  }

  #storeRest({ visit, update, id, versionId }: ChangedPage): void {
    const { sql } = this.#context;
    const { runId, at } = this.#settlement;
    const { version } = update;
    if (versionId !== undefined && version?.read) saveReadMetadata(sql, { pageId: id, versionId }, version.read, at);
    if (versionId !== undefined && version?.words) this.words.push({ pageId: id, versionId, words: version.words });
    const shown = versionId ?? visit.remembered?.versionId;
    if (update.rendered && shown !== undefined) saveRendered(sql, shown, update.rendered);
    const siteId = visit.remembered?.siteId ?? visit.candidate.siteId;
    if (update.change === "gone") this.#linkRows().markAllGone({ pageId: id, siteId, runId });
  }

  #insertChanges(): void {
    const { runId, at } = this.#settlement;
    const rows = this.#changed.flatMap(({ visit, update, id, versionId }) => {
      if (update.change === "same") return [];
      const detail =
        update.movedTo === undefined || isUnknown(update, visit) ? (update.detail ?? visit.rule) : `moved to ${update.movedTo}`;
      return [{ page_id: id, status: update.change, from_version: visit.remembered?.versionId, to_version: versionId, detail }];
    });
    if (rows.length > 0) this.#context.session.execute(statements.CHANGES, [...statements.changes.values(rows), runId, at]);
  }

  #linkRows(): LinkRows {
    this.#links ??= new LinkRows(this.#context.sql, this.#settlement.judge);
    return this.#links;
  }
}

function valuesOf({ id, versionId, update }: ChangedPage) {
  const { fingerprint, metadata, body, ...version } = update.version as VersionToStore;
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

function rereadOf(changed: ChangedPage) {
  const { id, page_id, canonical, text_hash, links_hash, word_count, link_count, link_index, links, ...same } = valuesOf(changed);
  const { type, charset, metadata, noindex, nofollow, simhash } = same;
  const plain = {
    type,
    charset,
    metadata,
    noindex,
    nofollow,
    simhash,
    canonical: canonical ?? null,
    extracted: changed.update.version?.read ? 1 : 0,
  };
  const counts = { words: word_count, linkCount: link_count, text: text_hash, links: links_hash };
  return { ...plain, ...counts, id: id!, page: page_id, index: link_index, packed: links };
}
