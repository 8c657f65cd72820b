import type {
  Keyword,
  LinkFacts,
  LinkSource,
  LinkStore,
  MatchedLink,
  PageLink,
  PageToScore,
  RunRange,
  UnscoredLink,
  WordMatch,
} from "../links.ts";
import type { Row, Statements } from "./rows.ts";

export function keywords(sql: Statements, siteId: number): Keyword[] {
  const select =
    "SELECT w.word, k.weight FROM keyword k JOIN word w ON w.id = k.word_id WHERE k.site_id = ? ORDER BY k.weight DESC, w.word";
  return (sql.get(select).all(siteId) as Row[]).map(({ word, weight }) => ({ word: String(word), weight: Number(weight) }));
}

export function keywordsOfAny(sql: Statements, siteIds: readonly number[]): Keyword[] {
  const select = `SELECT k.site_id, w.word, k.weight FROM keyword k JOIN word w ON w.id = k.word_id
    WHERE k.site_id IN (SELECT value FROM json_each(?)) ORDER BY k.weight DESC, w.word`;
  const rows = sql.get(select).all(JSON.stringify(siteIds)) as Row[];
  if (rows.length === 0) return [];
  const places = new Map(siteIds.map((id, place) => [id, place]));
  const first = new Map<string, { place: number; weight: number }>();
  for (const { site_id, word, weight } of rows) {
    const place = places.get(Number(site_id))!;
    if (place < (first.get(String(word))?.place ?? Number.POSITIVE_INFINITY)) first.set(String(word), { place, weight: Number(weight) });
  }
  return [...first].map(([word, { weight }]) => ({ word, weight }));
}

export function pagesToScore(sql: Statements, siteId: number, after: number, limit: number): PageToScore[] {
  const select = `SELECT p.id, v.links FROM page p JOIN page_version v ON v.id = p.version_id
    WHERE p.site_id = ? AND p.id > ? AND p.is_gone = 0 AND v.links IS NOT NULL ORDER BY p.id LIMIT ?`;
  return (sql.get(select).all(siteId, after, limit) as Row[]).map(({ id, links }) => ({ pageId: Number(id), packed: links as Uint8Array }));
}

/** Returns thousands of rows at a time, one JSON array per column: handing over a row costs ten times as much as finding it. */
const MATCHED = `SELECT json_group_array(link_id) AS links, json_group_array(word_id) AS words, json_group_array(coalesce(said, match)) AS matches,
    json_group_array(iif(said IS NULL, 0, 1)) AS said, json_group_array(first_run_id) AS runs
  FROM (SELECT * FROM link_keyword WHERE site_id = ? AND first_run_id >= ? AND (link_id, word_id) > (?, ?) ORDER BY link_id, word_id LIMIT 32768)`;

/** Words outside the keyword list are included only if a model or plugin gave them. */
export function* matched(sql: Statements, siteId: number, sinceRun: number): Generator<MatchedLink> {
  const words = new Map((sql.get("SELECT id, word FROM word").all() as Row[]).map(({ id, word }) => [Number(id), String(word)]));
  const listed = new Set((sql.get("SELECT word_id FROM keyword WHERE site_id = ?").all(siteId) as Row[]).map((row) => Number(row.word_id)));
  let link: (MatchedLink & { matches: WordMatch[] }) | undefined;
  for (const { id, word, match, isSaid, run } of matchRows(sql, siteId, sinceRun)) {
    if (match <= 0 || !(isSaid || listed.has(word))) continue;
    if (link?.id !== id) {
      if (link) yield link;
      link = { id, firstRunId: run, matches: [] };
    }
    link.matches.push({ word: words.get(word)!, match });
  }
  if (link) yield link;
}

function* matchRows(sql: Statements, siteId: number, sinceRun: number) {
  for (let last = [0, 0]; ; ) {
    const block = sql.get(MATCHED).get(siteId, sinceRun, ...last) as Record<string, string>;
    const column = (name: string) => JSON.parse(block[name]!) as number[];
    const [ids, words, matches, given, runs] = ["links", "words", "matches", "said", "runs"].map(column) as [number[], ...number[][]];
    for (const [row, id] of ids.entries())
      yield { id, word: words![row]!, match: matches![row]!, isSaid: given![row] === 1, run: runs![row]! };
    if (ids.length === 0) return;
    last = [ids.at(-1)!, words!.at(-1)!];
  }
}

const CURRENT_SOURCES =
  "FROM link_source ls JOIN page p ON p.id = ls.page_id WHERE ls.link_id = ? AND ls.gone_run_id IS NULL AND p.site_id = ?";

export function sources(sql: Statements, siteId: number, linkId: number, limit: number): LinkSource[] {
  const select = `SELECT p.id, p.url, p.run_id, ls.text, ls.title, ls.heading, ls.context, ls.first_run_id ${CURRENT_SOURCES}
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

export function facts(sql: Statements, siteId: number, linkId: number): LinkFacts {
  const link = `SELECT l.url, (SELECT content_type FROM page WHERE hash = l.hash AND site_id = ?) AS type FROM link l WHERE l.id = ?`;
  const { url, type } = sql.get(link).get(siteId, linkId) as Row;
  const first = sql.get(`SELECT ls.text ${CURRENT_SOURCES} ORDER BY ls.page_id LIMIT 1`).get(linkId, siteId) as Row | undefined;
  const { pages } = sql.get(`SELECT count(*) AS pages ${CURRENT_SOURCES}`).get(linkId, siteId) as Row;
  const comments = sql
    .get("SELECT DISTINCT comment FROM link_keyword WHERE site_id = ? AND link_id = ? AND comment IS NOT NULL")
    .all(siteId, linkId) as Row[];
  return {
    url: String(url),
    contentType: (type as string | null) ?? undefined,
    text: String(first?.text ?? ""),
    pages: Number(pages),
    comments: comments.map(({ comment }) => String(comment)),
  };
}

const ON_PAGE = `SELECT l.id, l.url, (l.hash >> 32) & 0xffffffff AS hi, l.hash & 0xffffffff AS lo, w.word, coalesce(lk.said, lk.match) AS match
  FROM link_source ls JOIN page p ON p.id = ls.page_id JOIN link l ON l.id = ls.link_id
  JOIN link_keyword lk ON lk.site_id = p.site_id AND lk.link_id = ls.link_id JOIN word w ON w.id = lk.word_id
  LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
  WHERE ls.page_id = ? AND ls.gone_run_id IS NULL AND coalesce(lk.said, lk.match) > 0 AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL)
  ORDER BY ls.position`;

export function onPage(sql: Statements, pageId: number): PageLink[] {
  const links = new Map<number, PageLink & { matches: WordMatch[] }>();
  for (const row of sql.get(ON_PAGE).all(pageId) as Row[]) {
    const id = Number(row.id);
    const link = links.get(id) ?? { hash: { hi: Number(row.hi), lo: Number(row.lo) }, url: String(row.url), matches: [] };
    link.matches.push({ word: String(row.word), match: Number(row.match) });
    links.set(id, link);
  }
  return [...links.values()];
}

export async function matchesOf(sql: Statements, pageId: number): ReturnType<LinkStore["matchesOf"]> {
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

/** New or changed in this run or, if an earlier run left links unscored, since that run. */
const IN_RUN = `AND ((p.run_id = :run AND p.change IN ('new', 'changed'))
  OR EXISTS (SELECT 1 FROM page_version v WHERE v.id = p.version_id AND v.run_id >= :since AND v.run_id < :run))`;

const unscoredOn = (pages: string) => `SELECT DISTINCT ls.link_id FROM page p JOIN link_source ls ON ls.page_id = p.id
  WHERE p.site_id = :site ${pages} AND ls.gone_run_id IS NULL AND ls.link_id > :after
    AND NOT EXISTS (SELECT 1 FROM link_keyword lk WHERE lk.site_id = :site AND lk.link_id = ls.link_id AND lk.said IS NOT NULL AND lk.scorer = :scorer)
  ORDER BY ls.link_id LIMIT :limit`;

/** The page with the most text for the link; of several the first. */
const longestTextOn = (pages: string) => `SELECT l.id, l.url, ls.text, ls.title, ls.heading, ls.context
  FROM link l JOIN link_source ls ON ls.link_id = l.id JOIN page p ON p.id = ls.page_id
  WHERE l.id = :link AND p.site_id = :site ${pages} AND ls.gone_run_id IS NULL
  ORDER BY length(ls.text) * 1000 + length(ls.context) DESC, ls.page_id LIMIT 1`;

export function unscored(
  sql: Statements,
  siteId: number,
  runs: RunRange | undefined,
  scorer: string,
  { after, limit }: { after: number; limit: number },
): UnscoredLink[] {
  const pages = runs === undefined ? "" : IN_RUN;
  const ofRun = { site: siteId, ...(runs !== undefined && { run: runs.run, since: runs.since }) };
  const ids = sql.named(unscoredOn(pages)).all({ ...ofRun, scorer, after, limit });
  const rows = ids.map(({ link_id: link }) => sql.named(longestTextOn(pages)).get({ ...ofRun, link: Number(link) })!);
  return rows.map((row) => ({ linkId: Number(row.id), url: String(row.url), ...wordsOf(row) }));
}
