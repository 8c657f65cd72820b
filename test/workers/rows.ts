/** What a crawl has left in its database, as lines that do not depend on who was first: no ids, no moments, no count of those who named a page before it was fetched. */
import type { Row } from "./database.ts";

const parts = {
  pages: `SELECT p.url, p.status, p.content_type, p.depth, p.change, p.bytes, p.moved_to, v.number, v.type, v.charset, v.metadata, v.canonical, v.noindex, v.nofollow,
    v.text_hash, v.links_hash, v.simhash, v.word_count, v.link_count, v.body_hash FROM page p LEFT JOIN page_version v ON v.id = p.version_id`,
  links: `SELECT p.url AS page, l.url, s.text, s.title, s.heading, s.context, s.position, s.matches
    FROM link_source s JOIN page p ON p.id = s.page_id JOIN link l ON l.id = s.link_id WHERE s.gone_run_id IS NULL`,
  matches: `SELECT t.key AS site, l.url, w.word, k.match, k.holders, k.said, k.scorer
    FROM link_keyword k JOIN site t ON t.id = k.site_id JOIN link l ON l.id = k.link_id JOIN word w ON w.id = k.word_id`,
  scores: "SELECT t.key AS site, l.url, s.score FROM link_score s JOIN site t ON t.id = s.site_id JOIN link l ON l.id = s.link_id",
  decisions: "SELECT url, kind, depth, verdict, reason, rule, status, target FROM decision",
  changes: "SELECT p.url, c.status FROM change c JOIN page p ON p.id = c.page_id",
  counts: "SELECT t.key AS site, c.stored, c.gone FROM page_count c JOIN site t ON t.id = c.site_id",
};

export type Part = keyof typeof parts;
export type Rows = Record<Part, readonly string[]>;

export async function rowsOf(query: (sql: string) => Row[] | Promise<Row[]>): Promise<Rows> {
  const read = Object.entries(parts).map(async ([part, sql]) => [part, (await query(sql)).map(line).sort()] as const);
  return Object.fromEntries(await Promise.all(read)) as unknown as Rows;
}

/** One driver gives large numbers as text, the other as numbers. */
const line = (row: Row): string => Object.values(row).map(String).join(" | ");

/** Lines that only one of them has, so many of each part as a person can read. */
export function differences(one: Rows, other: Rows, most = 5): string[] {
  return Object.keys(parts).flatMap((part) => {
    const [ours, theirs] = [one[part as Part], other[part as Part]].map((lines) => new Set(lines));
    const alone = (mark: string, of: Set<string>, against: Set<string>) =>
      [...of].filter((text) => !against.has(text)).map((text) => `${part} ${mark} ${text}`);
    const lost =
      ours!.size === one[part as Part].length && theirs!.size === other[part as Part].length ? [] : [`${part}: a line stands there twice`];
    return [...lost, ...alone("-", ours!, theirs!).slice(0, most), ...alone("+", theirs!, ours!).slice(0, most)];
  });
}
