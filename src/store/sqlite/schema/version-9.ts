/**
 * Stores who named each seed, so that any process that works on the run knows which hosts it opens; for earlier runs it is unknown.
 * `met_name` stores whether the host of a typed seed was public or private when it was first resolved: a public name that later resolves
 * to a private address is not followed there.
 */
export const version9 = `
ALTER TABLE run_seed ADD COLUMN named_by TEXT NOT NULL DEFAULT 'unknown';

CREATE TABLE met_name (name TEXT PRIMARY KEY, met TEXT NOT NULL) WITHOUT ROWID;
`;
