import { type App, openApp } from "../../../engine/app.ts";
import { type ConfigFile, SetupError, trustedSeedTest } from "../../../engine/config/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import { hasData, isPostgres, isReadOnlyFile } from "../../../store/index.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, dbPathOf, type Shell } from "../shell.ts";

/** Opens the data file; reports an upgrade of its schema. */
export async function openData(db: string, flags: Globals, shell: Shell, file: ConfigFile | undefined, isReadOnly = false): Promise<App> {
  const app = await openApp({ db, mayBeSent: trustedSeedTest(file), isReadOnly });
  const { upgrade } = app.store;
  if (upgrade && !flags.quiet)
    shell.stderr.write(
      `${printable(`${db} was brought from schema ${upgrade.from} to ${upgrade.to}; the file as it was: ${upgrade.backup ?? "not kept"}`)}\n`,
    );
  return app;
}

const noDataError = (db: string) =>
  isPostgres(db)
    ? new SetupError(`${db} holds nothing of nuthatch yet`, "crawl something into it first, or prepare it: nuthatch db migrate")
    : new SetupError(`there is no data file ${db}`, "crawl something first (nuthatch demo), or name the file with --db");

/** Opens an existing data file, also on a read-only disk. A command that only reads never creates one. */
export async function withStored<T>(
  flags: Globals,
  shell: Shell,
  use: (app: App, db: string, file: ConfigFile | undefined) => Promise<T>,
): Promise<T> {
  const file = await configFileOf(flags, shell);
  const db = dbPathOf(flags, shell, file);
  if (!(await hasData(db))) throw noDataError(db);
  const app = await openData(db, flags, shell, file, isReadOnlyFile(db));
  try {
    return await use(app, db, file);
  } finally {
    await app.close();
  }
}
