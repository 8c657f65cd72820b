/**
 * The parts of each schema version that only PostgreSQL has, because the SQLite syntax has no counterpart: the full-text index, and the
 * counts kept by triggers. Triggers count once per statement instead of once per row, in the order of site ids, so that two settlements
 * lock rows in the same order.
 */

/** Dropping a view drops its triggers. */
const contentTrigger = "CREATE TRIGGER content_reset INSTEAD OF UPDATE ON content FOR EACH ROW EXECUTE FUNCTION content_reset();";

const contentReset = `
CREATE FUNCTION content_reset() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE page_metadata SET scraped_at = NULL WHERE page_id = OLD.id AND NEW.metadata_scraped_at IS NULL;
  RETURN NEW;
END $$;
${contentTrigger}
`;

/** Words of a page with their positions; title and text in one vector. */
const words = `
CREATE TABLE page_text (rowid BIGINT PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX page_text_words ON page_text USING gin (words);
CREATE FUNCTION page_search_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM page_text WHERE rowid IN (SELECT page_id FROM old_rows);
  RETURN NULL;
END $$;
CREATE TRIGGER page_search_gone AFTER DELETE ON page_search REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION page_search_gone();
`;

const isStored = "version_id IS NOT NULL";

const pageCounts = `
CREATE FUNCTION page_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO page_count (site_id, stored, gone) SELECT site_id, count(*), sum(is_gone) FROM new_rows WHERE ${isStored} GROUP BY site_id ORDER BY site_id
      ON CONFLICT (site_id) DO UPDATE SET stored = page_count.stored + excluded.stored, gone = page_count.gone + excluded.gone;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO page_count (site_id, stored, gone) SELECT site_id, sum(stored), sum(gone) FROM (
        SELECT site_id, 1 AS stored, is_gone AS gone FROM new_rows WHERE ${isStored} UNION ALL SELECT site_id, -1, -is_gone FROM old_rows WHERE ${isStored}) AS moved
      GROUP BY site_id HAVING sum(stored) <> 0 OR sum(gone) <> 0 ORDER BY site_id
      ON CONFLICT (site_id) DO UPDATE SET stored = page_count.stored + excluded.stored, gone = page_count.gone + excluded.gone;
  ELSE
    UPDATE page_count c SET stored = c.stored - went.stored, gone = c.gone - went.gone FROM (
        SELECT site_id, count(*) AS stored, sum(is_gone) AS gone FROM old_rows WHERE ${isStored} GROUP BY site_id) AS went WHERE went.site_id = c.site_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER page_comes AFTER INSERT ON page REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION page_counted();
CREATE TRIGGER page_turns AFTER UPDATE ON page REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION page_counted();
CREATE TRIGGER page_goes AFTER DELETE ON page REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION page_counted();
`;

const matchCounts = `
CREATE FUNCTION keyword_comes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.links := (SELECT count(*) FROM link_keyword lk WHERE lk.site_id = NEW.site_id AND lk.word_id = NEW.word_id AND lk.match > 0);
  RETURN NEW;
END $$;
CREATE TRIGGER keyword_comes BEFORE INSERT ON keyword FOR EACH ROW EXECUTE FUNCTION keyword_comes();
CREATE FUNCTION match_counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE keyword k SET links = k.links + came.links FROM (
      SELECT site_id, word_id, count(*) AS links FROM new_rows WHERE match > 0 GROUP BY site_id, word_id) AS came WHERE k.site_id = came.site_id AND k.word_id = came.word_id;
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE keyword k SET links = k.links + moved.links FROM (
      SELECT site_id, word_id, sum(links) AS links FROM (SELECT site_id, word_id, 1 AS links FROM new_rows WHERE match > 0 UNION ALL SELECT site_id, word_id, -1 FROM old_rows WHERE match > 0) AS each_one
      GROUP BY site_id, word_id HAVING sum(links) <> 0) AS moved WHERE k.site_id = moved.site_id AND k.word_id = moved.word_id;
  ELSE
    UPDATE keyword k SET links = k.links - went.links FROM (
      SELECT site_id, word_id, count(*) AS links FROM old_rows WHERE match > 0 GROUP BY site_id, word_id) AS went WHERE k.site_id = went.site_id AND k.word_id = went.word_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER match_comes AFTER INSERT ON link_keyword REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION match_counted();
CREATE TRIGGER match_turns AFTER UPDATE ON link_keyword REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION match_counted();
CREATE TRIGGER match_goes AFTER DELETE ON link_keyword REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION match_counted();
`;

/** By the schema version that adds them. */
export const postgresParts: Readonly<Record<number, string>> = {
  4: contentReset,
  5: words,
  7: pageCounts + matchCounts,
  11: contentTrigger,
};
