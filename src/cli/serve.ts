import type { Command } from "commander";
import { SetupError } from "../config/index.ts";
import { newCommand } from "./command.ts";
import type { Globals } from "./globals.ts";
import { configFileOf, dbPathOf, type Shell } from "./shell.ts";
import { onStopSignal } from "./stop-signal.ts";
import { openData } from "./stored.ts";

interface ServeFlags extends Globals {
  readonly port?: string;
  readonly host: string;
}

const PORT = 8000;

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand("serve", "The REST API with its documentation, and the dashboard.")
    .option("--port <n>", `where to listen; 0 takes any that is free (default ${PORT}, or PORT)`)
    .option("--host <address>", "on which address to listen", "127.0.0.1");
  return command.action(async (flags: ServeFlags) => {
    const port = portOf(flags.port ?? shell.env.PORT);
    const db = dbPathOf(flags, shell, await configFileOf(flags, shell));
    // Makes the file, or brings it to today's version, before anybody else opens it.
    await (await openData(db, flags, shell)).close();
    const { serve } = await import("../api/index.ts");
    const server = await serve({ db, host: flags.host, port, engine: {}, log: (line) => shell.stderr.write(`${line}\n`) });
    if (!flags.quiet) shell.stderr.write(`Nuthatch listens on ${server.url}  (documentation: ${server.url}/docs)\n`);
    await new Promise<void>((resolve) => onStopSignal(() => resolve()));
    await server.close();
    exit(0);
  });
}

function portOf(text: string | undefined): number {
  if (text === undefined) return PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new SetupError(`${text} is not a port`, "a number from 0 to 65535");
}
