/**
 * The first schema, as released; it must never change.
 *
 * `decision` is both the ledger and the backlog: one row per run and URL found, whose verdict starts as "queued". The unique key on its
 * 64-bit hash decides whether a URL is new; the partial index contains only queued rows. `run.ledger_from` is the last row before those of
 * a run, `run.out` lists the visits in flight, and `page.print` is a 64-bit fingerprint of a page's text and links.
 */
export const version1 = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE site (
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, url TEXT NOT NULL, key TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
);

CREATE TABLE run (
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, status TEXT NOT NULL, stop_reason TEXT,
  started_at INTEGER NOT NULL, ended_at INTEGER, seeds TEXT NOT NULL, options TEXT NOT NULL,
  counters TEXT NOT NULL, state TEXT NOT NULL DEFAULT '{}', out TEXT NOT NULL DEFAULT '[]', ledger_from INTEGER NOT NULL DEFAULT 0, owner TEXT, alive_at INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE run_site (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE,
  position INTEGER NOT NULL, PRIMARY KEY (run_id, site_id)
) WITHOUT ROWID;
CREATE INDEX run_site_site ON run_site (site_id, run_id);

CREATE TABLE host (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  next_at INTEGER NOT NULL DEFAULT 0, delay INTEGER NOT NULL DEFAULT 0, cause TEXT NOT NULL DEFAULT 'rate',
  failures INTEGER NOT NULL DEFAULT 0,
  owner TEXT, until INTEGER NOT NULL DEFAULT 0, epoch INTEGER NOT NULL DEFAULT 0, wanted_by TEXT, wanted_at INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE robots (
  origin TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, kind TEXT NOT NULL, why TEXT NOT NULL, text BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE page (
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL, site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE,
  hash INTEGER NOT NULL, host_id INTEGER NOT NULL REFERENCES host, url TEXT NOT NULL,
  depth INTEGER NOT NULL, via TEXT NOT NULL, parent_url TEXT, status INTEGER NOT NULL, content_type TEXT,
  change TEXT NOT NULL, run_id INTEGER NOT NULL, seq INTEGER NOT NULL, first_run_id INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL, fetched_at INTEGER NOT NULL, previous_at INTEGER, changed_at INTEGER NOT NULL,
  duration INTEGER NOT NULL, bytes INTEGER NOT NULL, from_cache INTEGER NOT NULL DEFAULT 0,
  etag TEXT, last_modified TEXT, moved_to TEXT, is_gone INTEGER NOT NULL DEFAULT 0,
  version_id INTEGER, print INTEGER, page_type TEXT, reader TEXT NOT NULL,
  duplicate_of INTEGER, near_duplicate_of INTEGER
);
CREATE UNIQUE INDEX page_hash ON page (hash, site_id);
CREATE INDEX page_site ON page (site_id, run_id);
CREATE INDEX page_print ON page (print) WHERE print IS NOT NULL;
CREATE INDEX page_typed ON page (hash) WHERE page_type IS NOT NULL;

CREATE TABLE page_version (
  id INTEGER PRIMARY KEY, page_id INTEGER NOT NULL REFERENCES page ON DELETE CASCADE, number INTEGER NOT NULL,
  run_id INTEGER NOT NULL, fetched_at INTEGER NOT NULL, type TEXT NOT NULL, charset TEXT NOT NULL,
  metadata TEXT NOT NULL, canonical TEXT, noindex INTEGER NOT NULL, nofollow INTEGER NOT NULL,
  text_hash TEXT NOT NULL, links_hash TEXT NOT NULL, simhash TEXT NOT NULL,
  word_count INTEGER NOT NULL, link_count INTEGER NOT NULL, body_hash TEXT, link_index BLOB, links BLOB
);
CREATE INDEX page_version_page ON page_version (page_id, number);

CREATE TABLE body (
  id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, coding TEXT NOT NULL, data BLOB NOT NULL
);

CREATE TABLE link (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, url TEXT NOT NULL);
CREATE TABLE link_source (
  page_id INTEGER NOT NULL REFERENCES page ON DELETE CASCADE, link_id INTEGER NOT NULL REFERENCES link,
  version_id INTEGER NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, first_run_id INTEGER NOT NULL,
  PRIMARY KEY (page_id, link_id)
) WITHOUT ROWID;
CREATE INDEX link_source_link ON link_source (link_id);

CREATE TABLE decision (
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, hash INTEGER NOT NULL,
  host_id INTEGER NOT NULL REFERENCES host, site_id INTEGER NOT NULL, kind TEXT NOT NULL,
  url TEXT NOT NULL, key TEXT, depth INTEGER NOT NULL, hops INTEGER NOT NULL, via TEXT NOT NULL, parent_id INTEGER,
  level INTEGER NOT NULL, priority REAL NOT NULL,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, rule TEXT NOT NULL,
  mentions INTEGER NOT NULL DEFAULT 1, attempts INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  status INTEGER, target TEXT, page_id INTEGER, at INTEGER NOT NULL, seq INTEGER
);
CREATE UNIQUE INDEX decision_hash ON decision (run_id, hash);
CREATE INDEX decision_failed ON decision (run_id, hash) WHERE verdict = 'failed';
CREATE INDEX decision_deferred ON decision (run_id) WHERE verdict = 'deferred';
CREATE INDEX decision_backlog ON decision (run_id, host_id, level, priority DESC, id) WHERE verdict = 'queued';

CREATE TABLE change (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, page_id INTEGER NOT NULL REFERENCES page ON DELETE CASCADE,
  status TEXT NOT NULL, at INTEGER NOT NULL, from_version INTEGER, to_version INTEGER, detail TEXT NOT NULL,
  PRIMARY KEY (run_id, page_id)
) WITHOUT ROWID;

CREATE VIEW v_pages AS
  SELECT p.id, s.url AS site, p.url, p.status, p.content_type, p.depth, p.change, p.run_id,
         json_extract(v.metadata, '$.title.value') AS title, json_extract(v.metadata, '$.title.source') AS title_source,
         v.word_count, v.link_count, p.bytes, p.is_gone, p.moved_to, p.parent_url,
         datetime(p.fetched_at / 1000, 'unixepoch') AS fetched_at, datetime(p.first_seen_at / 1000, 'unixepoch') AS first_seen_at,
         datetime(p.changed_at / 1000, 'unixepoch') AS changed_at
  FROM page p JOIN site s ON s.id = p.site_id LEFT JOIN page_version v ON v.id = p.version_id;
CREATE VIEW v_changes AS
  SELECT c.run_id, p.url, c.status AS change, json_extract(v.metadata, '$.title.value') AS title, c.detail,
         datetime(c.at / 1000, 'unixepoch') AS at
  FROM change c JOIN page p ON p.id = c.page_id LEFT JOIN page_version v ON v.id = p.version_id;
CREATE VIEW v_links AS
  SELECT p.url AS page, l.url, ls.text, ls.position, ls.first_run_id, p.run_id AS last_run_id
  FROM link_source ls JOIN link l ON l.id = ls.link_id JOIN page p ON p.id = ls.page_id;
CREATE VIEW v_decisions AS
  SELECT d.run_id, d.url, d.verdict, d.reason, d.rule, d.depth, d.via, parent.url AS parent_url, d.mentions, d.attempts, d.status,
         datetime(d.at / 1000, 'unixepoch') AS at
  FROM decision d LEFT JOIN decision parent ON parent.id = d.parent_id;
CREATE VIEW v_backlog AS
  SELECT d.run_id, h.name AS host, d.url, d.depth, d.level, d.priority, d.attempts
  FROM decision d JOIN host h ON h.id = d.host_id WHERE d.verdict = 'queued';
CREATE VIEW v_runs AS
  SELECT r.id, r.status, r.stop_reason, json_extract(r.seeds, '$[0]') AS first_seed,
         datetime(r.started_at / 1000, 'unixepoch') AS started_at, datetime(r.ended_at / 1000, 'unixepoch') AS ended_at,
         json_extract(r.counters, '$.pages') AS pages
  FROM run r;
`;
