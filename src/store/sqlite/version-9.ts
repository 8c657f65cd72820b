/**
 * Who named each seed, so that whoever works on the run knows what it opens: of runs that were begun before, nobody can say. And where the names of
 * typed seeds led when they were met first: a name of the public web that leads to a private address later is not followed there.
 */
export const version9 = `
ALTER TABLE run_seed ADD COLUMN named_by TEXT NOT NULL DEFAULT 'unknown';

CREATE TABLE met_name (name TEXT PRIMARY KEY, met TEXT NOT NULL) WITHOUT ROWID;
`;
