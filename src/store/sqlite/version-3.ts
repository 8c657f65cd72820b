/**
 * What matters and what changed. A keyword's `match` with a link is kept apart from its `weight` for a site, so that other weights need
 * no other look at the link. `keyword.scorer` is who has held all stored links of the site against it.
 * `link_source.gone_run_id` is the run that no longer found the link on the page; until then it stands there, and `matches` is what this
 * page's own words for it give. `link_keyword.match` is the greatest of those on the site, and `holders` counts the pages that have it, so that
 * a page that loses it need not look at all others; `said` is what a model or a plugin said, and goes before `match`.
 * `page.history` holds when the page was looked at and whether it had changed, `noise` what changes on pages of a template without meaning
 * anything, `hint` how often a source that said "changed" was right and how often it would have been by chance, and `answer` what a model said, by what it was asked.
 */
export const version3 = `
CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
CREATE TABLE keyword (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, word_id INTEGER NOT NULL REFERENCES word, weight REAL NOT NULL,
  scorer TEXT NOT NULL DEFAULT '', PRIMARY KEY (site_id, word_id)
) WITHOUT ROWID;
CREATE TABLE link_keyword (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, link_id INTEGER NOT NULL, word_id INTEGER NOT NULL REFERENCES word,
  match REAL NOT NULL, holders INTEGER NOT NULL, said REAL, scorer TEXT NOT NULL, comment TEXT, first_run_id INTEGER NOT NULL,
  PRIMARY KEY (site_id, link_id, word_id)
) WITHOUT ROWID;
CREATE INDEX link_keyword_word ON link_keyword (site_id, word_id, match);

ALTER TABLE link_source ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE link_source ADD COLUMN heading TEXT NOT NULL DEFAULT '';
ALTER TABLE link_source ADD COLUMN context TEXT NOT NULL DEFAULT '';
ALTER TABLE link_source ADD COLUMN matches TEXT NOT NULL DEFAULT '{}';
ALTER TABLE link_source ADD COLUMN gone_run_id INTEGER;
DROP INDEX link_source_link;
CREATE INDEX link_source_link ON link_source (link_id, gone_run_id);

ALTER TABLE page ADD COLUMN history BLOB;
CREATE TABLE hint (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, source TEXT NOT NULL,
  said INTEGER NOT NULL DEFAULT 0, was_right INTEGER NOT NULL DEFAULT 0,
  expected REAL NOT NULL DEFAULT 0, PRIMARY KEY (site_id, source)
) WITHOUT ROWID;
CREATE TABLE noise (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, template TEXT NOT NULL, seen TEXT NOT NULL, PRIMARY KEY (site_id, template)
) WITHOUT ROWID;
CREATE TABLE answer (key TEXT PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
`;
