import { afterAll } from "vitest";
import { partingRecipe, startPostgres } from "../../../test/postgres.ts";
import { careContract } from "../contract/care.ts";
import { pagesContract } from "../contract/pages.ts";
import { settlingContract } from "../contract/settling.ts";
import { turnsContract } from "../contract/turns.ts";
import { storeContract } from "../contract.ts";
import { openPostgres } from "./open.ts";

const server = await startPostgres();
afterAll(() => server.stop());

/** As long as that of a SQLite file. */
const LEASE = 120_000;

/** Assigns the visits in flight to an expired worker. */
const BURY = `INSERT INTO worker (id, name, machine, pid, version, started_at, seen_at) VALUES ('x/4194305/1/1', 'x', 'x', 4194305, '', 0, 0) ON CONFLICT DO NOTHING;
  INSERT INTO run_worker (run_id, worker_id, out) SELECT run_id, 'x/4194305/1/1', array_agg(visit) FROM run_worker, unnest(out) AS o (visit) GROUP BY run_id;
  UPDATE run SET owner = 'x/4194305/1/1'; UPDATE host SET owner = NULL`;

const databaseAt = (url: string) => () => ({
  open: () => openPostgres(url, undefined, undefined, { clock: () => Date.now(), lease: LEASE }),
  simulateCrash: () => void server.ask(BURY, url),
  dispose: async () => server.empty(url),
});

storeContract("postgres", databaseAt(server.database()));

const parted = server.database();
server.ask(partingRecipe(), parted);
storeContract("postgres, parted by host", databaseAt(parted), [turnsContract, settlingContract, pagesContract, careContract]);
