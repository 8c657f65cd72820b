/** A real PostgreSQL of its own, on loopback and under the temporary folder, that can be stopped as if its plug were pulled, and started again. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { placePostgres } from "../postgres-programs.ts";

export type Row = Record<string, unknown>;

export interface Database {
  readonly port: number;
  /** The server's first process; the others are its children. */
  readonly pid: number;
  /** Makes an empty database of this name; answers how to reach it, through another port if one is given. */
  create(name: string): Promise<(port?: number) => string>;
  query(name: string, sql: string): Promise<Row[]>;
  /** All its processes end at once, and nobody is told. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * It may forget to flush: whoever pulls its plug here leaves the machine on. But what it says is committed must be in its log, as anywhere else.
 * Each worker is a connection or two, and a test has its own.
 */
const FORGETFUL = ["fsync=off", "full_page_writes=off"];
const SETTINGS = ["max_connections=60", "listen_addresses=127.0.0.1", "unix_socket_directories="];

/** The server ends with the pipe that the shell reads from, however that ends; and the folder with it, unless it was told to keep that. */
const GUARDED = `"$@" & server=$!; read word; kill -QUIT $server; wait $server; [ "$word" = keep ] || rm -rf "$NUTHATCH_DATA"`;

export async function startDatabase({ isForgetful = true } = {}): Promise<Database> {
  const { folder, data, initdb, postgres, how } = await placePostgres();
  execFileSync(initdb, ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], { ...how, stdio: "ignore" });
  const port = await freePort();
  const settings = [...SETTINGS, ...(isForgetful ? FORGETFUL : [])].flatMap((setting) => ["-c", setting]);
  const command = ["-c", GUARDED, "sh", postgres, "-D", data, "-p", String(port), ...settings];
  const start = () => guarded(command, { ...how, env: { ...process.env, NUTHATCH_DATA: folder } });
  const urlOf = (name: string, through = port) => `postgres://postgres@127.0.0.1:${through}/${name}`;
  const query = async (name: string, sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: urlOf(name) });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  let stop = await start();
  return {
    port,
    get pid() {
      return Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    },
    create: async (name) => {
      await query("postgres", `CREATE DATABASE ${name}`);
      return (through) => urlOf(name, through);
    },
    query,
    stopAtOnce: () => stop("keep"),
    start: async () => {
      stop = await start();
    },
    close: () => stop(""),
  };
}

/** Runs the server until what is answered is called. */
async function guarded(command: readonly string[], how: object): Promise<(word: string) => Promise<void>> {
  const shell = spawn("sh", command, { ...how, stdio: ["pipe", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => shell.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    shell.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4000);
      if (text.includes("ready to accept connections")) resolve();
    });
    shell.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  });
  return (word) => {
    shell.stdin.end(`${word}\n`);
    return ended;
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((ready) => probe.listen(0, "127.0.0.1", ready));
  const { port } = probe.address() as { port: number };
  await new Promise((closed) => probe.close(closed));
  return port;
}
