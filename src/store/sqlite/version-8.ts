/**
 * Seeds stand with their sites: a run's row is written anew with every batch that it settles, and there may be many of them. `run.seeds` of a new run holds
 * the first, for whoever lists runs.
 */
export const version8 = `
ALTER TABLE run_site ADD COLUMN seed TEXT;
UPDATE run_site SET seed = (SELECT json_extract(r.seeds, '$[' || (SELECT count(*) FROM run_site o WHERE o.run_id = r.id AND o.position < run_site.position) || ']')
  FROM run r WHERE r.id = run_site.run_id);
`;
