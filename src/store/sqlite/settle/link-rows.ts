import type { FoundLink, LinkToStore, ScorerSpec } from "../../links.ts";
import { type Row, type Statements, toInt64 } from "../rows.ts";
import { wordIds } from "../words.ts";
import { MatchTable } from "./match-table.ts";

const SOURCES = `SELECT ls.link_id, ls.text, ls.title, ls.heading, ls.context, ls.matches, ls.gone_run_id, ls.first_run_id,
    (l.hash >> 32) & 0xffffffff AS hi, l.hash & 0xffffffff AS lo
  FROM link_source ls JOIN link l ON l.id = ls.link_id WHERE ls.page_id = ?`;

const CURRENT_SOURCES = `${SOURCES} AND ls.gone_run_id IS NULL`;

const CURRENT_SOURCES_OF_PART = `${CURRENT_SOURCES} AND (l.hash & 0xffffffff) % ? = ?`;

const SOURCE_OF_LINK = `${SOURCES} AND ls.link_id = ?`;

const SOURCE = `INSERT INTO link_source (page_id, link_id, version_id, position, text, title, heading, context, matches, first_run_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (page_id, link_id) DO UPDATE SET version_id = excluded.version_id, position = excluded.position, text = excluded.text,
    title = excluded.title, heading = excluded.heading, context = excluded.context, matches = excluded.matches, gone_run_id = NULL`;

const EARLIER = "SELECT run_id, link_index FROM page_version WHERE page_id = ? AND id <> ? ORDER BY number DESC";

const NO_INDEX = new Uint8Array(0);

/** How far words apply (0–1), by word id. */
export type Matches = ReadonlyMap<number, number>;
const NO_MATCHES: Matches = new Map();

export interface LinkPage {
  readonly pageId: number;
  readonly siteId: number;
  readonly runId: number;
  /** 0 if the version is not stored yet. */
  readonly versionId: number;
  /** True if no version of the page is stored yet. */
  readonly isFirst: boolean;
  /** Hashes of all its links, including those without a row. */
  readonly linkIndex: Uint8Array;
}

interface EarlierVersion {
  readonly runId: number;
  readonly index: Uint8Array;
  /** The hashes of the index, unpacked when they are needed. */
  hashes?: ReadonlySet<string>;
}

/** The links whose hash modulo `of` is `index`. */
export interface HashPart {
  readonly index: number;
  readonly of: number;
}

/** By both halves of a link's hash, with a point in between. */
export type LinkIds = Map<string, number>;

/** Writes the links of pages as rows, within one transaction. Only differences are written. */
export class LinkRows {
  readonly #sql: Statements;
  readonly #words: readonly number[];
  readonly #table: MatchTable;
  readonly #linkIds: LinkIds;
  /** Links of the versions before this one, latest first. */
  #earlier: { readonly versionId: number; readonly versions: readonly EarlierVersion[] } | undefined;
  readonly newLinks: FoundLink[] = [];

  constructor(sql: Statements, scorerSpec: ScorerSpec = { scorer: "", words: [] }, linkIds: LinkIds = new Map()) {
    this.#sql = sql;
    this.#linkIds = linkIds;
    this.#words = wordIds(sql, scorerSpec.words);
    this.#table = new MatchTable(sql, scorerSpec.scorer);
  }

  /** Stores the URLs of links, without the page that has them. */
  storeUrls(links: readonly LinkToStore[]): void {
    for (const link of links) this.#linkId(link, keyOf(link));
  }

  /** Stores the current links of a page that was read, or one part of them. */
  store(page: LinkPage, links: readonly LinkToStore[], part?: HashPart): void {
    const before = page.isFirst ? new Map<number, Row>() : this.#currentSourcesOf(page.pageId, part);
    for (const [key, { link, matches }] of this.#merged(links)) {
      const linkId = this.#linkId(link, key);
      const current = before.get(linkId);
      before.delete(linkId);
      const known = current ?? (page.isFirst ? undefined : this.#sourceOf(page.pageId, linkId));
      const counted = current ? matchesIn(current) : NO_MATCHES;
      this.#write(page, { linkId, link, matches, counted, json: jsonOf(matches), known });
    }
    if (before.size > 0) this.#removeMissing(page, before);
  }

  /** The links of a stored version were scored for more words, or by another scorer. */
  rescore(page: LinkPage, links: readonly LinkToStore[]): void {
    const before = this.#sourcesOf(page.pageId);
    const scoredWords = new Set(this.#words);
    const set = this.#sql.get("UPDATE link_source SET matches = ? WHERE page_id = ? AND link_id = ?");
    const others = (row: Row) => [...matchesIn(row)].filter(([word]) => !scoredWords.has(word));
    for (const [key, { link, matches }] of this.#merged(links)) {
      const linkId = this.#linkId(link, key);
      const known = before.get(linkId);
      before.delete(linkId);
      if (known?.gone_run_id !== null) this.#write(page, { linkId, link, matches, counted: new Map(), json: jsonOf(matches), known });
      else {
        set.run(jsonOf(new Map([...others(known), ...matches])), page.pageId, linkId);
        this.#table.count({ siteId: page.siteId, linkId }, new Map(), matches);
      }
    }
    for (const [linkId, row] of before) {
      const json = jsonOf(new Map(others(row)));
      if (json !== row.matches) set.run(json, page.pageId, linkId);
    }
  }

  /** The page is gone, so all its links are marked as gone. */
  markAllGone({ pageId, siteId, runId }: Pick<LinkPage, "pageId" | "siteId" | "runId">): void {
    for (const [linkId, row] of this.#sourcesOf(pageId)) if (row.gone_run_id === null) this.#markGone(siteId, pageId, linkId, row, runId);
  }

  /** Reverts what a run found on a page: links that it added or removed. */
  undo({ pageId, siteId, runId }: Pick<LinkPage, "pageId" | "siteId" | "runId">): void {
    for (const [linkId, row] of this.#sourcesOf(pageId)) {
      if (row.gone_run_id === runId) {
        this.#sql.get("UPDATE link_source SET gone_run_id = NULL WHERE page_id = ? AND link_id = ?").run(pageId, linkId);
        this.#table.count({ siteId, linkId }, new Map(), matchesIn(row));
      } else if (row.first_run_id === runId) {
        this.#sql.get("DELETE FROM link_source WHERE page_id = ? AND link_id = ?").run(pageId, linkId);
        if (row.gone_run_id === null) this.#uncount(siteId, linkId, row);
      }
    }
  }

  /** Removes all links of a page that is being deleted. */
  remove(pageId: number, siteId: number): void {
    const rows = this.#sourcesOf(pageId);
    if (rows.size === 0) return;
    this.#sql.get("DELETE FROM link_source WHERE page_id = ?").run(pageId);
    for (const [linkId, row] of rows) if (row.gone_run_id === null) this.#uncount(siteId, linkId, row);
  }

  /** Writes the changes that are shared by several pages once. */
  flush(): void {
    this.#table.flush();
  }

  /** Without the rows of links that are gone, which become more with every run of a page that changes all its links. */
  #currentSourcesOf(pageId: number, part?: HashPart): Map<number, Row> {
    if (!part) return this.#byLinkId(this.#sql.get(CURRENT_SOURCES).all(pageId) as Row[]);
    return this.#byLinkId(this.#sql.get(CURRENT_SOURCES_OF_PART).all(pageId, part.of, part.index) as Row[]);
  }

  #sourcesOf(pageId: number): Map<number, Row> {
    return this.#byLinkId(this.#sql.get(SOURCES).all(pageId) as Row[]);
  }

  #sourceOf(pageId: number, linkId: number): Row | undefined {
    return this.#sql.get(SOURCE_OF_LINK).get(pageId, linkId) as Row | undefined;
  }

  /** Its links need no look-up afterwards: of a page with 20,000 links those took a quarter of the transaction. */
  #byLinkId(rows: readonly Row[]): Map<number, Row> {
    const sources = new Map<number, Row>();
    for (const row of rows) {
      const linkId = Number(row.link_id);
      sources.set(linkId, row);
      this.#linkIds.set(`${row.hi}.${row.lo}`, linkId);
    }
    return sources;
  }

  #write(
    page: LinkPage,
    given: { linkId: number; link: LinkToStore; matches: Matches; counted: Matches; json: string; known: Row | undefined },
  ): void {
    const { linkId, link, matches, counted, json, known } = given;
    const firstRunId = known ? undefined : this.#firstRun(page, link);
    const isSameText =
      known?.text === link.text && known.title === link.title && known.heading === link.heading && known.context === link.block;
    if (!isSameText || known.gone_run_id !== null || known.matches !== json) {
      const { position, text, title, heading, block } = link;
      this.#sql.get(SOURCE).run(page.pageId, linkId, page.versionId, position, text, title, heading, block, json, firstRunId ?? 0);
    }
    if (known && known.text !== link.text) this.#table.clearGiven(page.siteId, linkId);
    const isNew = this.#table.count({ siteId: page.siteId, linkId }, counted, matches, firstRunId);
    for (const word of link.said ?? []) this.#table.setGiven({ siteId: page.siteId, linkId }, word);
    if (isNew && firstRunId === page.runId) this.newLinks.push({ siteId: page.siteId, url: link.url, matches: this.#places(matches) });
  }

  #places = (matches: Matches): [number, number][] => [...matches].map(([word, match]) => [this.#words.indexOf(word), match]);

  /** Handles rows no longer kept for a page: the link is gone from it, or is still there and no longer matches. */
  #removeMissing(page: LinkPage, rows: ReadonlyMap<number, Row>): void {
    const currentHashes = hashesIn(page.linkIndex);
    const drop = this.#sql.get("DELETE FROM link_source WHERE page_id = ? AND link_id = ?");
    for (const [linkId, row] of rows) {
      if (row.gone_run_id !== null) continue;
      if (!currentHashes.has(`${row.hi}.${row.lo}`)) this.#markGone(page.siteId, page.pageId, linkId, row, page.runId);
      else {
        drop.run(page.pageId, linkId);
        this.#table.count({ siteId: page.siteId, linkId }, matchesIn(row), new Map());
      }
    }
  }

  #markGone(siteId: number, pageId: number, linkId: number, row: Row, runId: number): void {
    this.#sql.get("UPDATE link_source SET gone_run_id = ? WHERE page_id = ? AND link_id = ?").run(runId, pageId, linkId);
    this.#uncount(siteId, linkId, row);
  }

  #uncount(siteId: number, linkId: number, row: Row): void {
    this.#table.count({ siteId, linkId }, matchesIn(row), new Map());
    if (!isLinkOnSite(this.#sql, siteId, linkId)) this.#table.drop(siteId, linkId);
  }

  /** The run that first saw the link: it may have been on earlier versions before its words were asked for. */
  #firstRun({ pageId, versionId, runId, isFirst }: LinkPage, { hash }: LinkToStore): number {
    if (isFirst) return runId;
    if (this.#earlier?.versionId !== versionId) {
      const rows = this.#sql.get(EARLIER).all(pageId, versionId) as Row[];
      const versions = rows.map((row) => ({ runId: Number(row.run_id), index: (row.link_index as Uint8Array | null) ?? NO_INDEX }));
      this.#earlier = { versionId, versions };
    }
    let first = runId;
    for (const version of this.#earlier.versions) {
      version.hashes ??= hashesIn(version.index);
      if (!version.hashes.has(`${hash.hi}.${hash.lo}`)) break;
      first = version.runId;
    }
    return first;
  }

  /** A page may have a link several times; the occurrence with the best matches is kept. */
  #merged(links: readonly LinkToStore[]): ReadonlyMap<string, { link: LinkToStore; matches: Matches }> {
    const merged = new Map<string, { link: LinkToStore; matches: Matches }>();
    for (const link of links) {
      const key = keyOf(link);
      const known = merged.get(key);
      const matches = this.#withMatches(known?.matches ?? NO_MATCHES, link);
      merged.set(key, { link: known ? bestOf(known.link, link) : link, matches });
    }
    return merged;
  }

  #withMatches(known: Matches, link: LinkToStore): Matches {
    if (link.matches.length === 0) return known;
    const matches = new Map(known);
    for (const [place, match] of link.matches) {
      const word = this.#words[place]!;
      matches.set(word, Math.max(match, matches.get(word) ?? 0));
    }
    return matches;
  }

  #linkId({ hash, url }: LinkToStore, key: string): number {
    let id = this.#linkIds.get(key);
    if (id !== undefined) return id;
    const number = toInt64(hash);
    const find = this.#sql.get("SELECT id FROM link WHERE hash = ?");
    const add = this.#sql.get("INSERT INTO link (hash, url) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id");
    id = Number(((find.get(number) ?? add.get(number, url) ?? find.get(number)) as Row).id);
    this.#linkIds.set(key, id);
    return id;
  }
}

const totalMatch = (link: LinkToStore): number => link.matches.reduce((sum, [, match]) => sum + match, link.text === "" ? 0 : 0.001);

/** The occurrence with the best matches, and what models said of both. */
function bestOf(first: LinkToStore, second: LinkToStore): LinkToStore {
  const [best, other] = totalMatch(first) >= totalMatch(second) ? [first, second] : [second, first];
  return other.said ? { ...best, said: [...(best.said ?? []), ...other.said] } : best;
}

const keyOf = ({ hash }: LinkToStore): string => `${hash.hi}.${hash.lo}`;

/** Whether a current page of the site has the link. */
export const isLinkOnSite = (sql: Statements, siteId: number, linkId: number): boolean =>
  sql
    .get(
      "SELECT 1 FROM link_source ls JOIN page p ON p.id = ls.page_id WHERE ls.link_id = ? AND ls.gone_run_id IS NULL AND p.site_id = ? LIMIT 1",
    )
    .get(linkId, siteId) !== undefined;

/** JSON by word id. Most links have one word, which is written without `JSON.stringify`. */
function jsonOf(matches: Matches): string {
  if (matches.size === 0) return "{}";
  const [only] = matches;
  return only && matches.size === 1 ? `{"${only[0]}":${only[1]}}` : JSON.stringify(Object.fromEntries(matches));
}

function matchesIn(row: Row | undefined): Matches {
  const json = String(row?.matches ?? "{}");
  if (json === "{}") return NO_MATCHES;
  return new Map(Object.entries(JSON.parse(json) as Record<string, number>).map(([word, match]) => [Number(word), match]));
}

/** An index holds eight bytes of hash per link, and then one byte per link. */
function hashesIn(index: Uint8Array): Set<string> {
  const count = index.length / 9;
  const numbers = new Uint32Array(index.slice(0, 8 * count).buffer);
  return new Set(Array.from({ length: count }, (_, place) => `${numbers[2 * place]}.${numbers[2 * place + 1]}`));
}
