/** `v_runs` says how a run ended in the words of `runs` and the API, where it said `stopped` for every run that did not finish. */
export const version12 = `
DROP VIEW v_runs;
CREATE VIEW v_runs AS
  SELECT r.id, CASE WHEN r.status = 'running' THEN 'running'
                    WHEN r.stop_reason IN ('limit.pages', 'limit.time', 'limit.bytes') THEN 'limit'
                    WHEN r.stop_reason IN ('no-pages', 'hung') THEN 'failed'
                    ELSE coalesce(r.stop_reason, r.status) END AS status,
         r.stop_reason, json_extract(r.seeds, '$[0]') AS first_seed,
         datetime(r.started_at / 1000, 'unixepoch') AS started_at, datetime(r.ended_at / 1000, 'unixepoch') AS ended_at,
         json_extract(r.counters, '$.pages') AS pages
  FROM run r;
`;
