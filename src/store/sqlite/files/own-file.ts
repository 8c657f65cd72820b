import { closeSync, existsSync, openSync } from "node:fs";

/** Stored pages may come from behind a login, so only the owner may read a new file. SQLite gives its side files the same mode. */
const OWNER_ONLY_MODE = 0o600;

/** An existing file keeps its mode. */
export function createForOwner(path: string): void {
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", OWNER_ONLY_MODE));
}
