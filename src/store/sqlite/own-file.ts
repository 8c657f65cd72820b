import { closeSync, existsSync, openSync } from "node:fs";

/** What is kept may be pages behind a login: a file that is made is for whoever makes it. SQLite gives the files beside it the same mode. */
const OWN = 0o600;

/** One that is there keeps its mode. */
export function makeForOwner(path: string): void {
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", OWN));
}
