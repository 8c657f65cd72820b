/** A real PostgreSQL for tests, from the registry: on loopback, fast and forgetful, gone with the process that wanted it. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { openPostgres } from "../src/store/postgres/open.ts";
import { SyncDatabase } from "../src/store/postgres/sync/sync-database.ts";
import { placePostgres } from "./postgres-programs.ts";

export interface TestPostgres {
  readonly port: number;
  readonly folder: string;
  /** A new database with everything that a store needs, and nothing in it. */
  database(): string;
  /** A new database without anything. */
  emptyDatabase(): string;
  /** Makes it as it was when it was new. A hundred times as fast as another. */
  empty(url: string): void;
  /** Asks as the one who may do anything, of the whole server or of one database. */
  ask(text: string, url?: string): Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Nothing of it has to survive anything. */
const FORGETFUL = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "max_connections=200"];

const flagsFor = (port: number, settings: readonly string[]) => [
  ...["-p", String(port), "-k", "", "-c", "listen_addresses=127.0.0.1"],
  ...settings.flatMap((setting) => ["-c", setting]),
];

/** One user needs a password, to try what is said without it. */
const ENTRANCE = "host all guarded 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";

/** The server ends with the pipe that the shell reads from, which ends with this process, however that ends; a signal to all of them leaves nothing behind. */
const GUARDED = `trap "" INT TERM HUP; "$@" & server=$!; cat; kill -QUIT $server; wait $server; rm -rf "$NUTHATCH_DATA"`;

export async function startPostgres(settings: readonly string[] = FORGETFUL): Promise<TestPostgres> {
  const { folder, data, initdb, postgres, how } = await placePostgres();
  const wishes = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"];
  execFileSync(initdb, wishes, { ...how, stdio: "ignore" });
  writeFileSync(join(data, "pg_hba.conf"), ENTRANCE);
  const port = await freePort();
  const command = ["-c", GUARDED, "sh", postgres, "-D", data, ...flagsFor(port, settings)];
  const shell = spawn("sh", command, { ...how, env: { ...process.env, NUTHATCH_DATA: folder }, stdio: ["pipe", "ignore", "pipe"] });
  const hasEnded = new Promise<void>((resolve) => shell.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    shell.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
    });
    shell.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  });
  shell.stderr.destroy();
  shell.unref();
  return theServer(port, data, async () => {
    shell.stdin.end();
    await hasEnded;
  });
}

const EMPTIED = `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version' LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL LOOP PERFORM setval(name, 1, false); END LOOP;
END $$`;

function theServer(port: number, folder: string, end: () => Promise<void>): TestPostgres {
  const urlOf = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  const admin = new SyncDatabase(urlOf("postgres"));
  let made = 0;
  const create = (more: string): string => {
    made += 1;
    admin.query(`CREATE DATABASE t${made} ${more}`);
    return urlOf(`t${made}`);
  };
  const known = new Map<string, SyncDatabase>();
  const at = (url: string): SyncDatabase => {
    const db = known.get(url) ?? new SyncDatabase(url);
    known.set(url, db);
    return db;
  };
  let template: string | undefined;
  const aTemplate = () => {
    const url = create("");
    void openPostgres(url).close();
    // Each database keys its hashes with a secret of its own.
    const db = new SyncDatabase(url);
    db.query("DELETE FROM meta WHERE key = 'hash_seed'");
    db.close();
    return new URL(url).pathname.slice(1);
  };
  return {
    port,
    folder,
    database: () => {
      template ??= aTemplate();
      return create(`TEMPLATE ${template}`);
    },
    emptyDatabase: () => create(""),
    empty: (url) => void at(url).query(EMPTIED),
    ask: (text, url) => (url === undefined ? admin : at(url)).query(text).rows,
    stop: async () => {
      for (const db of [admin, ...known.values()]) db.close();
      await end();
    },
  };
}

/** What people are told to say, to have tables parted by host. */
export const partingRecipe = (): string =>
  /```sql postgres\n([\s\S]*?)```/.exec(readFileSync(new URL("../docs/scale.md", import.meta.url), "utf8"))![1]!;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
