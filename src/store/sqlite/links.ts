import { isDeepStrictEqual } from "node:util";
import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Judge, Keyword, Links, LinkToKeep, SaidMatch, ScoringToDo } from "../links.ts";
import * as reads from "./link-reads.ts";
import { LinkRows, standsOn } from "./link-rows.ts";
import { rescoreWanted, wantRescoring } from "./link-scores.ts";
import { MatchTable } from "./match-table.ts";
import { inTransaction, type Row, type Statements } from "./rows.ts";
import { wordIds } from "./words.ts";

export function openLinks(db: Database, sql: Statements): Links {
  return {
    keywords: async (siteId) => reads.keywords(sql, siteId),
    keywordsOfAny: async (siteIds) => reads.keywordsOfAny(sql, siteIds),
    setKeywords: async (siteId, keywords) => {
      inTransaction(db, () => setKeywords(sql, siteId, keywords));
      await rescoreWanted(db, sql, siteId);
    },
    toScore: async (siteId, scorer) => {
      const toDo = inTransaction(db, () => toScore(sql, siteId, scorer));
      if (!toDo) await rescoreWanted(db, sql, siteId);
      return toDo;
    },
    pagesToScore: async (siteId, after, limit) => reads.pagesToScore(sql, siteId, after, limit),
    saveScores: async (siteId, judge, pages) => {
      inTransaction(db, () => saveScores(sql, siteId, judge, pages));
      if (pages.length === 0) await rescoreWanted(db, sql, siteId);
    },
    async *matched(siteId, sinceRun = 0) {
      yield* reads.matched(sql, siteId, sinceRun);
    },
    sources: async (siteId, linkId, limit) => reads.sources(sql, siteId, linkId, limit),
    facts: async (siteId, linkId) => reads.facts(sql, siteId, linkId),
    onPage: async (pageId) => reads.onPage(sql, pageId),
    matchesOf: async (pageId) => reads.matchesOf(sql, pageId),
    unscored: async (siteId, runs, scorer, range) => reads.unscored(sql, siteId, runs, scorer, range),
    saveMatches: async (siteId, scorer, said) => inTransaction(db, () => saveMatches(sql, siteId, scorer, said)),
  };
}

/** Call within a transaction. Link scores are recomputed afterwards. */
export function setKeywords(sql: Statements, siteId: number, keywords: readonly Keyword[]): void {
  sql.ways.holdSite?.(siteId);
  const ids = wordIds(
    sql,
    keywords.map(({ word }) => word),
  );
  const listed = sql.get("SELECT word_id FROM keyword WHERE site_id = ?").all(siteId) as Row[];
  for (const { word_id } of listed.filter((row) => !ids.includes(Number(row.word_id)))) {
    wantRescoring(sql, siteId);
    sql.get("DELETE FROM keyword WHERE site_id = ? AND word_id = ?").run(siteId, word_id as number);
    sql.get("DELETE FROM link_keyword WHERE site_id = ? AND word_id = ?").run(siteId, word_id as number);
  }
  const set = sql.get(
    "INSERT INTO keyword (site_id, word_id, weight) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET weight = excluded.weight WHERE keyword.weight <> excluded.weight",
  );
  const changed = keywords.filter(({ weight }, index) => Number(set.run(siteId, ids[index]!, weight).changes) > 0);
  if (changed.length > 0) wantRescoring(sql, siteId);
}

const TO_SCORE = "FROM page WHERE site_id = ? AND id > ? AND version_id IS NOT NULL AND is_gone = 0";
const placeKey = (siteId: number) => `scoring.${siteId}`;

/** Starts over if the words or the scorer changed, because the stored matches do not show which words they were scored for. */
function toScore(sql: Statements, siteId: number, scorer: string): ScoringToDo | undefined {
  sql.ways.holdSite?.(siteId);
  const select =
    "SELECT w.word, k.word_id FROM keyword k JOIN word w ON w.id = k.word_id WHERE k.site_id = ? AND k.scorer <> ? ORDER BY w.id";
  const rows = sql.get(select).all(siteId, scorer) as Row[];
  if (rows.length === 0) return undefined;
  const judge = { scorer, words: rows.map(({ word }) => String(word)) };
  let after = placeOf(sql, siteId, judge);
  if (after === undefined) {
    for (const { word_id } of rows) forgetMatches(sql, siteId, Number(word_id));
    wantRescoring(sql, siteId);
    putPlace(sql, siteId, judge, 0);
    after = 0;
  }
  const { pages } = sql.get(`SELECT count(*) AS pages ${TO_SCORE}`).get(siteId, after) as Row;
  const toDo = { ...judge, after, pages: Number(pages) };
  if (toDo.pages > 0) return toDo;
  saveScores(sql, siteId, toDo, []);
  return undefined;
}

function forgetMatches(sql: Statements, siteId: number, wordId: number): void {
  sql.get("DELETE FROM link_keyword WHERE site_id = ? AND word_id = ? AND said IS NULL").run(siteId, wordId);
  sql.get("UPDATE link_keyword SET match = 0, holders = 0 WHERE site_id = ? AND word_id = ?").run(siteId, wordId);
}

function putPlace(sql: Statements, siteId: number, { scorer, words }: Judge, after: number): void {
  sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(placeKey(siteId), JSON.stringify({ scorer, words, after }));
}

/** The last page that was scored, if the words and the scorer are the same. */
function placeOf(sql: Statements, siteId: number, { scorer, words }: Judge): number | undefined {
  const row = sql.get("SELECT value FROM meta WHERE key = ?").get(placeKey(siteId)) as Row | undefined;
  const began = row && (JSON.parse(String(row.value)) as Judge & { after: number });
  return began?.scorer === scorer && isDeepStrictEqual(began.words, words) ? began.after : undefined;
}

type ScoredPage = { readonly pageId: number; readonly links: readonly LinkToKeep[] };

function saveScores(sql: Statements, siteId: number, judge: ScoringToDo, pages: readonly ScoredPage[]): void {
  sql.ways.holdSite?.(siteId);
  if (placeOf(sql, siteId, judge) !== judge.after) return;
  const last = pages.at(-1);
  if (!last) {
    const done = sql.get("UPDATE keyword SET scorer = ? WHERE site_id = ? AND word_id = ?");
    for (const id of wordIds(sql, judge.words)) done.run(judge.scorer, siteId, id);
    sql.get("DELETE FROM meta WHERE key = ?").run(placeKey(siteId));
    return;
  }
  const rows = new LinkRows(sql, judge);
  const version = sql.get("SELECT v.id, v.run_id, v.link_index FROM page p JOIN page_version v ON v.id = p.version_id WHERE p.id = ?");
  for (const { pageId, links } of pages) {
    const row = version.get(pageId) as Row | undefined;
    if (!row) continue;
    const linkIndex = (row.link_index as Uint8Array | null) ?? new Uint8Array(0);
    const page = { pageId, siteId, runId: Number(row.run_id), versionId: Number(row.id), isFirst: false, linkIndex };
    rows.rescore(page, links);
  }
  rows.flush();
  putPlace(sql, siteId, judge, last.pageId);
}

function saveMatches(sql: Statements, siteId: number, scorer: string, said: readonly SaidMatch[]): void {
  const table = new MatchTable(sql, scorer);
  for (const { linkId, ...word } of said) {
    // Skip links that no page of the site has any more.
    if (standsOn(sql, siteId, linkId)) table.say({ siteId, linkId }, { ...word, scorer });
  }
  table.flush();
}
