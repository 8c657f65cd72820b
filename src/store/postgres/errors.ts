import { StorageError } from "../store.ts";

/** An error as passed between threads. */
export interface ErrorInfo {
  readonly message: string;
  /** PostgreSQL's SQLSTATE, or the system's error code of the connection. */
  readonly code: string | undefined;
  /** The connection is lost; a new one is needed before the next statement. */
  readonly isLost: boolean;
  /** The first connection failed. */
  readonly isFirst: boolean;
}

/** PostgreSQL refused or failed a statement. */
export class PostgresError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = "PostgresError";
    this.code = code;
  }
}

/**
 * The connection broke, could not be reopened, or was dropped because the server is temporarily unable to work. The next call tries again;
 * it is unknown whether the last one took effect.
 */
export class ConnectionLost extends StorageError {
  override readonly name = "ConnectionLost";
}

/** True if the database or the connection to it caused the error. */
export const isDatabaseError = (cause: unknown): boolean => cause instanceof StorageError || cause instanceof PostgresError;

export function errorOf({ message, code, isLost, isFirst }: ErrorInfo, place: string, statement: string): Error {
  const why = code === NO_CLIENT ? "PostgreSQL's client is not installed" : message;
  if (isFirst) return new StorageError(`cannot use ${place}: ${why}`, hintFor(code, message));
  const hint = HINTS.find(([known]) => known === code)?.[1];
  if (isLost)
    return new ConnectionLost(
      `the connection to ${place} is lost: ${message}`,
      hint ?? "check that the server runs, then run the same command again: nothing settled is lost",
    );
  return hint === undefined
    ? new PostgresError(`${message} (${statement.slice(0, MAX_SHOWN)})`, code)
    : new StorageError(`cannot use ${place}: ${message}`, hint);
}

const NO_CLIENT = "ERR_MODULE_NOT_FOUND";

/** Characters of the failed statement to show in an error message. Statements contain no values. */
const MAX_SHOWN = 400;

const HINTS: readonly [code: string, hint: string][] = [
  ["ECONNREFUSED", "check that PostgreSQL runs there, and the host and port in --db"],
  ["ENOTFOUND", "check the name of the host in --db"],
  ["EAI_AGAIN", "check the name of the host in --db"],
  ["28P01", "check the user and the password in --db, or set PGPASSWORD"],
  ["28000", "check the user in --db, and that pg_hba.conf lets it in"],
  ["3D000", "create the database first: createdb <name>"],
  ["42501", "let the user create tables there: GRANT CREATE, USAGE ON SCHEMA public TO <user>"],
  ["53300", "raise max_connections of the server, or start fewer workers"],
  ["53100", "free some disk space on the server and run the same command again: nothing settled is lost"],
  ["25006", "the server takes no writes: use the address of the primary"],
  [NO_CLIENT, "install its client beside nuthatch: npm install pg"],
];

const hintFor = (code: string | undefined, message: string): string =>
  HINTS.find(([known]) => known === code)?.[1] ??
  (/password/i.test(message)
    ? "give the password in --db, or set PGPASSWORD"
    : "check that PostgreSQL runs there, and the address in --db");
