import { isDeepStrictEqual } from "node:util";
import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { GivenLinkMatch, Keyword, LinkStore, LinkToStore, PendingScoring, ScorerSpec } from "../links.ts";
import * as reads from "./link-reads.ts";
import { inTransaction, type Row, type Statements } from "./rows.ts";
import { isLinkOnSite, LinkRows } from "./settle/link-rows.ts";
import { markForRescoring, rescoreMarked } from "./settle/link-scores.ts";
import { MatchTable } from "./settle/match-table.ts";
import { wordIds } from "./words.ts";

export function openLinks(db: Database, sql: Statements): LinkStore {
  return {
    keywords: async (siteId) => reads.keywords(sql, siteId),
    keywordsOfAny: async (siteIds) => reads.keywordsOfAny(sql, siteIds),
    setKeywords: async (siteId, keywords) => {
      inTransaction(db, () => setKeywords(sql, siteId, keywords));
      await rescoreMarked(db, sql, siteId);
    },
    pendingScoring: async (siteId, scorer) => {
      const pending = inTransaction(db, () => pendingScoring(sql, siteId, scorer));
      if (!pending) await rescoreMarked(db, sql, siteId);
      return pending;
    },
    pagesToScore: async (siteId, after, limit) => reads.pagesToScore(sql, siteId, after, limit),
    saveScores: async (siteId, scorerSpec, pages) => {
      inTransaction(db, () => saveScores(sql, siteId, scorerSpec, pages));
      if (pages.length === 0) await rescoreMarked(db, sql, siteId);
    },
    async *matched(siteId, sinceRun = 0) {
      yield* reads.matched(sql, siteId, sinceRun);
    },
    sources: async (siteId, linkId, limit) => reads.sources(sql, siteId, linkId, limit),
    facts: async (siteId, linkId) => reads.facts(sql, siteId, linkId),
    onPage: async (pageId) => reads.onPage(sql, pageId),
    matchesOf: async (pageId) => reads.matchesOf(sql, pageId),
    unscored: async (siteId, runs, scorer, range) => reads.unscored(sql, siteId, runs, scorer, range),
    saveMatches: async (siteId, scorer, matches) => inTransaction(db, () => saveMatches(sql, siteId, scorer, matches)),
  };
}

/** Call within a transaction. Link scores are recomputed afterwards. */
export function setKeywords(sql: Statements, siteId: number, keywords: readonly Keyword[]): void {
  sql.dialect.holdSite?.(siteId);
  const ids = wordIds(
    sql,
    keywords.map(({ word }) => word),
  );
  const listed = sql.get("SELECT word_id FROM keyword WHERE site_id = ?").all(siteId) as Row[];
  for (const { word_id } of listed.filter((row) => !ids.includes(Number(row.word_id)))) {
    markForRescoring(sql, siteId);
    sql.get("DELETE FROM keyword WHERE site_id = ? AND word_id = ?").run(siteId, word_id as number);
    sql.get("DELETE FROM link_keyword WHERE site_id = ? AND word_id = ?").run(siteId, word_id as number);
  }
  const set = sql.get(
    "INSERT INTO keyword (site_id, word_id, weight) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET weight = excluded.weight WHERE keyword.weight <> excluded.weight",
  );
  const changed = keywords.filter(({ weight }, index) => Number(set.run(siteId, ids[index]!, weight).changes) > 0);
  if (changed.length > 0) markForRescoring(sql, siteId);
}

const TO_SCORE = "FROM page WHERE site_id = ? AND id > ? AND version_id IS NOT NULL AND is_gone = 0";
const progressKey = (siteId: number) => `scoring.${siteId}`;

/** Starts over if the words or the scorer changed, because the stored matches do not show which words they were scored for. */
function pendingScoring(sql: Statements, siteId: number, scorer: string): PendingScoring | undefined {
  sql.dialect.holdSite?.(siteId);
  const select =
    "SELECT w.word, k.word_id FROM keyword k JOIN word w ON w.id = k.word_id WHERE k.site_id = ? AND k.scorer <> ? ORDER BY w.id";
  const rows = sql.get(select).all(siteId, scorer) as Row[];
  if (rows.length === 0) return undefined;
  const scorerSpec = { scorer, words: rows.map(({ word }) => String(word)) };
  let after = progressOf(sql, siteId, scorerSpec);
  if (after === undefined) {
    for (const { word_id } of rows) clearMatches(sql, siteId, Number(word_id));
    markForRescoring(sql, siteId);
    saveProgress(sql, siteId, scorerSpec, 0);
    after = 0;
  }
  const { pages } = sql.get(`SELECT count(*) AS pages ${TO_SCORE}`).get(siteId, after) as Row;
  const pending = { ...scorerSpec, after, pages: Number(pages) };
  if (pending.pages > 0) return pending;
  saveScores(sql, siteId, pending, []);
  return undefined;
}

function clearMatches(sql: Statements, siteId: number, wordId: number): void {
  sql.get("DELETE FROM link_keyword WHERE site_id = ? AND word_id = ? AND said IS NULL").run(siteId, wordId);
  sql.get("UPDATE link_keyword SET match = 0, holders = 0 WHERE site_id = ? AND word_id = ?").run(siteId, wordId);
}

function saveProgress(sql: Statements, siteId: number, { scorer, words }: ScorerSpec, after: number): void {
  sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(progressKey(siteId), JSON.stringify({ scorer, words, after }));
}

/** The last page that was scored, if the words and the scorer are the same. */
function progressOf(sql: Statements, siteId: number, { scorer, words }: ScorerSpec): number | undefined {
  const row = sql.get("SELECT value FROM meta WHERE key = ?").get(progressKey(siteId)) as Row | undefined;
  const progress = row && (JSON.parse(String(row.value)) as ScorerSpec & { after: number });
  return progress?.scorer === scorer && isDeepStrictEqual(progress.words, words) ? progress.after : undefined;
}

type ScoredPage = { readonly pageId: number; readonly links: readonly LinkToStore[] };

function saveScores(sql: Statements, siteId: number, scorerSpec: PendingScoring, pages: readonly ScoredPage[]): void {
  sql.dialect.holdSite?.(siteId);
  if (progressOf(sql, siteId, scorerSpec) !== scorerSpec.after) return;
  const last = pages.at(-1);
  if (!last) {
    const done = sql.get("UPDATE keyword SET scorer = ? WHERE site_id = ? AND word_id = ?");
    for (const id of wordIds(sql, scorerSpec.words)) done.run(scorerSpec.scorer, siteId, id);
    sql.get("DELETE FROM meta WHERE key = ?").run(progressKey(siteId));
    return;
  }
  const rows = new LinkRows(sql, scorerSpec);
  const version = sql.get("SELECT v.id, v.run_id, v.link_index FROM page p JOIN page_version v ON v.id = p.version_id WHERE p.id = ?");
  for (const { pageId, links } of pages) {
    const row = version.get(pageId) as Row | undefined;
    if (!row) continue;
    const linkIndex = (row.link_index as Uint8Array | null) ?? new Uint8Array(0);
    const page = { pageId, siteId, runId: Number(row.run_id), versionId: Number(row.id), isFirst: false, linkIndex };
    rows.rescore(page, links);
  }
  rows.flush();
  saveProgress(sql, siteId, scorerSpec, last.pageId);
}

function saveMatches(sql: Statements, siteId: number, scorer: string, matches: readonly GivenLinkMatch[]): void {
  const table = new MatchTable(sql, scorer);
  for (const { linkId, ...word } of matches) {
    // Skip links that no page of the site has any more.
    if (isLinkOnSite(sql, siteId, linkId)) table.setGiven({ siteId, linkId }, { ...word, scorer });
  }
  table.flush();
}
