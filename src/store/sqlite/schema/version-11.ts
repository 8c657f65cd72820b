/**
 * Makes counts agree. A page that redirects elsewhere counts as gone, like one that answers 404. A run stopped by a user is distinguished
 * from one whose process died. The views show users' corrections (`page_card`, `link_card`) and the links they added; `v_pages` contains
 * only stored pages. Changes of pages that were pruned since are kept (`removed_change`).
 */
const corrected = (field: string) => `coalesce(pc.metadata ->> '$.${field}', v.metadata ->> '$.${field}.value')`;

/** A score given by a user overrides the one from keywords. */
const SCORE = "round(coalesce(lc.score, s.score), 3)";

export const version11 = `
UPDATE page SET is_gone = 1 WHERE moved_to IS NOT NULL AND is_gone = 0;
UPDATE run SET stop_reason = 'stopped' WHERE stop_reason = 'interrupted';

CREATE TABLE removed_change (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, page_id INTEGER NOT NULL, site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE,
  hash INTEGER NOT NULL, url TEXT NOT NULL, title TEXT, content_type TEXT, status TEXT NOT NULL, at INTEGER NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (run_id, page_id)
) WITHOUT ROWID;
CREATE INDEX removed_change_site ON removed_change (site_id);

DROP VIEW v_pages;
CREATE VIEW v_pages AS
  SELECT p.id, s.url AS site, p.url, p.status, p.content_type, p.depth, p.change, p.run_id, ${corrected("title")} AS title,
         iif(pc.metadata ->> '$.title' IS NULL, v.metadata ->> '$.title.source', 'manual') AS title_source,
         v.word_count, v.link_count, p.bytes, p.is_gone, p.moved_to, p.parent_url,
         datetime(p.fetched_at / 1000, 'unixepoch') AS fetched_at, datetime(p.first_seen_at / 1000, 'unixepoch') AS first_seen_at,
         datetime(p.changed_at / 1000, 'unixepoch') AS changed_at, coalesce(pc.note, '') AS note, coalesce(pc.tags, '[]') AS tags
  FROM page p JOIN site s ON s.id = p.site_id JOIN page_version v ON v.id = p.version_id LEFT JOIN page_card pc ON pc.page_id = p.id;

DROP VIEW v_changes;
CREATE VIEW v_changes AS
  SELECT c.run_id, p.url, c.status AS change, ${corrected("title")} AS title, c.detail, datetime(c.at / 1000, 'unixepoch') AS at
  FROM change c JOIN page p ON p.id = c.page_id LEFT JOIN page_version v ON v.id = p.version_id LEFT JOIN page_card pc ON pc.page_id = p.id
  UNION ALL
  SELECT run_id, url, status, title, detail, datetime(at / 1000, 'unixepoch') FROM removed_change;

DROP VIEW content;
CREATE VIEW content AS
  SELECT p.id, p.url, ${corrected("title")} AS title, ${corrected("description")} AS description, ${corrected("image")} AS image_url,
         (SELECT group_concat(value, ', ') FROM json_each(coalesce(pc.metadata ->> '$.author', v.metadata ->> '$.author.value', '[]'))) AS author,
         ${corrected("publishedAt")} AS published_at,
         coalesce(pc.metadata ->> '$.lang', v.metadata ->> '$.lang.value', v.metadata ->> '$.language.value') AS language,
         (SELECT json_group_array(value ->> '$.name') FROM json_each(v.metadata, '$.topics.value')) AS topics,
         (SELECT preview FROM page_evidence e WHERE e.page_id = m.page_id) AS content_text, v.metadata ->> '$.wordCount.value' AS word_count,
         datetime(m.scraped_at / 1000, 'unixepoch') AS metadata_scraped_at, m.verdict, coalesce(pc.note, '') AS note, coalesce(pc.tags, '[]') AS tags
  FROM page p JOIN page_version v ON v.id = p.version_id LEFT JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id
    LEFT JOIN page_card pc ON pc.page_id = p.id
  WHERE p.is_gone = 0;
CREATE TRIGGER content_reset INSTEAD OF UPDATE OF metadata_scraped_at ON content WHEN NEW.metadata_scraped_at IS NULL BEGIN
  UPDATE page_metadata SET scraped_at = NULL WHERE page_id = OLD.id;
END;

DROP VIEW link_legacy;
DROP VIEW v_links;
DROP VIEW v_scores;
CREATE VIEW v_scores AS
  SELECT site_id, link_id, sum(worth / (1 << min(nth - 1, 60))) AS score, ';' || group_concat(word, ';') || ';' AS keywords,
         (SELECT group_concat(comment, '; ') FROM (SELECT DISTINCT comment FROM link_keyword k
           WHERE k.site_id = ranked.site_id AND k.link_id = ranked.link_id AND k.comment IS NOT NULL ORDER BY comment)) AS comment,
         min(first_run_id) AS first_run_id
  FROM (
    SELECT site_id, link_id, word, first_run_id, worth,
           row_number() OVER (PARTITION BY site_id, link_id ORDER BY worth DESC, word) AS nth
    FROM (
      SELECT lk.site_id, lk.link_id, w.word, lk.first_run_id, coalesce(lk.said, lk.match) * coalesce(k.weight, 0.25) AS worth
      FROM link_keyword lk JOIN word w ON w.id = lk.word_id LEFT JOIN keyword k ON k.site_id = lk.site_id AND k.word_id = lk.word_id
      WHERE coalesce(lk.said, lk.match) > 0 AND (k.word_id IS NOT NULL OR lk.said IS NOT NULL)
    ) ORDER BY site_id, link_id, nth
  ) AS ranked GROUP BY site_id, link_id;
CREATE VIEW v_links AS
  SELECT p.url AS page, l.url, ls.text, ls.heading, ls.position, ${SCORE} AS score, s.keywords, ls.first_run_id, p.run_id AS last_run_id
  FROM link_source ls JOIN link l ON l.id = ls.link_id JOIN page p ON p.id = ls.page_id
  LEFT JOIN v_scores s ON s.site_id = p.site_id AND s.link_id = ls.link_id
  LEFT JOIN link_card lc ON lc.site_id = p.site_id AND lc.link_id = ls.link_id WHERE ls.gone_run_id IS NULL
  UNION ALL
  SELECT NULL, l.url, '', '', NULL, round(lc.score, 3), NULL, NULL, NULL FROM link_card lc JOIN link l ON l.id = lc.link_id
  WHERE lc.score IS NOT NULL AND NOT EXISTS (SELECT 1 FROM link_source ls JOIN page p ON p.id = ls.page_id
    WHERE ls.link_id = lc.link_id AND p.site_id = lc.site_id AND ls.gone_run_id IS NULL);
CREATE VIEW link_legacy AS
  SELECT ls.page_id * 16777216 + ls.link_id AS id, p.site_id, ls.page_id, l.url, ${SCORE} AS score, coalesce(s.keywords, ';') AS keywords,
         datetime(r.started_at / 1000, 'unixepoch') AS crawl_time, s.comment
  FROM link_source ls JOIN page p ON p.id = ls.page_id JOIN link l ON l.id = ls.link_id
  LEFT JOIN v_scores s ON s.site_id = p.site_id AND s.link_id = ls.link_id
  LEFT JOIN link_card lc ON lc.site_id = p.site_id AND lc.link_id = ls.link_id LEFT JOIN run r ON r.id = p.run_id
  WHERE ls.gone_run_id IS NULL AND (s.link_id IS NOT NULL OR lc.score IS NOT NULL)
  UNION ALL
  SELECT lc.link_id, lc.site_id, NULL, l.url, round(lc.score, 3), ';', datetime(lc.changed_at / 1000, 'unixepoch'), lc.note
  FROM link_card lc JOIN link l ON l.id = lc.link_id WHERE lc.score IS NOT NULL AND NOT EXISTS (SELECT 1 FROM link_source ls
    JOIN page p ON p.id = ls.page_id WHERE ls.link_id = lc.link_id AND p.site_id = lc.site_id AND ls.gone_run_id IS NULL);

DROP VIEW site_legacy;
CREATE VIEW site_legacy AS
  SELECT s.id, s.url, (SELECT datetime(max(r.started_at) / 1000, 'unixepoch') FROM run r JOIN run_site rs ON rs.run_id = r.id
    WHERE rs.site_id = s.id AND r.kind = 'crawl') AS crawl_time
  FROM site s;
`;
