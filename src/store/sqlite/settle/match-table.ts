import type { Row, Statements } from "../rows.ts";
import { wordIds } from "../words.ts";
import { rescoreLink } from "./link-scores.ts";

interface MatchRow {
  readonly place: LinkOnSite;
  readonly word: number;
  match: number;
  /** Number of pages with that match. */
  holders: number;
  said: number | null;
  scorer: string;
  comment: string | null;
  firstRunId: number;
  isStored: boolean;
  isChanged: boolean;
  /** Match and first run when last written: the link's score depends on nothing else. */
  scoreState: string;
  /** Only the number of holders has changed. */
  isCountChanged: boolean;
}

interface LinkOnSite {
  readonly siteId: number;
  readonly linkId: number;
}

const FIRST = `SELECT min(ls.first_run_id) AS first, count(*) AS sources FROM link_source ls JOIN page p ON p.id = ls.page_id
  WHERE ls.link_id = ? AND p.site_id = ?`;

const HIGHEST_MATCH = `SELECT match, count(*) AS holders FROM (
    SELECT CAST(json_extract(ls.matches, '$."' || :word || '"') AS REAL) AS match FROM link_source ls JOIN page p ON p.id = ls.page_id
    WHERE ls.link_id = :link AND ls.gone_run_id IS NULL AND p.site_id = :site)
  WHERE match > 0 GROUP BY match ORDER BY match DESC LIMIT 1`;

const SAVE = `INSERT INTO link_keyword (site_id, link_id, word_id, match, holders, said, scorer, comment, first_run_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET match = excluded.match, holders = excluded.holders, said = excluded.said, scorer = excluded.scorer,
    comment = excluded.comment, first_run_id = excluded.first_run_id`;

/** Updates only the count, so that the index of matches is not touched. */
const COUNT = "UPDATE link_keyword SET holders = ? WHERE site_id = ? AND link_id = ? AND word_id = ?";

const NO_STATE = "";
const scoreStateOf = ({ match, holders, said, firstRunId }: MatchRow) =>
  holders > 0 || said !== null ? `${said ?? match} ${firstRunId}` : NO_STATE;

const keyOf = ({ siteId, linkId }: LinkOnSite, word: number) => `${siteId}.${linkId}.${word}`;

/**
 * `link_keyword` within one transaction: the highest match of each word over all pages that have a link. The pages with the highest match
 * are counted, so that a link on every page is looked up everywhere only when the last of these pages loses it. Matches have two digits,
 * so this can happen at most a hundred times per word and link, and not once per page.
 */
export class MatchTable {
  readonly #sql: Statements;
  readonly #scorer: string;
  readonly #rows = new Map<string, MatchRow | undefined>();
  readonly #held = new Set<number>();
  /** Links whose score must be recomputed. */
  readonly #changedLinks = new Map<string, LinkOnSite>();

  constructor(sql: Statements, scorer: string) {
    this.#sql = sql;
    this.#scorer = scorer;
  }

  /** Replaces one page's matches for a link. Returns whether this is the first page of the site that ever had it. */
  count(
    place: LinkOnSite,
    before: ReadonlyMap<number, number>,
    after: ReadonlyMap<number, number>,
    firstRunId = Number.POSITIVE_INFINITY,
  ): boolean {
    let isNew = false;
    for (const [word, match] of after) {
      const old = before.get(word) ?? 0;
      const held = this.#at(place, word);
      if (!held) isNew = this.#add(place, word, match);
      else if (old !== match) this.#move(place, word, held, old, match);
      if (held && firstRunId < held.firstRunId) Object.assign(held, { firstRunId, isChanged: true });
    }
    for (const [word, match] of before) {
      const held = after.has(word) ? undefined : this.#at(place, word);
      if (held) this.#move(place, word, held, match, 0);
    }
    return isNew;
  }

  /** Stores a match given by a model or plugin, which overrides the scorer's. */
  setGiven(
    place: LinkOnSite,
    { word, match, scorer, comment = null }: { word: string; match: number; scorer: string; comment?: string | null | undefined },
  ): void {
    const [id] = wordIds(this.#sql, [word]) as [number];
    const held = this.#at(place, id);
    const said = { said: match, scorer, comment, isChanged: true };
    // A match of 0 is stored only to override an existing match.
    if (held) Object.assign(held, said);
    else if (match > 0) {
      const { first } = this.#sql.get(FIRST).get(place.linkId, place.siteId) as Row;
      this.#rows.set(keyOf(place, id), {
        place,
        word: id,
        match: 0,
        holders: 0,
        firstRunId: Number(first),
        isStored: false,
        isCountChanged: false,
        scoreState: NO_STATE,
        ...said,
      });
    }
  }

  /** The link's text changed, so given matches are no longer valid. */
  clearGiven(siteId: number, linkId: number): void {
    this.#lockSite(siteId);
    const site = [siteId, linkId] as const;
    if (!this.#sql.get("SELECT 1 FROM link_keyword WHERE site_id = ? AND link_id = ? AND said IS NOT NULL").get(...site)) return;
    this.flush();
    this.#rows.clear();
    this.#changedLinks.set(`${siteId}.${linkId}`, { siteId, linkId });
    this.#sql.get("DELETE FROM link_keyword WHERE site_id = ? AND link_id = ? AND said IS NOT NULL AND holders = 0").run(...site);
    this.#sql
      .get("UPDATE link_keyword SET said = NULL, comment = NULL, scorer = ? WHERE site_id = ? AND link_id = ? AND said IS NOT NULL")
      .run(this.#scorer, ...site);
  }

  /** No page has the link any more. */
  drop(siteId: number, linkId: number): void {
    this.#lockSite(siteId);
    this.flush();
    this.#rows.clear();
    this.#sql.get("DELETE FROM link_keyword WHERE site_id = ? AND link_id = ?").run(siteId, linkId);
    rescoreLink(this.#sql, siteId, linkId);
  }

  flush(): void {
    const remove = this.#sql.get("DELETE FROM link_keyword WHERE site_id = ? AND link_id = ? AND word_id = ?");
    const save = this.#sql.get(SAVE);
    const count = this.#sql.get(COUNT);
    for (const [key, held] of this.#rows) {
      if (!held?.isChanged && !held?.isCountChanged) continue;
      const { siteId, linkId } = held.place;
      const { word, match, holders, said, scorer, comment, firstRunId } = held;
      const scoreState = scoreStateOf(held);
      if (scoreState !== held.scoreState) this.#changedLinks.set(`${siteId}.${linkId}`, { siteId, linkId });
      held.scoreState = scoreState;
      if (holders <= 0 && said === null) {
        if (held.isStored) remove.run(siteId, linkId, word);
        this.#rows.set(key, undefined);
        continue;
      }
      if (held.isStored && !held.isChanged) count.run(holders, siteId, linkId, word);
      else save.run(siteId, linkId, word, match, holders, said, scorer, comment, firstRunId);
      held.isStored = true;
      held.isChanged = held.isCountChanged = false;
    }
    for (const { siteId, linkId } of this.#changedLinks.values()) rescoreLink(this.#sql, siteId, linkId);
    this.#changedLinks.clear();
  }

  #at(place: LinkOnSite, word: number): MatchRow | undefined {
    const { siteId, linkId } = place;
    const key = keyOf(place, word);
    if (this.#rows.has(key)) return this.#rows.get(key);
    this.#lockSite(siteId);
    const row = this.#sql
      .get("SELECT match, holders, said, scorer, comment, first_run_id FROM link_keyword WHERE site_id = ? AND link_id = ? AND word_id = ?")
      .get(siteId, linkId, word) as Row | undefined;
    const held = row && {
      place,
      word,
      match: Number(row.match),
      holders: Number(row.holders),
      said: row.said as number | null,
      scorer: String(row.scorer),
      comment: row.comment as string | null,
      firstRunId: Number(row.first_run_id),
      isStored: true,
      isChanged: false,
      isCountChanged: false,
      scoreState: NO_STATE,
    };
    if (held) held.scoreState = scoreStateOf(held);
    this.#rows.set(key, held);
    return held;
  }

  /** Locks the site's links, because other processes may count the same rows. */
  #lockSite(siteId: number): void {
    if (!this.#sql.dialect.holdSite || this.#held.has(siteId)) return;
    this.#sql.dialect.holdSite(siteId);
    this.#held.add(siteId);
  }

  #add(place: LinkOnSite, word: number, match: number): boolean {
    const { first, sources } = this.#sql.get(FIRST).get(place.linkId, place.siteId) as Row;
    this.#rows.set(keyOf(place, word), {
      place,
      word,
      match,
      holders: 1,
      said: null,
      scorer: this.#scorer,
      comment: null,
      firstRunId: Number(first),
      isStored: false,
      isChanged: true,
      isCountChanged: false,
      scoreState: NO_STATE,
    });
    return sources === 1;
  }

  #move(place: LinkOnSite, word: number, held: MatchRow, before: number, after: number): void {
    if (after > held.match) Object.assign(held, { match: after, holders: 1, isChanged: true });
    else if (after === held.match && after > 0) held.holders += 1;
    else if (before === held.match && before > 0) {
      held.holders -= 1;
      if (held.holders <= 0) this.#recountHolders(place, word, held);
    } else return;
    held.isCountChanged = true;
    if (held.said !== null || held.scorer === this.#scorer) return;
    held.scorer = this.#scorer;
    held.isChanged = true;
  }

  #recountHolders({ siteId, linkId }: LinkOnSite, word: number, held: MatchRow): void {
    const row = this.#sql.named(HIGHEST_MATCH).get({ word: String(word), link: linkId, site: siteId });
    held.match = Number(row?.match ?? 0);
    held.holders = Number(row?.holders ?? 0);
    held.isChanged = true;
  }
}
