import { resolve } from "node:path";
import type { Command } from "commander";
import { SetupError } from "../../../engine/config/index.ts";
import { newCommand } from "../command.ts";
import type { Globals } from "../globals.ts";
import { checkLog } from "../log.ts";
import { configFileOf, dbFlag, dbPathOf, type Shell } from "../shell.ts";
import { onStopSignal } from "../stop-signal.ts";
import { openData } from "./stored.ts";

interface ServeFlags extends Globals {
  readonly port?: string;
  readonly host: string;
  readonly auth: boolean;
  readonly allowHost?: readonly string[];
  readonly allowPrivate?: readonly string[];
  readonly cors?: readonly string[];
  readonly dashboard: boolean;
}

const DEFAULT_PORT = 8000;

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand("serve", "The REST API with its documentation, and the dashboard.")
    .option("--port <n>", `where to listen; 0 takes any that is free (default ${DEFAULT_PORT}, or PORT)`)
    .option("--host <address>", "on which address to listen; others than this machine's need a key", "127.0.0.1")
    .option("--no-auth", "nobody needs a key, whoever can reach the address")
    .option("--allow-host <name...>", "a name by which browsers may call this server")
    .option("--allow-private <list...>", "private addresses and names that URLs given to the API may lead to")
    .option("--cors <origin...>", "pages of this origin may ask")
    .option("--no-dashboard", "the API alone");
  command.addHelpText(
    "after",
    `
Examples:
  nuthatch serve
  nuthatch serve --port 8080 --db city.db
  nuthatch keys create --scope write && nuthatch serve --host 0.0.0.0 --allow-host crawler.example.org`,
  );
  return command.action(async (flags: ServeFlags) => {
    const port = portOf(flags.port ?? shell.env.PORT);
    checkLog(flags);
    const file = await configFileOf(flags, shell);
    const db = dbPathOf(flags, shell, file);
    const given = flags.allowPrivate ? { allowPrivate: flags.allowPrivate } : {};
    // Creates or upgrades the data file before other threads and processes open it.
    const app = await openData(db, flags, shell, file);
    const hasKeys = (await app.store.keys.list()).length > 0;
    const other = await app.store.service.server();
    await app.close();
    if (other !== undefined)
      throw new SetupError(`a server works with ${db} already: ${other}`, "ask that one, or name another file with --db");
    const isStopped = new Promise<void>((resolve) =>
      onStopSignal(() => {
        killAfterTimeout(shell);
        resolve();
      }),
    );
    const { openServerLog, serve } = await import("../../rest/index.ts");
    const log = {
      isQuiet: flags.quiet,
      verbose: flags.verbose,
      format: flags.logFormat,
      file: flags.logFile === undefined ? undefined : resolve(shell.cwd, flags.logFile),
    };
    const server = await serve({
      db,
      host: flags.host,
      port,
      hasKeys,
      noAuth: !flags.auth,
      names: flags.allowHost ?? [],
      origins: flags.cors ?? [],
      withDashboard: flags.dashboard,
      engine: {
        log,
        options: { file: file && { name: file.name, folder: file.folder, content: file.content }, flags: given, cwd: shell.cwd },
      },
      log: openServerLog(log).trouble,
    });
    if (shell.underWay)
      shell.underWay.work = {
        kept: `everything that was settled, in ${db}; the next server takes up the crawls of this one`,
        resumeCommand: `nuthatch serve${dbFlag(db)}`,
      };
    if (!flags.quiet) shell.stderr.write(`Nuthatch listens on ${server.url}  (documentation: ${server.url}/docs)\n`);
    await isStopped;
    await server.close();
    exit(0);
  });
}

/** Service managers commonly wait ten seconds before they kill. Settled results are never lost. */
const MAX_CLOSE_MS = 9000;

function killAfterTimeout(shell: Shell): void {
  setTimeout(() => {
    shell.stderr.write("The server did not end in time, and ends by force; the next one takes up its crawls\n");
    process.kill(process.pid, "SIGKILL");
  }, MAX_CLOSE_MS).unref();
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new SetupError(`${text} is not a port`, "a number from 0 to 65535");
}
