/**
 * Metadata of pages. The values stay with each version, in `page_version.metadata`. For the current version, `page_metadata` holds the
 * extractor, the time and the verdict, and `page_evidence` the large parts that are seldom read: the rejected candidates (packed), the
 * beginning of the main text, and hashes of its blocks. A row whose `version_id` differs from the page's belongs to an earlier body; one
 * whose `scraped_at` is NULL is to be extracted again. `boilerplate` holds hashes of the blocks that repeat on the pages of a site,
 * `source_memory` how far each source is trusted on its host. `content` is a view with the table layout that users of a metadata service
 * know: `UPDATE content SET metadata_scraped_at = NULL` marks pages to be extracted again.
 */
export const version4 = `
CREATE TABLE page_metadata (
  page_id INTEGER PRIMARY KEY REFERENCES page ON DELETE CASCADE, version_id INTEGER NOT NULL, extractor INTEGER NOT NULL, scraped_at INTEGER,
  verdict TEXT NOT NULL
);
CREATE INDEX page_metadata_verdict ON page_metadata (verdict) WHERE verdict <> 'ok';
CREATE TABLE page_evidence (
  page_id INTEGER PRIMARY KEY REFERENCES page ON DELETE CASCADE, preview TEXT NOT NULL, blocks BLOB NOT NULL, evidence BLOB NOT NULL
);
CREATE TABLE boilerplate (
  site_id INTEGER PRIMARY KEY REFERENCES site ON DELETE CASCADE, blocks BLOB NOT NULL, learned_at INTEGER NOT NULL
);
CREATE TABLE source_memory (
  site_id INTEGER PRIMARY KEY REFERENCES site ON DELETE CASCADE, sources TEXT NOT NULL, learned_at INTEGER NOT NULL
);

CREATE VIEW content AS
  SELECT p.id, p.url, v.metadata ->> '$.title.value' AS title, v.metadata ->> '$.description.value' AS description,
         v.metadata ->> '$.image.value' AS image_url,
         (SELECT group_concat(value, ', ') FROM json_each(v.metadata, '$.author.value')) AS author,
         v.metadata ->> '$.publishedAt.value' AS published_at, coalesce(v.metadata ->> '$.lang.value', v.metadata ->> '$.language.value') AS language,
         (SELECT json_group_array(value ->> '$.name') FROM json_each(v.metadata, '$.topics.value')) AS topics,
         (SELECT preview FROM page_evidence e WHERE e.page_id = m.page_id) AS content_text, v.metadata ->> '$.wordCount.value' AS word_count,
         datetime(m.scraped_at / 1000, 'unixepoch') AS metadata_scraped_at, m.verdict
  FROM page p JOIN page_version v ON v.id = p.version_id LEFT JOIN page_metadata m ON m.page_id = p.id AND m.version_id = p.version_id
  WHERE p.is_gone = 0;
CREATE TRIGGER content_reset INSTEAD OF UPDATE OF metadata_scraped_at ON content WHEN NEW.metadata_scraped_at IS NULL BEGIN
  UPDATE page_metadata SET scraped_at = NULL WHERE page_id = OLD.id;
END;
`;
