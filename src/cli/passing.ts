import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import { checkBrowsers } from "../outside.ts";
import { type Seed, urlsOf } from "../seed.ts";
import { holdsData } from "../store/index.ts";
import { tellAccess } from "./access.ts";
import { loadConfig, needOwner } from "./command.ts";
import type { Globals } from "./globals.ts";
import { configFileOf, dbPathOf, type Shell } from "./shell.ts";
import { openData } from "./stored.ts";

/** For commands that send requests and store nothing: uses the data file only if it exists, for the pace of its hosts. */
export async function openPassing(
  seeds: readonly Seed[],
  flags: Globals & Readonly<Record<string, unknown>>,
  shell: Shell,
): Promise<{ readonly config: Config; readonly app: App }> {
  const file = await configFileOf(flags, shell);
  const config = loadConfig(flags, shell, file, urlsOf(seeds));
  if (!config.respectRobots) await needOwner(flags, shell);
  tellAccess(config, seeds, flags, shell, file);
  await checkBrowsers(config);
  const db = dbPathOf(flags, shell, file);
  return { config, app: await openData((await holdsData(db)) ? db : ":memory:", flags, shell, file) };
}
