/**
 * `run.kind` marks runs that fetch single pages for a context. `context` stores finished contexts, one for each URL and set of options.
 * `exchange` stores the requests and responses of runs that save archives, one row per request; the body is stored with the others, by its
 * hash. `page_text` is the full-text index: it stores no text, only word positions, and `page_search` says which version of a page it has.
 */
export const version5 = `
ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT 'crawl';

CREATE TABLE context (
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE,
  url TEXT NOT NULL, options TEXT NOT NULL, pack BLOB NOT NULL, made_at INTEGER NOT NULL, UNIQUE (url, options)
);
CREATE INDEX context_site ON context (site_id);

CREATE TABLE exchange (
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, site_id INTEGER NOT NULL, url TEXT NOT NULL,
  at INTEGER NOT NULL, status INTEGER NOT NULL, address TEXT, request BLOB NOT NULL, response BLOB NOT NULL, body_hash TEXT, truncated TEXT
);
CREATE INDEX exchange_run ON exchange (run_id);
CREATE INDEX exchange_body ON exchange (body_hash) WHERE body_hash IS NOT NULL;

CREATE VIRTUAL TABLE page_text USING fts5 (
  title, text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
);
INSERT INTO page_text (page_text, rank) VALUES ('rank', 'bm25(8.0, 1.0)'), ('automerge', 8), ('hashsize', 8000000);
CREATE TABLE page_search (page_id INTEGER PRIMARY KEY REFERENCES page ON DELETE CASCADE, version_id INTEGER NOT NULL);
CREATE TRIGGER page_search_gone AFTER DELETE ON page_search BEGIN
  DELETE FROM page_text WHERE rowid = OLD.page_id;
END;
`;
