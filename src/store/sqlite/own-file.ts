import { closeSync, existsSync, openSync } from "node:fs";

/** Stored pages may come from behind a login, so only the owner may read a new file. SQLite gives its side files the same mode. */
const OWN = 0o600;

/** An existing file keeps its mode. */
export function makeForOwner(path: string): void {
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", OWN));
}
