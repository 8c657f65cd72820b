import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { HostSettings, IgnoredPart, LinkEdits, UserDataStore } from "../../user-data.ts";
import { inTransaction, type Row, type Statements, toInt64 } from "../rows.ts";
import { rescoreLink } from "../settle/link-scores.ts";
import { siteSettingsFrom } from "./sites.ts";

const SITE = `INSERT INTO site_card (site_id, name, tags, options, changed_at) VALUES (:site, coalesce(:name, ''), coalesce(:tags, '[]'), coalesce(:options, '{}'), :at)
  ON CONFLICT DO UPDATE SET name = coalesce(:name, site_card.name), tags = coalesce(:tags, site_card.tags), options = coalesce(:options, site_card.options), changed_at = :at`;
const PAGE = `INSERT INTO page_card (page_id, note, tags, is_muted, metadata, changed_at)
    VALUES (:page, coalesce(:note, ''), coalesce(:tags, '[]'), coalesce(:muted, 0), coalesce(:metadata, '{}'), :at)
  ON CONFLICT DO UPDATE SET note = coalesce(:note, page_card.note), tags = coalesce(:tags, page_card.tags), is_muted = coalesce(:muted, page_card.is_muted),
    metadata = coalesce(:metadata, page_card.metadata), changed_at = :at`;
const LINK = `INSERT INTO link_card (site_id, link_id, note, is_pinned, is_muted, score, changed_at)
    VALUES (:site, :link, coalesce(:note, ''), coalesce(:pinned, 0), coalesce(:muted, 0), :score, :at)
  ON CONFLICT DO UPDATE SET note = coalesce(:note, link_card.note), is_pinned = coalesce(:pinned, link_card.is_pinned), is_muted = coalesce(:muted, link_card.is_muted),
    score = iif(:scored, :score, link_card.score), changed_at = :at`;
/** A link without a matching keyword is listed by the score that a user gave it. */
const SAVE_GIVEN_SCORE = `INSERT INTO link_score (site_id, link_id, score, first_run_id) VALUES (:site, :link, :score, coalesce((SELECT max(run_id) FROM run_site WHERE site_id = :site), 0))
  ON CONFLICT DO UPDATE SET score = :score`;

const HOST = `INSERT INTO host_card (host, delay, paused_until, changed_at) VALUES (:host, coalesce(:delay, 0), coalesce(:until, 0), :at)
  ON CONFLICT DO UPDATE SET delay = coalesce(:delay, host_card.delay), paused_until = coalesce(:until, host_card.paused_until), changed_at = :at`;
const IGNORE = "INSERT OR IGNORE INTO ignored_part (site_id, page_id, kind, value, made_at) VALUES (?, ?, ?, ?, ?)";
const REMOVE_EMPTY_HOST = "DELETE FROM host_card WHERE host = ? AND delay = 0 AND paused_until = 0";

const asJson = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
const asNumber = (is: boolean | undefined) => (is === undefined ? null : Number(is));

const linkEditsFrom = ({ note, is_pinned, is_muted, score }: Row): LinkEdits => ({
  note: String(note),
  isPinned: is_pinned === 1,
  isMuted: is_muted === 1,
  scoreOverride: score === null ? undefined : Number(score),
});

const hostSettingsFrom = ({ host, delay, paused_until, changed_at }: Row): HostSettings => ({
  host: String(host),
  delay: Number(delay),
  pausedUntil: Number(paused_until),
  changedAt: Number(changed_at),
});

const ignoredFrom = ({ id, site_id, page_id, kind, value, made_at }: Row): IgnoredPart => ({
  id: Number(id),
  siteId: Number(site_id),
  pageId: page_id === null ? undefined : Number(page_id),
  kind: kind as IgnoredPart["kind"],
  value: String(value),
  madeAt: Number(made_at),
});

export function openUserData(db: Database, sql: Statements): UserDataStore {
  return {
    site: async (siteId) => {
      const row = sql.get("SELECT * FROM site_card WHERE site_id = ?").get(siteId) as Row | undefined;
      return row && siteSettingsFrom(row);
    },
    setSite: async (siteId, { name, tags, options }, at) => {
      sql.named(SITE).run({ site: siteId, name: name ?? null, tags: asJson(tags), options: asJson(options), at });
    },
    setPage: async (pageId, { note, tags, isMuted, overrides }, at) => {
      const given = { note: note ?? null, tags: asJson(tags), muted: asNumber(isMuted), metadata: asJson(overrides) };
      sql.named(PAGE).run({ page: pageId, ...given, at });
    },
    setLink: async ({ siteId: site, linkId: link }, { note, isPinned, isMuted, scoreOverride }, at) => {
      inTransaction(db, () => {
        sql.dialect.holdSite?.(site);
        const values = { note: note ?? null, pinned: asNumber(isPinned), muted: asNumber(isMuted) };
        const scored = Number(scoreOverride !== undefined);
        sql.named(LINK).run({ site, link, ...values, score: scoreOverride ?? null, scored, at });
        if (typeof scoreOverride === "number") sql.named(SAVE_GIVEN_SCORE).run({ site, link, score: scoreOverride });
        else if (scoreOverride === null) rescoreLink(sql, site, link);
      });
    },
    links: async (siteId) =>
      new Map(
        (sql.get("SELECT * FROM link_card WHERE site_id = ?").all(siteId) as Row[]).map((row) => [Number(row.link_id), linkEditsFrom(row)]),
      ),
    link: async (url, hash) => {
      sql.get("INSERT OR IGNORE INTO link (hash, url) VALUES (?, ?)").run(toInt64(hash), url);
      return Number((sql.get("SELECT id FROM link WHERE hash = ?").get(toInt64(hash)) as Row).id);
    },
    removeLink: async (siteId, linkId) => {
      inTransaction(db, () => {
        sql.dialect.holdSite?.(siteId);
        const sources =
          "DELETE FROM link_source WHERE link_id = ?2 AND page_id IN (SELECT id FROM page WHERE site_id = ?1 AND id = link_source.page_id)";
        sql.get(sources).run(siteId, linkId);
        for (const table of ["link_keyword", "link_score", "link_card"])
          sql.get(`DELETE FROM ${table} WHERE site_id = ? AND link_id = ?`).run(siteId, linkId);
      });
    },
    ignored: async (siteId) => (sql.get("SELECT * FROM ignored_part WHERE site_id = ? ORDER BY id").all(siteId) as Row[]).map(ignoredFrom),
    ignore: async ({ siteId, pageId = null, kind, value, madeAt }) => {
      const added = sql.get(IGNORE).run(siteId, pageId, kind, value, madeAt);
      const known = "SELECT id FROM ignored_part WHERE site_id = ? AND kind = ? AND value = ? AND ifnull(page_id, 0) = ?";
      return { id: Number((sql.get(known).get(siteId, kind, value, pageId ?? 0) as Row).id), isNew: added.changes === 1 };
    },
    stopIgnoring: async (siteId, id) => sql.get("DELETE FROM ignored_part WHERE site_id = ? AND id = ?").run(siteId, id).changes === 1,
    hosts: async () => (sql.get("SELECT * FROM host_card ORDER BY host").all() as Row[]).map(hostSettingsFrom),
    setHost: async (host, { delay, pausedUntil }, at) => {
      inTransaction(db, () => {
        sql.named(HOST).run({ host, delay: delay ?? null, until: pausedUntil ?? null, at });
        sql.get(REMOVE_EMPTY_HOST).run(host);
      });
    },
  };
}
