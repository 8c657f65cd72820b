import { type App, openApp } from "../app.ts";
import { type ConfigFile, namedWith, SetupError } from "../config/index.ts";
import { holdsData, isOnlyReadable, isPostgres } from "../store/index.ts";
import { printable } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import { configFileOf, dbPathOf, type Shell } from "./shell.ts";

/** Opens the data file; reports an upgrade of its schema. */
export async function openData(db: string, flags: Globals, shell: Shell, file: ConfigFile | undefined, isReadOnly = false): Promise<App> {
  const app = await openApp({ db, mayBeSent: namedWith(file), isReadOnly });
  const { upgrade } = app.store;
  if (upgrade && !flags.quiet)
    shell.stderr.write(
      `${printable(`${db} was brought from schema ${upgrade.from} to ${upgrade.to}; the file as it was: ${upgrade.backup ?? "not kept"}`)}\n`,
    );
  return app;
}

const nothingIn = (db: string) =>
  isPostgres(db)
    ? new SetupError(`${db} holds nothing of nuthatch yet`, "crawl something into it first, or prepare it: nuthatch db migrate")
    : new SetupError(`there is no data file ${db}`, "crawl something first (nuthatch demo), or name the file with --db");

/** Opens an existing data file, also on a read-only disk. A command that only reads never creates one. */
export async function withStored<T>(
  flags: Globals,
  shell: Shell,
  look: (app: App, db: string, file: ConfigFile | undefined) => Promise<T>,
): Promise<T> {
  const file = await configFileOf(flags, shell);
  const db = dbPathOf(flags, shell, file);
  if (!(await holdsData(db))) throw nothingIn(db);
  const app = await openData(db, flags, shell, file, isOnlyReadable(db));
  try {
    return await look(app, db, file);
  } finally {
    await app.close();
  }
}
