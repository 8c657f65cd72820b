import type { Keyword, LinkSource, Links, MatchedLink, PageToScore, UnscoredLink, WordMatch } from "../links.ts";
import type { Row, Statements } from "./rows.ts";

export function keywords(sql: Statements, siteId: number): Keyword[] {
  const select =
    "SELECT w.word, k.weight FROM keyword k JOIN word w ON w.id = k.word_id WHERE k.site_id = ? ORDER BY k.weight DESC, w.word";
  return (sql.get(select).all(siteId) as Row[]).map(({ word, weight }) => ({ word: String(word), weight: Number(weight) }));
}

export function pagesToScore(sql: Statements, siteId: number, after: number, limit: number): PageToScore[] {
  const select = `SELECT p.id, v.links FROM page p JOIN page_version v ON v.id = p.version_id
    WHERE p.site_id = ? AND p.id > ? AND p.is_gone = 0 AND v.links IS NOT NULL ORDER BY p.id LIMIT ?`;
  return (sql.get(select).all(siteId, after, limit) as Row[]).map(({ id, links }) => ({ pageId: Number(id), packed: links as Uint8Array }));
}

/** Of words that are not in the list only those that somebody named unasked. */
const MATCHED = `SELECT lk.link_id, l.url, lk.first_run_id, w.word, coalesce(lk.said, lk.match) AS match, lk.scorer, lk.comment
  FROM link_keyword lk JOIN link l ON l.id = lk.link_id JOIN word w ON w.id = lk.word_id
  LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
  WHERE lk.site_id = ? AND coalesce(lk.said, lk.match) > 0 AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL) ORDER BY lk.link_id`;

export function* matched(sql: Statements, siteId: number): Generator<MatchedLink> {
  let link: (MatchedLink & { matches: WordMatch[] }) | undefined;
  for (const row of sql.fresh(MATCHED).iterate(siteId) as Iterable<Row>) {
    const id = Number(row.link_id);
    if (link?.id !== id) {
      if (link) yield link;
      link = { id, siteId, url: String(row.url), firstRunId: Number(row.first_run_id), matches: [] };
    }
    const comment = (row.comment as string | null) ?? undefined;
    link.matches.push({ word: String(row.word), match: Number(row.match), scorer: String(row.scorer), comment });
  }
  if (link) yield link;
}

const STANDING = "FROM link_source ls JOIN page p ON p.id = ls.page_id WHERE ls.link_id = ? AND ls.gone_run_id IS NULL AND p.site_id = ?";

export function sources(sql: Statements, siteId: number, linkId: number, limit: number): LinkSource[] {
  const select = `SELECT p.id, p.url, p.run_id, ls.text, ls.title, ls.heading, ls.context, ls.first_run_id ${STANDING}
    ORDER BY ls.first_run_id, p.id LIMIT ?`;
  return (sql.get(select).all(linkId, siteId, limit) as Row[]).map((row) => ({
    pageId: Number(row.id),
    page: String(row.url),
    ...wordsOf(row),
    firstRunId: Number(row.first_run_id),
    lastRunId: Number(row.run_id),
  }));
}

const wordsOf = ({ text, title, heading, context }: Row) => ({
  text: String(text),
  title: String(title),
  heading: String(heading),
  context: String(context),
});

export const sourceCount = (sql: Statements, siteId: number, linkId: number): number =>
  Number((sql.get(`SELECT count(*) AS pages ${STANDING}`).get(linkId, siteId) as Row).pages);

export async function matchesOf(sql: Statements, pageId: number): ReturnType<Links["matchesOf"]> {
  const select = `SELECT (l.hash >> 32) & 0xffffffff AS hi, l.hash & 0xffffffff AS lo, ls.matches
    FROM link_source ls JOIN link l ON l.id = ls.link_id WHERE ls.page_id = ? AND ls.gone_run_id IS NULL AND ls.matches <> '{}'`;
  const word = sql.get("SELECT word FROM word WHERE id = ?");
  return (sql.get(select).all(pageId) as Row[]).map((row) => ({
    hash: { hi: Number(row.hi), lo: Number(row.lo) },
    matches: Object.entries(JSON.parse(String(row.matches)) as Record<string, number>).map(([id, match]) => ({
      word: String((word.get(Number(id)) as Row).word),
      match,
    })),
  }));
}

const IN_RUN = "AND p.run_id = :run AND p.change IN ('new', 'changed')";

/** The page that says most of it: with the longest text, the first such. */
const unscoredOn = (
  pages: string,
) => `SELECT l.id, l.url, ls.text, ls.title, ls.heading, ls.context, max(length(ls.text) * 1000 + length(ls.context)) AS most
  FROM page p JOIN link_source ls ON ls.page_id = p.id JOIN link l ON l.id = ls.link_id
  WHERE p.site_id = :site ${pages} AND ls.gone_run_id IS NULL AND ls.link_id > :after
    AND NOT EXISTS (SELECT 1 FROM link_keyword lk WHERE lk.site_id = :site AND lk.link_id = l.id AND lk.said IS NOT NULL AND lk.scorer = :scorer)
  GROUP BY l.id ORDER BY l.id LIMIT :limit`;

export function unscored(
  sql: Statements,
  siteId: number,
  runId: number | undefined,
  scorer: string,
  { after, limit }: { after: number; limit: number },
): UnscoredLink[] {
  const range = { site: siteId, scorer, after, limit };
  const rows = (
    runId === undefined ? sql.fresh(unscoredOn("")).all(range) : sql.fresh(unscoredOn(IN_RUN)).all({ ...range, run: runId })
  ) as Row[];
  return rows.map((row) => ({ linkId: Number(row.id), url: String(row.url), ...wordsOf(row) }));
}
