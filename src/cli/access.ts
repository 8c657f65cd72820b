import { accessFor } from "../app.ts";
import type { Config } from "../config/index.ts";
import { printable } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";

/** Says, before anything is asked, what a proxy hides from us and what others can read on the way. */
export function tellAccess(config: Config, seeds: readonly string[], flags: Globals, shell: Shell): void {
  const notices = accessFor(config, seeds)?.notices ?? [];
  if (!flags.quiet) for (const notice of notices) shell.stderr.write(`${printable(notice, 2000)}\n`);
}
