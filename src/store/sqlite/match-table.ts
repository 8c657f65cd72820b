import { rescoreLink } from "./link-scores.ts";
import type { Row, Statements } from "./rows.ts";
import { wordIds } from "./words.ts";

interface Held {
  readonly place: Place;
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
  written: string;
  /** Only the number of holders has changed. */
  isCounted: boolean;
}

interface Place {
  readonly siteId: number;
  readonly linkId: number;
}

const FIRST = `SELECT min(ls.first_run_id) AS first, count(*) AS sources FROM link_source ls JOIN page p ON p.id = ls.page_id
  WHERE ls.link_id = ? AND p.site_id = ?`;

const GREATEST = `SELECT match, count(*) AS holders FROM (
    SELECT CAST(json_extract(ls.matches, '$."' || :word || '"') AS REAL) AS match FROM link_source ls JOIN page p ON p.id = ls.page_id
    WHERE ls.link_id = :link AND ls.gone_run_id IS NULL AND p.site_id = :site)
  WHERE match > 0 GROUP BY match ORDER BY match DESC LIMIT 1`;

const SAVE = `INSERT INTO link_keyword (site_id, link_id, word_id, match, holders, said, scorer, comment, first_run_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET match = excluded.match, holders = excluded.holders, said = excluded.said, scorer = excluded.scorer,
    comment = excluded.comment, first_run_id = excluded.first_run_id`;

/** Updates only the count, so that the index of matches is not touched. */
const COUNT = "UPDATE link_keyword SET holders = ? WHERE site_id = ? AND link_id = ? AND word_id = ?";

const NOTHING = "";
const saidBy = ({ match, holders, said, firstRunId }: Held) => (holders > 0 || said !== null ? `${said ?? match} ${firstRunId}` : NOTHING);

const keyOf = ({ siteId, linkId }: Place, word: number) => `${siteId}.${linkId}.${word}`;

/**
 * `link_keyword` within one transaction: the highest match of each word over all pages that have a link. The pages with the highest match
 * are counted, so that a link on every page is looked up everywhere only when the last of these pages loses it. Matches have two digits,
 * so this can happen at most a hundred times per word and link, and not once per page.
 */
export class MatchTable {
  readonly #sql: Statements;
  readonly #scorer: string;
  readonly #rows = new Map<string, Held | undefined>();
  readonly #held = new Set<number>();
  /** Links whose score must be recomputed. */
  readonly #touched = new Map<string, Place>();

  constructor(sql: Statements, scorer: string) {
    this.#sql = sql;
    this.#scorer = scorer;
  }

  /** Replaces one page's matches for a link. Returns whether this is the first page of the site that ever had it. */
  count(
    place: Place,
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
  say(
    place: Place,
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
        isCounted: false,
        written: NOTHING,
        ...said,
      });
    }
  }

  /** The link's text changed, so given matches are no longer valid. */
  unsay(siteId: number, linkId: number): void {
    this.#hold(siteId);
    const site = [siteId, linkId] as const;
    if (!this.#sql.get("SELECT 1 FROM link_keyword WHERE site_id = ? AND link_id = ? AND said IS NOT NULL").get(...site)) return;
    this.flush();
    this.#rows.clear();
    this.#touched.set(`${siteId}.${linkId}`, { siteId, linkId });
    this.#sql.get("DELETE FROM link_keyword WHERE site_id = ? AND link_id = ? AND said IS NOT NULL AND holders = 0").run(...site);
    this.#sql
      .get("UPDATE link_keyword SET said = NULL, comment = NULL, scorer = ? WHERE site_id = ? AND link_id = ? AND said IS NOT NULL")
      .run(this.#scorer, ...site);
  }

  /** No page has the link any more. */
  drop(siteId: number, linkId: number): void {
    this.#hold(siteId);
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
      if (!held?.isChanged && !held?.isCounted) continue;
      const { siteId, linkId } = held.place;
      const { word, match, holders, said, scorer, comment, firstRunId } = held;
      const written = saidBy(held);
      if (written !== held.written) this.#touched.set(`${siteId}.${linkId}`, { siteId, linkId });
      held.written = written;
      if (holders <= 0 && said === null) {
        if (held.isStored) remove.run(siteId, linkId, word);
        this.#rows.set(key, undefined);
        continue;
      }
      if (held.isStored && !held.isChanged) count.run(holders, siteId, linkId, word);
      else save.run(siteId, linkId, word, match, holders, said, scorer, comment, firstRunId);
      held.isStored = true;
      held.isChanged = held.isCounted = false;
    }
    for (const { siteId, linkId } of this.#touched.values()) rescoreLink(this.#sql, siteId, linkId);
    this.#touched.clear();
  }

  #at(place: Place, word: number): Held | undefined {
    const { siteId, linkId } = place;
    const key = keyOf(place, word);
    if (this.#rows.has(key)) return this.#rows.get(key);
    this.#hold(siteId);
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
      isCounted: false,
      written: NOTHING,
    };
    if (held) held.written = saidBy(held);
    this.#rows.set(key, held);
    return held;
  }

  /** Locks the site's links, because other processes may count the same rows. */
  #hold(siteId: number): void {
    if (!this.#sql.ways.holdSite || this.#held.has(siteId)) return;
    this.#sql.ways.holdSite(siteId);
    this.#held.add(siteId);
  }

  #add(place: Place, word: number, match: number): boolean {
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
      isCounted: false,
      written: NOTHING,
    });
    return sources === 1;
  }

  #move(place: Place, word: number, held: Held, before: number, after: number): void {
    if (after > held.match) Object.assign(held, { match: after, holders: 1, isChanged: true });
    else if (after === held.match && after > 0) held.holders += 1;
    else if (before === held.match && before > 0) {
      held.holders -= 1;
      if (held.holders <= 0) this.#lookUp(place, word, held);
    } else return;
    held.isCounted = true;
    if (held.said !== null || held.scorer === this.#scorer) return;
    held.scorer = this.#scorer;
    held.isChanged = true;
  }

  #lookUp({ siteId, linkId }: Place, word: number, held: Held): void {
    const row = this.#sql.named(GREATEST).get({ word: String(word), link: linkId, site: siteId });
    held.match = Number(row?.match ?? 0);
    held.holders = Number(row?.holders ?? 0);
    held.isChanged = true;
  }
}
