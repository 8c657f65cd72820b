import { hostKeys, linkKeys, versionKeys } from "./host-keys.ts";

/**
 * Tables that only a shared database has, as a list of steps: a released step never changes, new ones are added. All times are the
 * database's own.
 *
 * `run_host` counts the queued rows of each host in each run, so that looking for work reads a row per host instead of one per URL.
 * Triggers keep it, so that no change to the ledger is missed. `news` means that a process other than the leaseholder has added URLs
 * there. `run_worker` holds a worker's part of the run's counters; it is added to the run's when the worker leaves or expires.
 * `known_name` is a shared DNS cache: addresses separated by spaces, empty if there are none.
 */
export const sharedTables: readonly string[] = [
  `CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'`,
  `CREATE TABLE worker (
    id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, machine TEXT NOT NULL, pid BIGINT NOT NULL, version TEXT NOT NULL,
    max_concurrent BIGINT NOT NULL DEFAULT 0, is_draining BOOLEAN NOT NULL DEFAULT false,
    started_at BIGINT NOT NULL, seen_at BIGINT NOT NULL
  )`,
  `CREATE TABLE run_worker (
    run_id BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, worker_id TEXT COLLATE "C" NOT NULL REFERENCES worker ON DELETE CASCADE,
    counters TEXT NOT NULL DEFAULT '{}', out BIGINT[] NOT NULL DEFAULT '{}', reserved BIGINT NOT NULL DEFAULT 0, settlement TEXT,
    seq BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (run_id, worker_id)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE run_host (
    run_id BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, host_id BIGINT NOT NULL REFERENCES host,
    queued BIGINT NOT NULL, is_open BOOLEAN NOT NULL GENERATED ALWAYS AS (queued > 0) STORED, news BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (run_id, host_id)
  ) WITH (fillfactor = 50)`,
  // On a column that seldom changes, so that changing `queued` updates no index.
  "CREATE INDEX run_host_open ON run_host (run_id, host_id) WHERE is_open",
  "CREATE SEQUENCE settled_seq",
  "ALTER TABLE host SET (fillfactor = 50)",
  // With a foreign key, each new row would lock the rows of its run and host for all others. Hosts are never removed; a trigger removes
  // the ledger with its run.
  "ALTER TABLE decision DROP CONSTRAINT decision_run_id_fkey, DROP CONSTRAINT decision_host_id_fkey",
  `CREATE FUNCTION remove_ledger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM decision WHERE run_id IN (SELECT id FROM before);
    RETURN NULL; END $$`,
  `CREATE TRIGGER removed AFTER DELETE ON run REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remove_ledger()`,
  "CREATE INDEX host_owner ON host (owner) WHERE owner IS NOT NULL",
  // Settling counts by itself and once, so the triggers can be switched off. Rows are always in host order, so that two processes cannot
  // deadlock.
  `CREATE FUNCTION count_heard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('nuthatch.counts', true) = 'off' THEN RETURN NULL; END IF;
    INSERT INTO run_host AS t (run_id, host_id, queued)
      SELECT run_id, host_id, count(*) FROM heard WHERE verdict = 'queued' GROUP BY run_id, host_id ORDER BY run_id, host_id
      ON CONFLICT (run_id, host_id) DO UPDATE SET queued = t.queued + excluded.queued;
    RETURN NULL; END $$`,
  `CREATE FUNCTION count_settled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('nuthatch.counts', true) = 'off' THEN RETURN NULL; END IF;
    INSERT INTO run_host AS t (run_id, host_id, queued)
      SELECT run_id, host_id, sum(change) FROM (
        SELECT run_id, host_id, 1 AS change FROM after WHERE verdict = 'queued'
        UNION ALL SELECT run_id, host_id, -1 FROM before WHERE verdict = 'queued') AS moves
      GROUP BY run_id, host_id HAVING sum(change) <> 0 ORDER BY run_id, host_id
      ON CONFLICT (run_id, host_id) DO UPDATE SET queued = t.queued + excluded.queued;
    RETURN NULL; END $$`,
  `CREATE FUNCTION count_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE run_host t SET queued = t.queued - gone.queued
      FROM (SELECT run_id, host_id, count(*) AS queued FROM before WHERE verdict = 'queued' GROUP BY run_id, host_id) AS gone
      WHERE t.run_id = gone.run_id AND t.host_id = gone.host_id;
    RETURN NULL; END $$`,
  `CREATE TRIGGER heard AFTER INSERT ON decision REFERENCING NEW TABLE AS heard FOR EACH STATEMENT EXECUTE FUNCTION count_heard()`,
  `CREATE TRIGGER settled AFTER UPDATE ON decision REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_settled()`,
  `CREATE TRIGGER removed AFTER DELETE ON decision REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_removed()`,
  // Unlogged: entries live for about a minute, and what a server crash loses is looked up again.
  `CREATE UNLOGGED TABLE known_name (
    name TEXT COLLATE "C" NOT NULL, server TEXT COLLATE "C" NOT NULL, addresses TEXT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (name, server)
  )`,
  ...hostKeys,
  ...versionKeys,
  ...linkKeys,
  // Rows whose depth became smaller than the one their links were found with. The process that found it propagates it next, unless it is
  // killed before.
  "CREATE TABLE nearness (run_id BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, decision_id BIGINT NOT NULL, depth BIGINT NOT NULL, PRIMARY KEY (run_id, decision_id))",
];

/** Steps in a database made before they were counted. */
export const STEPS_BEFORE_COUNT = 17;
