import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Judge, Keyword, Links, LinkToKeep, SaidMatch, ScoringToDo } from "../links.ts";
import * as reads from "./link-reads.ts";
import { LinkRows } from "./link-rows.ts";
import { inTransaction, type Row, type Statements } from "./rows.ts";
import { wordIds } from "./words.ts";

export function openLinks(db: Database, sql: Statements): Links {
  return {
    keywords: async (siteId) => reads.keywords(sql, siteId),
    setKeywords: async (siteId, keywords) => inTransaction(db, () => setKeywords(sql, siteId, keywords)),
    toScore: async (siteId, scorer) => inTransaction(db, () => toScore(sql, siteId, scorer)),
    pagesToScore: async (siteId, after, limit) => reads.pagesToScore(sql, siteId, after, limit),
    saveScores: async (siteId, judge, pages) => inTransaction(db, () => saveScores(sql, siteId, judge, pages)),
    async *matched(siteId) {
      yield* reads.matched(sql, siteId);
    },
    sources: async (siteId, linkId, limit) => reads.sources(sql, siteId, linkId, limit),
    facts: async (siteId, linkId) => reads.facts(sql, siteId, linkId),
    matchesOf: async (pageId) => reads.matchesOf(sql, pageId),
    unscored: async (siteId, runId, scorer, range) => reads.unscored(sql, siteId, runId, scorer, range),
    saveMatches: async (siteId, scorer, said) => inTransaction(db, () => saveMatches(sql, siteId, scorer, said)),
  };
}

function setKeywords(sql: Statements, siteId: number, keywords: readonly Keyword[]): void {
  const ids = wordIds(
    sql,
    keywords.map(({ word }) => word),
  );
  const listed = sql.get("SELECT word_id FROM keyword WHERE site_id = ?").all(siteId) as Row[];
  for (const { word_id } of listed.filter((row) => !ids.includes(Number(row.word_id)))) {
    sql.get("DELETE FROM keyword WHERE site_id = ? AND word_id = ?").run(siteId, word_id as number);
    sql.get("DELETE FROM link_keyword WHERE site_id = ? AND word_id = ?").run(siteId, word_id as number);
  }
  const set = sql.get(
    "INSERT INTO keyword (site_id, word_id, weight) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET weight = excluded.weight WHERE weight <> excluded.weight",
  );
  for (const [index, { weight }] of keywords.entries()) set.run(siteId, ids[index]!, weight);
}

const TO_SCORE = "FROM page WHERE site_id = ? AND id > ? AND version_id IS NOT NULL AND is_gone = 0";
const placeKey = (siteId: number) => `scoring.${siteId}`;

/** Begins anew if the words or the scorer are others than last time: what was half done cannot be told from what was not. */
function toScore(sql: Statements, siteId: number, scorer: string): ScoringToDo | undefined {
  const select =
    "SELECT w.word, k.word_id FROM keyword k JOIN word w ON w.id = k.word_id WHERE k.site_id = ? AND k.scorer <> ? ORDER BY w.id";
  const rows = sql.get(select).all(siteId, scorer) as Row[];
  if (rows.length === 0) return undefined;
  const judge = { scorer, words: rows.map(({ word }) => String(word)) };
  const began = sql.get("SELECT value FROM meta WHERE key = ?").get(placeKey(siteId)) as Row | undefined;
  const { after, ...before } = JSON.parse(String(began?.value ?? "{}")) as Partial<ScoringToDo>;
  const goesOn = JSON.stringify(before) === JSON.stringify(judge);
  if (!goesOn) {
    for (const { word_id } of rows) forgetMatches(sql, siteId, Number(word_id));
    putPlace(sql, siteId, judge, 0);
  }
  const place = goesOn ? (after ?? 0) : 0;
  const { pages } = sql.get(`SELECT count(*) AS pages ${TO_SCORE}`).get(siteId, place) as Row;
  if (pages !== 0 || place > 0) return { ...judge, after: place, pages: Number(pages) };
  saveScores(sql, siteId, judge, []);
  return undefined;
}

function forgetMatches(sql: Statements, siteId: number, wordId: number): void {
  sql.get("DELETE FROM link_keyword WHERE site_id = ? AND word_id = ? AND said IS NULL").run(siteId, wordId);
  sql.get("UPDATE link_keyword SET match = 0, holders = 0 WHERE site_id = ? AND word_id = ?").run(siteId, wordId);
}

function putPlace(sql: Statements, siteId: number, { scorer, words }: Judge, after: number): void {
  sql.get("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(placeKey(siteId), JSON.stringify({ scorer, words, after }));
}

type ScoredPage = { readonly pageId: number; readonly links: readonly LinkToKeep[] };

function saveScores(sql: Statements, siteId: number, judge: Judge, pages: readonly ScoredPage[]): void {
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

const FIRST_RUN = `SELECT min(ls.first_run_id) AS first FROM link_source ls JOIN page p ON p.id = ls.page_id WHERE ls.link_id = ? AND p.site_id = ?`;

const SAY = `INSERT INTO link_keyword (site_id, link_id, word_id, match, holders, said, scorer, comment, first_run_id)
  VALUES (:site, :link, :word, 0, 0, :said, :scorer, :comment, :first)
  ON CONFLICT DO UPDATE SET said = excluded.said, scorer = excluded.scorer, comment = excluded.comment`;

/** That a word does not apply needs saying only where somebody found that it does. */
const DENY = "UPDATE link_keyword SET said = 0, scorer = ?, comment = NULL WHERE site_id = ? AND link_id = ? AND word_id = ?";

function saveMatches(sql: Statements, siteId: number, scorer: string, said: readonly SaidMatch[]): void {
  const words = [...new Set(said.map(({ word }) => word))];
  const ids = new Map(wordIds(sql, words).map((id, index) => [words[index]!, id]));
  const firstRuns = new Map<number, unknown>();
  for (const { linkId, word, match, comment } of said) {
    const id = ids.get(word)!;
    if (match === 0) {
      sql.get(DENY).run(scorer, siteId, linkId, id);
      continue;
    }
    if (!firstRuns.has(linkId)) firstRuns.set(linkId, (sql.get(FIRST_RUN).get(linkId, siteId) as Row).first);
    const first = firstRuns.get(linkId);
    // A link that no page has any more has nothing to be said of.
    if (first === null) continue;
    const values = { site: siteId, link: linkId, word: id, said: match, scorer, comment: comment ?? null, first: Number(first) };
    sql.named(SAY).run(values);
  }
}
