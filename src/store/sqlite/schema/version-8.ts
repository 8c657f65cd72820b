/**
 * Seeds (`run_seed`), and URLs that count as seeds because a seed redirected there (`run_home`), have tables of their own: a run's row is
 * rewritten with every settled batch, and there may be many seeds. In a new run `run.seeds` holds only the first, for lists of runs.
 */
export const version8 = `
CREATE TABLE run_seed (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER NOT NULL, url TEXT NOT NULL, PRIMARY KEY (run_id, position)
) WITHOUT ROWID;
INSERT INTO run_seed (run_id, position, url) SELECT r.id, CAST(e.key AS INTEGER), e.value FROM run r, json_each(r.seeds) e;

CREATE TABLE run_home (run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, url TEXT NOT NULL, PRIMARY KEY (run_id, url)) WITHOUT ROWID;
INSERT INTO run_home (run_id, url) SELECT DISTINCT r.id, e.value FROM run r, json_each(r.state, '$.extraSeeds') e;
`;
