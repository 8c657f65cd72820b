import { setImmediate as othersFirst } from "node:timers/promises";
import type { Change, Hash64, Via } from "../../../core/records.ts";
import type { GraphNode, List, ListedInlink, TreeBranch } from "../../lists.ts";
import type { Row, Statements } from "../rows.ts";
import { SCORE } from "./changes.ts";

const SLICE = 4000;

/** Up to the next slash after the prefix; without a prefix, up to the first slash of the path. The query string is ignored. */
const URL_WITHOUT_QUERY = "substr(p.url, 1, instr(p.url || '?', '?') - 1)";
const branchOf = (prefix: string) =>
  prefix === ""
    ? `substr(${URL_WITHOUT_QUERY}, 1, instr(substr(${URL_WITHOUT_QUERY}, 9), '/') + 8)`
    : `substr(${URL_WITHOUT_QUERY}, 1, length(:prefix) + min(instr(substr(${URL_WITHOUT_QUERY}, length(:prefix) + 1) || '/', '/'), length(substr(${URL_WITHOUT_QUERY}, length(:prefix) + 1))))`;

const PAGES = "page p INDEXED BY page_stored WHERE p.site_id = :site AND p.version_id IS NOT NULL AND p.id > :after";
const SLICE_END = `SELECT p.id FROM page p INDEXED BY page_stored WHERE p.site_id = :site AND p.id > :after ORDER BY p.id LIMIT 1 OFFSET ${SLICE - 1}`;
const HIGH =
  "SELECT 1 FROM link l JOIN link_score s ON s.link_id = l.id AND s.site_id = p.site_id WHERE l.hash = p.hash AND s.score >= 0.8";

const treeSql = (
  prefix: string,
) => `SELECT branch, status, count(*) AS rows, sum(gone = 0) AS pages, max(length(bare) > length(branch)) AS more, sum(changed) AS changed,
    sum(gone) AS gone, sum(high) AS high, min(id) AS page
  FROM (SELECT p.id, ${branchOf(prefix)} AS branch, ${URL_WITHOUT_QUERY} AS bare, p.status / 100 AS status, (p.change = 'changed' AND p.run_id = :run) AS changed, p.is_gone AS gone,
      EXISTS (${HIGH}) AS high
    FROM ${PAGES} AND (:until IS NULL OR p.id <= :until) AND substr(p.url, 1, length(:prefix)) = :prefix)
  GROUP BY branch, status`;

const LAST_CRAWL = "SELECT max(r.id) AS id FROM run_site rs JOIN run r ON r.id = rs.run_id WHERE rs.site_id = ? AND r.kind = 'crawl'";

interface MutableBranch {
  prefix: string;
  pages: number;
  hasMore: boolean;
  status: Record<string, number>;
  changed: number;
  gone: number;
  high: number;
  pageId: number | null;
}

export async function tree(sql: Statements, siteId: number, prefix: string, signal: AbortSignal | undefined): Promise<TreeBranch[]> {
  const branches = new Map<string, MutableBranch>();
  const select = sql.named(treeSql(prefix));
  const run = Number((sql.get(LAST_CRAWL).get(siteId) as Row).id ?? 0);
  for await (const { after, until } of slicesOf(sql, siteId, 0, signal))
    for (const row of select.all({ site: siteId, after, until: until ?? null, prefix, run })) add(branches, row);
  return [...branches.values()].sort((a, b) => b.pages - a.pages || (a.prefix < b.prefix ? -1 : 1));
}

function add(branches: Map<string, MutableBranch>, row: Row): void {
  const prefix = String(row.branch);
  const branch = branches.get(prefix) ?? { prefix, pages: 0, hasMore: false, status: {}, changed: 0, gone: 0, high: 0, pageId: null };
  branch.pageId = !branches.has(prefix) && Number(row.rows) === 1 && row.more !== 1 ? Number(row.page) : null;
  branch.pages += Number(row.pages);
  branch.hasMore ||= row.more === 1;
  branch.status[`${row.status}xx`] = (branch.status[`${row.status}xx`] ?? 0) + Number(row.rows);
  branch.changed += Number(row.changed);
  branch.gone += Number(row.gone);
  branch.high += Number(row.high);
  branches.set(prefix, branch);
}

/** The pages of a site, some thousand at a time; other requests run in between. */
async function* slicesOf(sql: Statements, siteId: number, from: number, signal: AbortSignal | undefined) {
  for (let after = from; ; ) {
    const row = sql.named(SLICE_END).get({ site: siteId, after });
    const until = row && Number(row.id);
    yield { after, until };
    if (until === undefined) return;
    after = until;
    await othersFirst();
    signal?.throwIfAborted();
  }
}

const hashFrom = (row: Row): Hash64 => ({ hi: Number(row.hi), lo: Number(row.lo) });

export function pageHash(sql: Statements, id: number): Hash64 | undefined {
  const row = sql.get("SELECT (hash >> 32) & 0xffffffff AS hi, hash & 0xffffffff AS lo FROM page WHERE id = ?").get(id) as Row | undefined;
  return row && hashFrom(row);
}

const GRAPH = `SELECT p.id, p.url, p.parent_url, p.depth, p.status, p.change, p.via, (p.hash >> 32) & 0xffffffff AS hi, p.hash & 0xffffffff AS lo,
    coalesce((SELECT pc.metadata ->> '$.title' FROM page_card pc WHERE pc.page_id = p.id), v.metadata ->> '$.title.value') AS title, ${SCORE} AS score
  FROM page p INDEXED BY page_stored CROSS JOIN page_version v ON v.id = p.version_id
  WHERE p.site_id = ? AND p.version_id IS NOT NULL AND p.is_gone = 0 ORDER BY p.id LIMIT ?`;

export function graph(sql: Statements, siteId: number, limit: number): GraphNode[] {
  return (sql.get(GRAPH).all(siteId, limit) as Row[]).map((row) => ({
    id: Number(row.id),
    url: String(row.url),
    title: row.title === null ? undefined : String(row.title),
    parentUrl: row.parent_url === null ? undefined : String(row.parent_url),
    depth: Number(row.depth),
    status: Number(row.status),
    change: row.change as Change,
    via: row.via as Via,
    hash: hashFrom(row),
    score: Number(row.score),
  }));
}

const INDEXES = `SELECT p.id, p.url, v.link_index FROM page p INDEXED BY page_stored CROSS JOIN page_version v ON v.id = p.version_id
  WHERE p.site_id = ? AND p.version_id IS NOT NULL AND p.is_gone = 0 AND p.id > ? AND v.link_index IS NOT NULL ORDER BY p.id LIMIT 500`;

interface InlinkFilter {
  readonly siteId: number;
  readonly hash: Hash64;
}

/** Links are stored with the page that has them, as hashes, so inlinks are found by scanning those. */
export const openInlinkList = (sql: Statements): List<InlinkFilter, ListedInlink> => ({
  sorts: ["page"],
  async part(filter, { after, limit, signal }) {
    const rows: ListedInlink[] = [];
    for await (const one of inlinks(sql, filter, Number(after?.[0] ?? 0), signal)) {
      if (rows.length === limit) return { rows, next: [rows.at(-1)!.pageId] };
      rows.push(one);
    }
    return { rows, next: undefined };
  },
  async count(filter, signal) {
    let count = 0;
    for await (const _ of inlinks(sql, filter, 0, signal)) count += 1;
    return count;
  },
});

async function* inlinks(sql: Statements, { siteId, hash }: InlinkFilter, from: number, signal: AbortSignal | undefined) {
  for (let after = from; ; ) {
    const rows = sql.get(INDEXES).all(siteId, after) as Row[];
    for (const row of rows) {
      if (hasLinkTo(row.link_index as Uint8Array, hash)) yield { pageId: Number(row.id), page: String(row.url) };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = Number(last.id);
    await othersFirst();
    signal?.throwIfAborted();
  }
}

/** Nine bytes per link: first the hashes of all links, then one flag byte for each. */
function hasLinkTo(index: Uint8Array, { hi, lo }: Hash64): boolean {
  const count = Math.floor(index.length / 9);
  const hashes = new Uint32Array(index.slice(0, 8 * count).buffer);
  for (let at = 0; at < hashes.length; at += 2) if (hashes[at] === hi && hashes[at + 1] === lo) return true;
  return false;
}
