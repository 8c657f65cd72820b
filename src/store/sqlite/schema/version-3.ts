/**
 * Keywords and changes. A keyword's `match` with a link is stored separately from its `weight` for a site, so that new weights need no new
 * scoring. `keyword.scorer` is the scorer that has scored all stored links of the site for it. `link_source.gone_run_id` is the run that
 * no longer found the link on the page; until then the link is on it, and `matches` holds the matches of the link's words on this page.
 * `link_keyword.match` is the highest of those on the site, and `holders` counts the pages that have it, so that a page that loses the
 * link need not check all others; `said` was given by a model or a plugin, and overrides `match`. `page.history` holds when the page was
 * visited and whether it had changed, `noise` what changes without meaning on pages of a template, `hint` how often a source that said
 * "changed" was right and how often it would have been by chance, and `answer` a model's answers, by request.
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

CREATE VIEW v_scores AS
  SELECT site_id, link_id, sum(worth / (1 << min(nth - 1, 60))) AS score, ';' || group_concat(word, ';') || ';' AS keywords,
         group_concat(comment, '; ') AS comment, min(first_run_id) AS first_run_id
  FROM (
    SELECT site_id, link_id, word, comment, first_run_id, worth,
           row_number() OVER (PARTITION BY site_id, link_id ORDER BY worth DESC, word) AS nth
    FROM (
      SELECT lk.site_id, lk.link_id, w.word, lk.comment, lk.first_run_id, coalesce(lk.said, lk.match) * coalesce(k.weight, 0.25) AS worth
      FROM link_keyword lk JOIN word w ON w.id = lk.word_id LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
      WHERE coalesce(lk.said, lk.match) > 0 AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL)
    ) ORDER BY site_id, link_id, nth
  ) GROUP BY site_id, link_id;
DROP VIEW v_links;
CREATE VIEW v_links AS
  SELECT p.url AS page, l.url, ls.text, ls.heading, ls.position, round(s.score, 3) AS score, s.keywords, ls.first_run_id, p.run_id AS last_run_id
  FROM link_source ls JOIN link l ON l.id = ls.link_id JOIN page p ON p.id = ls.page_id
  LEFT JOIN v_scores s ON s.site_id = p.site_id AND s.link_id = ls.link_id WHERE ls.gone_run_id IS NULL;
CREATE VIEW site_legacy AS
  SELECT s.id, s.url, (SELECT datetime(max(r.started_at) / 1000, 'unixepoch') FROM run r JOIN run_site rs ON rs.run_id = r.id WHERE rs.site_id = s.id) AS crawl_time
  FROM site s;
CREATE VIEW page_legacy AS
  SELECT p.id, p.site_id, p.url, v.links_hash || v.text_hash AS hash, datetime(r.started_at / 1000, 'unixepoch') AS crawl_time
  FROM page p JOIN page_version v ON v.id = p.version_id LEFT JOIN run r ON r.id = p.run_id WHERE p.is_gone = 0;
CREATE VIEW link_legacy AS
  SELECT ls.page_id * 16777216 + ls.link_id AS id, p.site_id, ls.page_id, l.url, round(s.score, 3) AS score, s.keywords,
         datetime(r.started_at / 1000, 'unixepoch') AS crawl_time, s.comment
  FROM v_scores s JOIN link_source ls ON ls.link_id = s.link_id AND ls.gone_run_id IS NULL JOIN page p ON p.id = ls.page_id AND p.site_id = s.site_id
  JOIN link l ON l.id = ls.link_id LEFT JOIN run r ON r.id = p.run_id;
`;
