import { existsSync } from "node:fs";
import { type App, openApp } from "../app.ts";
import { SetupError } from "../config/index.ts";
import type { Globals } from "./globals.ts";
import { configFileOf, dbPathOf, type Shell } from "./shell.ts";

/** Opens the data file for a look. A command that only reads never makes an empty file. */
export async function withStored<T>(flags: Globals, shell: Shell, look: (app: App, db: string) => Promise<T>): Promise<T> {
  const db = dbPathOf(flags, shell, await configFileOf(flags, shell));
  if (!existsSync(db))
    throw new SetupError(`there is no data file ${db}`, "crawl something first (nuthatch demo), or name the file with --db");
  const app = await openApp({ db });
  try {
    return await look(app, db);
  } finally {
    await app.close();
  }
}
