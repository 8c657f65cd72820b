/**
 * Seeds (`run_seed`), and what counts as one because a seed moved there (`run_home`), stand by themselves: a run's row is written anew with every batch that
 * it settles, and there may be many of them. `run.seeds` of a new run holds the first, for whoever lists runs.
 */
export const version8 = `
CREATE TABLE run_seed (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER NOT NULL, url TEXT NOT NULL, PRIMARY KEY (run_id, position)
) WITHOUT ROWID;
INSERT INTO run_seed (run_id, position, url) SELECT r.id, CAST(e.key AS INTEGER), e.value FROM run r, json_each(r.seeds) e;

CREATE TABLE run_home (run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, url TEXT NOT NULL, PRIMARY KEY (run_id, url)) WITHOUT ROWID;
INSERT INTO run_home (run_id, url) SELECT DISTINCT r.id, e.value FROM run r, json_each(r.state, '$.extraSeeds') e;
`;
