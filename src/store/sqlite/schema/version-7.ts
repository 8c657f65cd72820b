/**
 * Counts shown in lists, kept by triggers so that no query has to count: `page_count` holds the stored and the gone pages of a site,
 * `keyword.links` the number of links a keyword applies to, which replaces an index on matches. `link_score_found` finds the links that a
 * run was the first to find. Pages of a site are found along `page_stored` alone; the run that saw them is in `page_seen`.
 */
const counts = `
CREATE TABLE page_count (
  site_id INTEGER PRIMARY KEY REFERENCES site ON DELETE CASCADE, stored INTEGER NOT NULL, gone INTEGER NOT NULL
);
INSERT INTO page_count (site_id, stored, gone) SELECT site_id, count(*), sum(is_gone) FROM page WHERE version_id IS NOT NULL GROUP BY site_id;
CREATE TRIGGER page_comes AFTER INSERT ON page WHEN new.version_id IS NOT NULL BEGIN
  INSERT INTO page_count (site_id, stored, gone) VALUES (new.site_id, 1, new.is_gone)
    ON CONFLICT DO UPDATE SET stored = stored + 1, gone = gone + excluded.gone;
END;
CREATE TRIGGER page_turns AFTER UPDATE OF version_id, is_gone ON page
WHEN (old.version_id IS NULL) <> (new.version_id IS NULL) OR old.is_gone <> new.is_gone BEGIN
  INSERT INTO page_count (site_id, stored, gone) VALUES (new.site_id, 0, 0) ON CONFLICT DO NOTHING;
  UPDATE page_count SET stored = stored + (new.version_id IS NOT NULL) - (old.version_id IS NOT NULL),
    gone = gone + (new.version_id IS NOT NULL AND new.is_gone) - (old.version_id IS NOT NULL AND old.is_gone) WHERE site_id = new.site_id;
END;
CREATE TRIGGER page_goes AFTER DELETE ON page WHEN old.version_id IS NOT NULL BEGIN
  UPDATE page_count SET stored = stored - 1, gone = gone - old.is_gone WHERE site_id = old.site_id;
END;

ALTER TABLE keyword ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
UPDATE keyword SET links = (SELECT count(*) FROM link_keyword lk WHERE lk.site_id = keyword.site_id AND lk.word_id = keyword.word_id AND lk.match > 0);
CREATE TRIGGER keyword_comes AFTER INSERT ON keyword BEGIN
  UPDATE keyword SET links = (SELECT count(*) FROM link_keyword lk WHERE lk.site_id = new.site_id AND lk.word_id = new.word_id AND lk.match > 0)
    WHERE site_id = new.site_id AND word_id = new.word_id;
END;
CREATE TRIGGER match_comes AFTER INSERT ON link_keyword WHEN new.match > 0 BEGIN
  UPDATE keyword SET links = links + 1 WHERE site_id = new.site_id AND word_id = new.word_id;
END;
CREATE TRIGGER match_turns AFTER UPDATE OF match ON link_keyword WHEN (old.match > 0) <> (new.match > 0) BEGIN
  UPDATE keyword SET links = links + (new.match > 0) - (old.match > 0) WHERE site_id = new.site_id AND word_id = new.word_id;
END;
CREATE TRIGGER match_goes AFTER DELETE ON link_keyword WHEN old.match > 0 BEGIN
  UPDATE keyword SET links = links - 1 WHERE site_id = old.site_id AND word_id = old.word_id;
END;

DROP INDEX link_keyword_word;
CREATE INDEX link_keyword_word ON link_keyword (site_id, word_id);
CREATE INDEX link_score_found ON link_score (first_run_id);

DROP INDEX page_gone;
DROP INDEX page_site;
DROP INDEX page_stored;
CREATE INDEX page_stored ON page (site_id);
`;

/** Per-host settings of users: a slower rate than that of runs, or a pause. They hold for every process. */
const hosts = `
CREATE TABLE host_card (
  host TEXT PRIMARY KEY, delay INTEGER NOT NULL DEFAULT 0, paused_until INTEGER NOT NULL DEFAULT 0, changed_at INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** Parts of pages that users ignore: they are left out when versions are compared, on one page or on a whole site. */
const ignored = `
CREATE TABLE ignored_part (
  id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, page_id INTEGER REFERENCES page ON DELETE CASCADE,
  kind TEXT NOT NULL, value TEXT NOT NULL, made_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX ignored_part_site ON ignored_part (site_id, kind, value, ifnull(page_id, 0));
CREATE INDEX ignored_part_page ON ignored_part (page_id) WHERE page_id IS NOT NULL;
`;

/**
 * What rendering has learned. `rendered_version` lists the versions that were rendered in a browser, with the screenshot; `host_engine`
 * holds the engine that gets real content from a host, and whether plain requests fail there; `template_gain` counts how often pages of a
 * template had more content in a browser.
 */
const rendering = `
CREATE TABLE rendered_version (
  version_id INTEGER PRIMARY KEY REFERENCES page_version ON DELETE CASCADE, engine TEXT NOT NULL,
  picture_hash TEXT, picture_type TEXT, width INTEGER, height INTEGER
);
CREATE TABLE host_engine (
  host TEXT PRIMARY KEY, engine TEXT NOT NULL, is_walled INTEGER NOT NULL DEFAULT 0, changed_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE template_gain (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, template TEXT NOT NULL, shown INTEGER NOT NULL, gained INTEGER NOT NULL,
  PRIMARY KEY (site_id, template)
) WITHOUT ROWID;
`;

export const version7 = counts + hosts + ignored + rendering;
