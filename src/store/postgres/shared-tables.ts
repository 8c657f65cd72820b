import { hostKeys, linkKeys, versionKeys } from "./host-keys.ts";

/**
 * What only a database has that many workers share, step by step: none is changed once released, only added. Every moment here is the database's own.
 *
 * `run_host` counts what waits of each host in each run: whoever looks for work reads a row a host, not a row a URL. It is kept by
 * triggers, so that no way of changing the ledger can forget it. `news` says that somebody else than the leaseholder has named URLs there.
 * A part of a run's counters is in `run_worker` while its worker is at it, and added to the run's when that ends or is found dead.
 * `known_name` is what a name server has said of a name, for others to hear: addresses with spaces between them, nothing where there are none.
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
  // Of a column that seldom changes, so that to count one more or less touches no index.
  "CREATE INDEX run_host_open ON run_host (run_id, host_id) WHERE is_open",
  "CREATE SEQUENCE settled_seq",
  "ALTER TABLE host SET (fillfactor = 50)",
  // Each new row would lock the rows of its run and its host for all others. Hosts are never removed; with its run a ledger goes by a trigger.
  "ALTER TABLE decision DROP CONSTRAINT decision_run_id_fkey, DROP CONSTRAINT decision_host_id_fkey",
  `CREATE FUNCTION remove_ledger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM decision WHERE run_id IN (SELECT id FROM before);
    RETURN NULL; END $$`,
  `CREATE TRIGGER removed AFTER DELETE ON run REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION remove_ledger()`,
  "CREATE INDEX host_owner ON host (owner) WHERE owner IS NOT NULL",
  // Who settles counts what it does itself, once. The order of rows is that of hosts everywhere, so that two who count at once cannot wait for each other in a circle.
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
  // Of a minute's worth: what a crash of the server loses is asked for again.
  `CREATE UNLOGGED TABLE known_name (
    name TEXT COLLATE "C" NOT NULL, server TEXT COLLATE "C" NOT NULL, addresses TEXT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (name, server)
  )`,
  ...hostKeys,
  ...versionKeys,
  ...linkKeys,
  // Rows of the ledger that turned out to be nearer than what they lead to has heard: whoever found out says so next, unless it is killed before.
  "CREATE TABLE nearness (run_id BIGINT NOT NULL REFERENCES run ON DELETE CASCADE, decision_id BIGINT NOT NULL, depth BIGINT NOT NULL, PRIMARY KEY (run_id, decision_id))",
];

/** Of a database that was made before its steps were counted. */
export const UNCOUNTED_STEPS = 17;
