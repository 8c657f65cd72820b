/**
 * Tables of the server. `site_card`, `page_card` and `link_card` hold what users write about sites, pages and links; `job` holds tasks
 * that take longer than a request; `api_key` the allowed keys (only their hashes); `replayed` the responses to requests with an
 * Idempotency-Key; `run_samples` the progress of a run over time. `link_score` holds the score of each link under its site's weights, as
 * `v_scores` computes it or as a user set it (`link_card.score`): it is kept up to date, so that the best links are listed without
 * computing. The indexes of `page` are the sort orders of page lists.
 */
export const version6 = `
CREATE TABLE site_card (
  site_id INTEGER PRIMARY KEY REFERENCES site ON DELETE CASCADE, name TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '[]',
  options TEXT NOT NULL DEFAULT '{}', changed_at INTEGER NOT NULL
);
CREATE TABLE page_card (
  page_id INTEGER PRIMARY KEY REFERENCES page ON DELETE CASCADE, note TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '[]',
  is_muted INTEGER NOT NULL DEFAULT 0, metadata TEXT NOT NULL DEFAULT '{}', changed_at INTEGER NOT NULL
);
CREATE TABLE link_card (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, link_id INTEGER NOT NULL, note TEXT NOT NULL DEFAULT '',
  is_pinned INTEGER NOT NULL DEFAULT 0, is_muted INTEGER NOT NULL DEFAULT 0, score REAL, changed_at INTEGER NOT NULL, PRIMARY KEY (site_id, link_id)
) WITHOUT ROWID;
CREATE TABLE link_score (
  site_id INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, link_id INTEGER NOT NULL, score REAL NOT NULL, first_run_id INTEGER NOT NULL,
  PRIMARY KEY (site_id, link_id)
) WITHOUT ROWID;
INSERT INTO link_score (site_id, link_id, score, first_run_id) SELECT site_id, link_id, round(score, 3), first_run_id FROM v_scores;
CREATE INDEX link_score_site ON link_score (site_id, score);
CREATE INDEX link_score_all ON link_score (score);
CREATE INDEX page_stored ON page (site_id) WHERE version_id IS NOT NULL;
CREATE INDEX page_gone ON page (site_id) WHERE is_gone = 1;
CREATE INDEX page_seen ON page (run_id, seq);
CREATE TABLE job (
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, result TEXT,
  made_at INTEGER NOT NULL, ended_at INTEGER
);
CREATE TABLE run_samples (run_id INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, samples TEXT NOT NULL);
CREATE INDEX job_open ON job (id) WHERE ended_at IS NULL;
CREATE TABLE api_key (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, made_at INTEGER NOT NULL, used_at INTEGER
);
CREATE TABLE replayed (
  key TEXT PRIMARY KEY, asked TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT, at INTEGER NOT NULL
) WITHOUT ROWID;
`;
