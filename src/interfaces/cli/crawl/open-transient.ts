import { type Seed, urlsOf } from "../../../core/seed.ts";
import type { App } from "../../../engine/app.ts";
import type { Config } from "../../../engine/config/index.ts";
import { checkBrowsers } from "../../../engine/network-access.ts";
import { hasData } from "../../../store/index.ts";
import { loadConfig, requireOwner } from "../command.ts";
import { printAccessNotices } from "../commands/access.ts";
import { openData } from "../commands/stored.ts";
import type { Globals } from "../globals.ts";
import { configFileOf, dbPathOf, type Shell } from "../shell.ts";

/** For commands that send requests and store nothing: uses the data file only if it exists, for the pace of its hosts. */
export async function openTransient(
  seeds: readonly Seed[],
  flags: Globals & Readonly<Record<string, unknown>>,
  shell: Shell,
): Promise<{ readonly config: Config; readonly app: App }> {
  const file = await configFileOf(flags, shell);
  const config = loadConfig(flags, shell, file, urlsOf(seeds));
  if (!config.respectRobots) await requireOwner(flags, shell);
  printAccessNotices(config, seeds, flags, shell, file);
  await checkBrowsers(config);
  const db = dbPathOf(flags, shell, file);
  return { config, app: await openData((await hasData(db)) ? db : ":memory:", flags, shell, file) };
}
